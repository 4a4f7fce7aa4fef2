#include "schedule/code.h"

#include <stdlib.h>

#define NEVER_TRUE 15 /* guard !PT */

/* A text of more is not taken apart: no kernel is that large, and memory is bounded by it. */
#define MOST_INSTRUCTIONS (1u << 20)

static bool
is_guarded(const struct instruction *instruction)
{
    return guard_of(instruction) != 7;
}

static bool
is_branch(unsigned opcode)
{
    return opcode == OP_BRA || opcode == OP_BRA_UNIFORM;
}

static bool
is_jump(unsigned opcode)
{
    return opcode == OP_BRX || opcode == OP_BRX_UNIFORM;
}

static bool
is_warpsync(unsigned opcode)
{
    return opcode == OP_WARPSYNC || opcode == OP_WARPSYNC_ALL;
}

int64_t
branch_target(const struct instruction *instruction, uint32_t at)
{
    uint64_t distance = field(instruction->low, 16, 8) |
                        (uint64_t)field(instruction->low, 34, 30) << 8 |
                        (uint64_t)field(instruction->high, 0, 18) << 38;
    int64_t words = (int64_t)(distance << 8) >> 8; /* 56 bits, signed, in words of four bytes */

    return (int64_t)at + 1 + words / 4;
}

/* A branch that may also be passed by: guarded, with a predicate of its own, or one that only part
   of a warp takes. */
static bool
falls_through(const struct instruction *instruction)
{
    unsigned opcode = opcode_of(instruction);

    if (opcode == OP_EXIT)
        return is_guarded(instruction) || field(instruction->high, 23, 3) != 7;
    if (is_jump(opcode))
        return is_guarded(instruction);
    if (opcode == OP_BRA)
        return is_guarded(instruction) || field(instruction->high, 23, 3) != 7 ||
               field(instruction->high, 27, 1);
    return true;
}

/* Where control may go; while blocks are found, from one instruction at a time. */
struct edges {
    struct code *code;
    const struct leaf_kernel *kernel;
    enum collectives collectives;
    ARRAY(uint32_t) targets;
};

static int
compare_jump(const void *key, const void *jump)
{
    uint64_t a = *(const uint64_t *)key, b = ((const struct leaf_jump *)jump)->at;
    return a < b ? -1 : a > b;
}

static const struct leaf_jump *
find_jump(const struct leaf_kernel *kernel, uint32_t at)
{
    uint64_t offset = (uint64_t)at * INSTRUCTION_SIZE;

    if (!kernel->jump_count)
        return NULL;
    return bsearch(&offset, kernel->jumps, kernel->jump_count, sizeof *kernel->jumps, compare_jump);
}

static bool
add_target(struct edges *edges, int64_t target)
{
    if (target < 0 || target >= edges->code->count)
        return false;
    array_push(&edges->targets, edges->code->arena, (uint32_t)target);
    return true;
}

static bool
add_jump_targets(struct edges *edges, uint32_t at)
{
    const struct leaf_jump *jump = find_jump(edges->kernel, at);

    if (!jump || !jump->target_count)
        return false;
    for (uint32_t i = 0; i < jump->target_count; i++) {
        if (jump->targets[i] % INSTRUCTION_SIZE)
            return false;
        if (!add_target(edges, jump->targets[i] / INSTRUCTION_SIZE))
            return false;
    }
    return true;
}

/* Adds where control may go from an instruction, other than to the next one. */
static bool
add_branch_targets(struct edges *edges, uint32_t at)
{
    const struct instruction *instruction = &edges->code->instructions[at];
    unsigned opcode = opcode_of(instruction);

    if (is_jump(opcode))
        return add_jump_targets(edges, at);
    if (is_branch(opcode) || is_warpsync(opcode))
        return add_target(edges, branch_target(instruction, at));
    return true;
}

