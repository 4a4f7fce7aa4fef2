#include "schedule/blocks.h"

#include <stdlib.h>

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

/* Code compiled without optimisation waits otherwise. */
bool
is_guarded_exit(const struct code *code, uint32_t at)
{
    enum { EXIT_STALL = 5 };

    return code->is_guarded && at > 0 && opcode_of(&code->instructions[at]) == OP_EXIT &&
           stall_of(&code->instructions[at]) == EXIT_STALL &&
           opcode_of(&code->instructions[at - 1]) == OP_CGAERRBAR;
}

uint32_t
first_guard(const struct code *code, uint32_t exit)
{
    static const unsigned guards[] = {OP_CGAERRBAR, OP_ERRBAR, OP_MEMBAR};

    for (unsigned i = 0; i < COUNT_OF(guards); i++)
        if (exit > 0 && opcode_of(&code->instructions[exit - 1]) == guards[i])
            exit--;
    return exit;
}

int64_t
branch_target(const struct instruction *instruction, uint32_t at)
{
    uint64_t distance = field(instruction->low, 16, 8) |
                        (uint64_t)field(instruction->low, 34, 30) << 8 |
                        (uint64_t)field(instruction->high, 0, 18) << 38;
    int64_t words = (int64_t)(distance << 8) >> 8; /* 56 bits, signed, in words of four bytes */

    return words % 4 ? -1 : (int64_t)at + 1 + words / 4;
}

int64_t
meeting_place(const struct instruction *instruction, uint32_t at)
{
    int64_t distance = (int32_t)(instruction->low >> 32);

    return distance % INSTRUCTION_SIZE ? -1 : (int64_t)at + 1 + distance / INSTRUCTION_SIZE;
}

int64_t
named_place(const struct instruction *instruction, uint32_t at)
{
    unsigned opcode = opcode_of(instruction);

    if (is_direct_branch(opcode))
        return branch_target(instruction, at);
    return opcode == OP_BSSY ? meeting_place(instruction, at) : -1;
}

/* May control go on to the next instruction? Not after what always transfers it: unguarded, with no
   predicate of its own, and taken by all of a warp. */
static bool
falls_through(const struct instruction *instruction)
{
    enum { ALWAYS = 7 };
    unsigned opcode = opcode_of(instruction);
    unsigned is_conditional = (unsigned)(guard_of(instruction) != ALWAYS) |
                              (unsigned)(field(instruction->high, 23, 4) != ALWAYS);

    if (opcode == OP_BRA)
        return is_conditional | field(instruction->high, 27, 1);
    return is_conditional || !(is_jump(opcode) || opcode == OP_EXIT || opcode == OP_RETURN);
}

/* Where control may go; while blocks are found, from one instruction at a time. */
struct edges {
    struct code *code;
    const struct leaf_kernel *kernel;
    enum flow flow;
    ARRAY(uint32_t) targets;
    uint32_t *block_at; /* first instruction of a block -> the block */
};

/* A bit for each instruction. */
static uint32_t
word_count(const struct code *code)
{
    return code->whole_count / 64 + 1;
}

static void
mark(uint64_t *bits, uint32_t at)
{
    bits[at / 64] |= (uint64_t)1 << at % 64;
}

static int
compare_jump(const void *key, const void *jump)
{
    uint64_t a = *(const uint64_t *)key, b = ((const struct leaf_jump *)jump)->at;
    return a < b ? -1 : a > b;
}

const struct leaf_jump *
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
    if (target < 0 || target >= edges->code->whole_count)
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
add_branch_targets(struct edges *edges, const struct instruction *instruction, uint32_t at)
{
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
        return edges->flow == FLOW_IN_FULL;
    return transfers_control(&edges->code->instructions[at]);
}

bool
find_branch_targets(struct code *code, const struct leaf_kernel *kernel)
{
    struct edges edges = {.code = code, .kernel = kernel};
    uint32_t least = UINT32_MAX;

    code->least_targets =
        arena_alloc(code->arena, (code->whole_landmark_count + 1) * sizeof *code->least_targets);
    code->least_targets[code->whole_landmark_count] = least;
    for (uint32_t l = code->whole_landmark_count; l-- > 0;) {
        struct instruction landmark = landmark_at(code, l);

        edges.targets.count = 0;
        if (!add_branch_targets(&edges, &landmark, code->landmarks[l]))
            return false;
        for (uint32_t k = 0; k < edges.targets.count; k++)
            least = edges.targets.at[k] < least ? edges.targets.at[k] : least;
        code->least_targets[l] = least;
    }
    return true;
}

