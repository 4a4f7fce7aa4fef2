#include "schedule/code.h"

#include "schedule/blocks.h"

#define NEVER_TRUE 15 /* guard !PT */

/* A text of more is not taken apart: no kernel is that large, and memory is bounded by it. */
#define MOST_INSTRUCTIONS (1u << 20)

/* Steps; no real kernel comes near. */
#define LEAST_EFFORT 1000000
#define EFFORT_PER_INSTRUCTION 200

static void
open_arrays(struct code *code, struct bytes text)
{
    size_t count = text.size / INSTRUCTION_SIZE;

    code->count = (uint32_t)count;
    code->instructions = arena_alloc(code->arena, count * sizeof *code->instructions);
    code->operands = arena_alloc(code->arena, count * sizeof *code->operands);
    code->has_operands = arena_array(code->arena, count, 1);
    code->landmarks = arena_alloc(code->arena, count * sizeof *code->landmarks);
    code->issued = arena_alloc(code->arena, count * sizeof *code->issued);
    code->producers = arena_alloc(code->arena, 2 * count * sizeof *code->producers);
    code->numbers = arena_alloc(code->arena, 2 * count);
    code->first_producer = arena_alloc(code->arena, (count + 1) * sizeof *code->first_producer);
    code->next_event = arena_alloc(code->arena, (count + 1) * sizeof *code->next_event);
}

static inline void
add_producer(struct code *code, uint32_t at, bool reads, unsigned number)
{
    code->numbers[code->producer_count] = (uint8_t)number;
    code->producers[code->producer_count++] = (struct producer){at, reads};
}

/* False if there is no such scoreboard. */
static bool
find_producers(struct code *code, uint32_t at)
{
    unsigned read = read_scoreboard(&code->instructions[at]);
    unsigned write = write_scoreboard(&code->instructions[at]);

    if (read == SCOREBOARDS || write == SCOREBOARDS)
        return false;
    if (read != NO_SCOREBOARD)
        add_producer(code, at, true, read);
    if (write != NO_SCOREBOARD)
        add_producer(code, at, false, write);
    return true;
}

/* Walks that follow what is pending go from event to event: what waits, has a producer, or transfers
   control. */
static bool
is_event(const struct instruction *instruction, const struct traits *traits)
{
    return (instruction->high & SCOREBOARD_BITS) != NO_SCOREBOARD_BITS ||
           (traits->flags & IS_LANDMARK && transfers_control(instruction));
}

static void
note_event(struct code *code, uint32_t after, uint32_t at)
{
    for (uint32_t i = after; i <= at; i++)
        code->next_event[i] = at;
}

/* All that can be known of each instruction by itself, in one go. */
static bool
read_instructions(struct code *code, struct bytes text, const char **reason)
{
    uint32_t cycles = 0, after_event = 0;

    for (uint32_t i = 0; i < code->count; i++) {
        struct instruction instruction = read_instruction(text.at + (size_t)i * INSTRUCTION_SIZE);
        const struct opcode_fields *fields = &opcode_table[opcode_of(&instruction)];
        code->instructions[i] = instruction;
        if (!is_described(fields, &instruction)) {
            *reason = "an instruction that is not known";
            return false;
        }
        if (fields->traits.flags & IS_LANDMARK)
            code->landmarks[code->landmark_count++] = i;
        if (i && names_low_register(fields, &instruction))
            code->uses_stack_pointer |= uses_stack_pointer(&instruction);
        code->issued[i] = cycles;
        cycles += stall_of(&instruction) ? stall_of(&instruction) : 1;
        code->first_producer[i] = code->producer_count;
        if (!is_event(&instruction, &fields->traits))
            continue;
        note_event(code, after_event, i);
        after_event = i + 1;
        if (!find_producers(code, i)) {
            *reason = "a scoreboard that does not exist";
            return false;
        }
    }
    note_event(code, after_event, code->count);
    code->first_producer[code->count] = code->producer_count;
    return true;
}

static void
renew_effort(struct code *code, const struct leaf_kernel *kernel)
{
    *code->effort = LEAST_EFFORT + kernel->text.size / INSTRUCTION_SIZE * EFFORT_PER_INSTRUCTION;
}

bool
code_open(struct code *code, const struct leaf_kernel *kernel, struct arena *arena,
          const char **reason)
{
    *code = (struct code){
        .arena = arena,
        .effort = arena_alloc(arena, sizeof *code->effort),
        .stack_load = NO_PRODUCER,
    };
    if (!kernel->text.size || kernel->text.size % INSTRUCTION_SIZE ||
        kernel->text.size / INSTRUCTION_SIZE > MOST_INSTRUCTIONS) {
        *reason = "its size";
        return false;
    }
    open_arrays(code, kernel->text);
    if (!read_instructions(code, kernel->text, reason))
        return false;
    if (loads_stack_pointer(&code->instructions[0]) &&
        write_scoreboard(&code->instructions[0]) != NO_SCOREBOARD)
        code->stack_load = producers_end(code, 0) - 1;
    return true;
}

bool
code_follow(struct code *code, const struct leaf_kernel *kernel, enum flow flow,
            const char **reason)
{
    renew_effort(code, kernel);
    if (find_blocks(code, kernel, flow))
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
    if (!(producer->read_sieve & writer->written_sieve))
        return false;
    for (unsigned i = 0; i < producer->read_count; i++) {
        struct register_range range = producer->read[i];
        bool is_late = is_read_late(producer, range);
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
    const struct operands *first = operands_at(code, at), *second = operands_at(code, instruction);

    if (code->producers[producer].reads)
        return overwrites_source(first, second);
    return writes_what_is_read(first, second) ||
           (writes_the_same(first, second) &&
            !are_alternatives(&code->instructions[at], &code->instructions[instruction]));
}