static bool
ends_block(const struct edges *edges, uint32_t at)
{
    unsigned opcode = opcode_of(&edges->code->instructions[at]);

    if (is_warpsync(opcode))
        return edges->collectives == COLLECTIVES_BRANCH;
    return is_branch(opcode) || is_jump(opcode) || opcode == OP_EXIT;
}

/* Marks the first instruction of each block. */
static bool
mark_leaders(struct edges *edges, uint8_t *is_leader)
{
    is_leader[0] = 1;
    for (uint32_t i = 0; i < edges->code->count; i++) {
        edges->targets.count = 0;
        if (!add_branch_targets(edges, i))
            return false;
        if (!ends_block(edges, i))
            continue;
        if (i + 1 < edges->code->count)
            is_leader[i + 1] = 1;
        for (uint32_t k = 0; k < edges->targets.count; k++)
            is_leader[edges->targets.at[k]] = 1;
    }
    return true;
}

static void
make_blocks(struct code *code, const uint8_t *is_leader)
{
    code->blocks = arena_array(code->arena, code->count, sizeof *code->blocks);
    code->block_of = arena_array(code->arena, code->count, sizeof *code->block_of);
    for (uint32_t i = 0; i < code->count; i++) {
        if (is_leader[i])
            code->blocks[code->block_count++].first = i;
        code->block_of[i] = code->block_count - 1;
        code->blocks[code->block_count - 1].last = i;
    }
}

/* The predecessors, counted and then filled in: lists in one array. */
static void
link_predecessors(struct code *code, uint32_t edge_count)
{
    uint32_t next = 0;

    code->predecessors = arena_array(code->arena, edge_count, sizeof *code->predecessors);
    for (uint32_t i = 0; i < edge_count; i++)
        code->blocks[code->successors[i]].predecessor_count++;
    for (uint32_t b = 0; b < code->block_count; b++) {
        code->blocks[b].first_predecessor = next;
        next += code->blocks[b].predecessor_count;
        code->blocks[b].predecessor_count = 0;
    }
    for (uint32_t b = 0; b < code->block_count; b++)
        for (uint32_t i = 0; i < code->blocks[b].successor_count; i++) {
            struct block *to = &code->blocks[code->successors[code->blocks[b].first_successor + i]];
            code->predecessors[to->first_predecessor + to->predecessor_count++] = b;
        }
}

static void
link_blocks(struct edges *edges)
{
    struct code *code = edges->code;

    edges->targets.count = 0;
    for (uint32_t b = 0; b < code->block_count; b++) {
        struct block *block = &code->blocks[b];
        const struct instruction *last = &code->instructions[block->last];
        block->first_successor = edges->targets.count;
        if (falls_through(last) && block->last + 1 < code->count)
            add_target(edges, block->last + 1);
        if (ends_block(edges, block->last))
            add_branch_targets(edges, block->last);
        block->successor_count = edges->targets.count - block->first_successor;
    }
    for (uint32_t i = 0; i < edges->targets.count; i++)
        edges->targets.at[i] = code->block_of[edges->targets.at[i]];
    code->successors = edges->targets.at;
    link_predecessors(code, edges->targets.count);
}

static bool
find_producers(struct code *code)
{
    code->producers = arena_array(code->arena, 2 * (size_t)code->count, sizeof *code->producers);
    code->numbers = arena_array(code->arena, 2 * (size_t)code->count, 1);
    code->first_producer = arena_array(code->arena, (size_t)code->count + 1, sizeof(uint32_t));
    for (uint32_t i = 0; i < code->count; i++) {
        unsigned read = read_scoreboard(&code->instructions[i]);
        unsigned write = write_scoreboard(&code->instructions[i]);
        code->first_producer[i] = code->producer_count;
        if (read == SCOREBOARDS || write == SCOREBOARDS)
            return false;
        if (read != NO_SCOREBOARD) {
            code->numbers[code->producer_count] = (uint8_t)read;
            code->producers[code->producer_count++] = (struct producer){i, true};
        }
        if (write != NO_SCOREBOARD) {
            code->numbers[code->producer_count] = (uint8_t)write;
            code->producers[code->producer_count++] = (struct producer){i, false};
        }
    }
    code->first_producer[code->count] = code->producer_count;
    return true;
}