uint32_t
closed_count(const struct code *code, uint32_t least)
{
    for (uint32_t l = 0; l < code->whole_landmark_count; l++) {
        uint32_t end = code->landmarks[l] + 1;
        if (end < least || end >= code->whole_count || code->least_targets[l + 1] < end)
            continue;
        struct instruction landmark = landmark_at(code, l);
        if (transfers_control(&landmark))
            return end;
    }
    return code->whole_count;
}

/* Marks the first instruction of each block. */
static void
mark_leaders(struct edges *edges, uint64_t *leaders)
{
    const struct code *code = edges->code;

    mark(leaders, 0);
    for (uint32_t l = 0; l < code->landmark_count; l++) {
        uint32_t at = code->landmarks[l];
        if (!ends_block(edges, at))
            continue;
        edges->targets.count = 0;
        add_branch_targets(edges, &code->instructions[at], at);
        if (touches_all(code, at)) /* a call is a block by itself */
            mark(leaders, at);
        if (at + 1 < code->whole_count)
            mark(leaders, at + 1);
        for (uint32_t k = 0; k < edges->targets.count; k++)
            mark(leaders, edges->targets.at[k]);
    }
}

static void
make_blocks(struct edges *edges, const uint64_t *leaders)
{
    struct code *code = edges->code;
    uint32_t words = word_count(code), count = 0;

    for (uint32_t w = 0; w < words; w++)
        count += (uint32_t)__builtin_popcountll(leaders[w]);
    code->blocks = arena_array(code->arena, count, sizeof *code->blocks);
    code->block_count = code->exit_count = 0;
    for (uint32_t w = 0; w < words; w++)
        for (uint64_t left = leaders[w]; left; left &= left - 1) {
            uint32_t first = w * 64 + (uint32_t)__builtin_ctzll(left);
            uint32_t block = code->block_count + code->exit_count;
            if (block)
                code->blocks[block - 1].last = first - 1;
            edges->block_at[first] = block;
            code->blocks[block].first = first;
            *(first < code->count ? &code->block_count : &code->exit_count) += 1;
        }
    code->blocks[code->block_count - 1].last = code->count - 1;
}

/* The predecessors, counted and then filled in: lists in one array. */
static void
link_predecessors(struct code *code, uint32_t edge_count)
{
    uint32_t next = 0;

    code->predecessors = arena_array(code->arena, edge_count, sizeof *code->predecessors);
    for (uint32_t i = 0; i < edge_count; i++)
        code->blocks[code->successors[i]].predecessor_count++;
    for (uint32_t b = 0; b < code->block_count + code->exit_count; b++) {
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
        if (falls_through(last) && block->last + 1 < code->whole_count)
            add_target(edges, block->last + 1);
        if (ends_block(edges, block->last))
            add_branch_targets(edges, last, block->last);
        block->successor_count = edges->targets.count - block->first_successor;
    }
    for (uint32_t i = 0; i < edges->targets.count; i++)
        edges->targets.at[i] = edges->block_at[edges->targets.at[i]];
    code->successors = edges->targets.at;
    link_predecessors(code, edges->targets.count);
}

/* Where BSYNC is, control goes on where a BSSY with the same register said. That is the next
   instruction in all that ptxas writes but the rarest; what is not so is not followed. */
bool
meets_at_next(const struct code *code)
{
    uint16_t *meeting = arena_array(code->arena, (size_t)code->whole_count + 1, sizeof *meeting);

    for (uint32_t l = 0; l < code->whole_landmark_count; l++) {
        struct instruction instruction = landmark_at(code, l);
        if (opcode_of(&instruction) != OP_BSSY)
            continue;
        int64_t place = meeting_place(&instruction, code->landmarks[l]);
        if (place < 0 || place >= code->whole_count)
            return false;
        meeting[place] |= (uint16_t)(1u << field(instruction.low, 16, 4));
    }
    for (uint32_t l = 0; l < code->whole_landmark_count; l++) {
        struct instruction instruction = landmark_at(code, l);
        if (opcode_of(&instruction) == OP_BSYNC &&
            !(meeting[code->landmarks[l] + 1] >> field(instruction.low, 16, 4) & 1))
            return false;
    }
    return true;
}

static bool
has_collectives(const struct code *code)
{
    for (uint32_t l = 0; l < code->landmark_count; l++)
        if (is_warpsync(opcode_of(&code->instructions[code->landmarks[l]])))
            return true;
    return false;
}

void
find_blocks(struct code *code, const struct leaf_kernel *kernel, enum flow flow)
{
    if (code->block_count && !has_collectives(code)) /* the same as before */
        return;
    struct edges edges = {.code = code, .kernel = kernel, .flow = flow};
    uint64_t *leaders = arena_array(code->arena, word_count(code), sizeof *leaders);

    mark_leaders(&edges, leaders);
    edges.block_at = arena_alloc(code->arena, code->whole_count * sizeof *edges.block_at);
    make_blocks(&edges, leaders);
    link_blocks(&edges);
}
