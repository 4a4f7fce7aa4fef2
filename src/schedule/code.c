#include "schedule/code.h"

#include "schedule/blocks.h"

#define NEVER_TRUE 15 /* guard !PT */

/* A text of more is not taken apart: no kernel is that large, and memory is bounded by it. */
#define MOST_INSTRUCTIONS (1u << 20)

/* Steps; no real kernel comes near. */
#define LEAST_EFFORT 1000000
#define EFFORT_PER_INSTRUCTION 200

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
touches_stack_pointer(const struct operands *operands)
{
    enum { STACK_POINTER = 1 };

    for (unsigned i = 0; i < operands->read_count; i++)
        if (operands->read[i].first <= STACK_POINTER &&
            operands->read[i].first + operands->read[i].count > STACK_POINTER)
            return true;
    for (unsigned i = 0; i < operands->written_count; i++)
        if (operands->written[i].first <= STACK_POINTER &&
            operands->written[i].first + operands->written[i].count > STACK_POINTER)
            return true;
    return false;
}

static bool
read_instructions(struct code *code, struct bytes text)
{
    code->count = (uint32_t)(text.size / INSTRUCTION_SIZE);
    code->instructions = arena_alloc(code->arena, (size_t)code->count * sizeof *code->instructions);
    code->operands = arena_alloc(code->arena, (size_t)code->count * sizeof *code->operands);
    for (uint32_t i = 0; i < code->count; i++) {
        code->instructions[i] = read_instruction(text.at + (size_t)i * INSTRUCTION_SIZE);
        if (!operands_of(&code->instructions[i], &code->operands[i]))
            return false;
        if (i && touches_stack_pointer(&code->operands[i]))
            code->uses_stack_pointer = true;
    }
    return true;
}

/* Walks that follow what is pending go from event to event: what waits, has a producer, or transfers
   control. */
static void
find_events(struct code *code)
{
    uint32_t next = code->count;

    code->next_event =
        arena_alloc(code->arena, ((size_t)code->count + 1) * sizeof *code->next_event);
    code->next_event[code->count] = next;
    for (uint32_t i = code->count; i-- > 0;) {
        if (wait_mask(&code->instructions[i]) || transfers_control(&code->instructions[i]) ||
            code->first_producer[i] != producers_end(code, i))
            next = i;
        code->next_event[i] = next;
    }
}

/* LDC R1: what every kernel begins with. */
static bool
loads_stack_pointer(const struct instruction *instruction)
{
    return field(instruction->low, 0, 24) == 0x017b82;
}

static void
renew_effort(struct code *code, const struct leaf_kernel *kernel)
{
    *code->effort = LEAST_EFFORT + kernel->text.size / INSTRUCTION_SIZE * EFFORT_PER_INSTRUCTION;
}

bool
code_open(struct code *code, const struct leaf_kernel *kernel, enum flow flow, struct arena *arena,
          const char **reason)
{
    *code = (struct code){
        .arena = arena,
        .effort = arena_alloc(arena, sizeof *code->effort),
        .stack_load = NO_PRODUCER,
    };
    renew_effort(code, kernel);
    if (!kernel->text.size || kernel->text.size % INSTRUCTION_SIZE ||
        kernel->text.size / INSTRUCTION_SIZE > MOST_INSTRUCTIONS) {
        *reason = "its size";
        return false;
    }
    if (!read_instructions(code, kernel->text)) {
        *reason = "an instruction that is not known";
        return false;
    }
    if (!find_blocks(code, kernel, flow)) {
        *reason = "a branch to an unknown place";
        return false;
    }
    if (!find_producers(code)) {
        *reason = "a scoreboard that does not exist";
        return false;
    }
    find_events(code);
    if (loads_stack_pointer(&code->instructions[0]) &&
        write_scoreboard(&code->instructions[0]) != NO_SCOREBOARD)
        code->stack_load = producers_end(code, 0) - 1;
    return true;
}

bool
code_follow_in_full(struct code *code, const struct leaf_kernel *kernel, const char **reason)
{
    renew_effort(code, kernel);
    if (follow_in_full(code, kernel))
        return true;
    *reason = "a branch to an unknown place";
    return false;
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