static bool
read_instructions(struct code *code, struct bytes text)
{
    code->count = (uint32_t)(text.size / INSTRUCTION_SIZE);
    code->instructions = arena_array(code->arena, code->count, sizeof *code->instructions);
    code->operands = arena_array(code->arena, code->count, sizeof *code->operands);
    for (uint32_t i = 0; i < code->count; i++) {
        code->instructions[i] = read_instruction(text.at + (size_t)i * INSTRUCTION_SIZE);
        if (!operands_of(&code->instructions[i], &code->operands[i]))
            return false;
    }
    return true;
}

/* LDC R1: what every kernel begins with. */
static bool
loads_stack_pointer(const struct instruction *instruction)
{
    return field(instruction->low, 0, 24) == 0x017b82;
}

bool
code_open(struct code *code, const struct leaf_kernel *kernel, enum collectives collectives,
          struct arena *arena, const char **reason)
{
    struct edges edges = {.code = code, .kernel = kernel, .collectives = collectives};

    *code = (struct code){.arena = arena, .stack_load = NO_PRODUCER};
    if (!kernel->text.size || kernel->text.size % INSTRUCTION_SIZE ||
        kernel->text.size / INSTRUCTION_SIZE > MOST_INSTRUCTIONS) {
        *reason = "its size";
        return false;
    }
    if (!read_instructions(code, kernel->text)) {
        *reason = "an instruction that is not known";
        return false;
    }
    uint8_t *is_leader = arena_array(arena, code->count, 1);
    if (!mark_leaders(&edges, is_leader)) {
        *reason = "a branch to an unknown place";
        return false;
    }
    make_blocks(code, is_leader);
    link_blocks(&edges);
    if (!find_producers(code)) {
        *reason = "a scoreboard that does not exist";
        return false;
    }
    if (loads_stack_pointer(&code->instructions[0]) &&
        write_scoreboard(&code->instructions[0]) != NO_SCOREBOARD)
        code->stack_load = producers_end(code, 0) - 1;
    return true;
}

/* One is executed exactly where the other is not. */
static bool
are_alternatives(const struct instruction *a, const struct instruction *b)
{
    return (guard_of(a) ^ guard_of(b)) == 8 && (guard_of(a) & 7) != (NEVER_TRUE & 7);
}

/* Does the instruction write a register that the producer may still have to read? A register that
   the producer also writes is guarded by its write scoreboard. */
static bool
overwrites_source(const struct operands *producer, const struct operands *writer)
{
    for (unsigned i = 0; i < producer->read_count; i++) {
        struct register_range range = producer->read[i];
        bool is_late = range.first < UNIFORM_REGISTERS ||
                       (range.first < PREDICATES && producer->flags & READS_UNIFORM_LATE);
        for (unsigned k = 0; is_late && k < range.count; k++) {
            struct register_range one = {(uint16_t)(range.first + k), 1};
            if (ranges_overlap(&one, 1, writer->written, writer->written_count) &&
                !ranges_overlap(&one, 1, producer->written, producer->written_count))
                return true;
        }
    }
    return false;
}

bool
conflicts(const struct code *code, uint32_t producer, uint32_t instruction)
{
    uint32_t at = code->producers[producer].at;
    const struct operands *first = &code->operands[at], *second = &code->operands[instruction];

    if (code->producers[producer].reads)
        return overwrites_source(first, second);
    if (ranges_overlap(first->written, first->written_count, second->read, second->read_count))
        return true;
    return ranges_overlap(first->written, first->written_count, second->written,
                          second->written_count) &&
           !are_alternatives(&code->instructions[at], &code->instructions[instruction]);
}
