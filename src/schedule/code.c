#include "schedule/code.h"

#include "schedule/blocks.h"

#define NEVER_TRUE 15 /* guard !PT */

/* A text of more is not taken apart: no kernel is that large, and memory is bounded by it. */
#define MOST_INSTRUCTIONS (1u << 20)

/* Steps; no real kernel comes near. */
#define LEAST_EFFORT 1000000
#define EFFORT_PER_INSTRUCTION 200

static void
open_arrays(struct code *code)
{
    size_t count = code->count, producers = (size_t)code->most_producers + 1;

    code->operands = arena_array(code->arena, count, sizeof *code->operands);
    code->issued = arena_alloc(code->arena, count * sizeof *code->issued);
    code->producers = arena_alloc(code->arena, producers * sizeof *code->producers);
    code->numbers = arena_alloc(code->arena, producers);
    code->first_producer = arena_alloc(code->arena, (count + 1) * sizeof *code->first_producer);
    code->next_event = arena_alloc(code->arena, (count + 1) * sizeof *code->next_event);
}

static bool
has_scoreboards(const struct instruction *instruction)
{
    return (instruction->high & SCOREBOARD_BITS) != NO_SCOREBOARD_BITS;
}

/* By instruction; without branches, which nobody could predict. */
static void
index_instructions(struct code *code)
{
    const struct instruction *instructions = code->instructions;
    uint32_t *issued = code->issued, *first_producer = code->first_producer;
    uint32_t *next_event = code->next_event, *event = code->events;
    uint32_t count = code->count, cycles = 0, producers = code->gains_load;

    for (uint32_t i = 0; i < count; i++) {
        struct instruction one = instructions[i];

        issued[i] = cycles;
        cycles += stall_of(&one);
        first_producer[i] = producers;
        producers += read_scoreboard(&one) != NO_SCOREBOARD;
        producers += write_scoreboard(&one) != NO_SCOREBOARD;
        next_event[i] = *event;
        event += *event == i;
    }
    first_producer[0] = 0;
    first_producer[count] = code->producer_count = producers;
    next_event[count] = *event;
    code->event_count = (uint32_t)(event - code->events);
}

/* Each is written, and stays if it is one. */
static void
list_producers(struct code *code)
{
    struct producer *producer = code->producers;
    uint8_t *number = code->numbers;

    if (code->gains_load) {
        *producer++ = (struct producer){0, false};
        *number++ = NO_SCOREBOARD;
    }
    for (const uint32_t *event = code->events, *end = event + code->event_count; event < end;
         event++) {
        struct instruction one = code->instructions[*event];
        unsigned read = read_scoreboard(&one), write = write_scoreboard(&one);

        *producer = (struct producer){*event, true};
        *number = (uint8_t)read;
        producer += read != NO_SCOREBOARD;
        number += read != NO_SCOREBOARD;
        *producer = (struct producer){*event, false};
        *number = (uint8_t)write;
        producer += write != NO_SCOREBOARD;
        number += write != NO_SCOREBOARD;
    }
}

/* All that can be known of each instruction that is looked at by itself. */
static void
read_instructions(struct code *code)
{
    open_arrays(code);
    index_instructions(code);
    list_producers(code);
    if (!code->is_guarded && loads_stack_pointer(&code->instructions[0]) &&
        (code->gains_load || write_scoreboard(&code->instructions[0]) != NO_SCOREBOARD))
        code->stack_load = producers_end(code, 0) - 1;
}

/* An instruction whose opcode says that there is something to be noted of it; NULL, or a reason. */
static const char *
note_instruction(struct code *code, uint32_t at)
{
    struct instruction one = code->instructions[at];
    unsigned opcode = opcode_of(&one), flags = opcode_table[opcode].traits.flags;
    bool is_call = code->may_call && flags & TOUCHES_ALL;

    if (!is_call && !is_described(&opcode_table[opcode], &one))
        return "an instruction that is not known";
    if (flags & COUNTS_DOWN)
        code->waits_for_some |= depbar_mask(&one) && depbar_mask(&one) != ALL_SCOREBOARDS;
    if (flags & IS_LANDMARK)
        code->landmarks[code->whole_landmark_count++] = at;
    code->has_fetches |= (flags & FETCHES) != 0;
    code->counts_groups |= opcode == OP_LDGDEPBAR || opcode == OP_UTMACMDFLUSH;
    return NULL;
}

static void
note_stack_pointer(struct code *code, uint32_t at)
{
    code->uses_stack_pointer |= at && uses_stack_pointer(&code->instructions[at]);
}

/* Is everything known of all instructions? NULL, or what is not. Events are listed without branches, and so
   is what is to be noted; landmarks, which are among these, take the place of that list. */
static const char *
survey_instructions(struct code *code)
{
    const struct instruction *instructions = code->instructions;
    uint32_t *event = code->events, *noted = code->landmarks, noted_count = 0;

    *event = 0;
    event += code->gains_load;
    for (uint32_t i = 0, count = code->whole_count; i < count; i++) {
        struct instruction one = instructions[i];
        const struct opcode_fields *fields = &opcode_table[opcode_of(&one)];

        *event = i;
        event += (unsigned)has_scoreboards(&one) | (fields->known & IS_EVENT) / IS_EVENT;
        noted[noted_count] = i;
        noted_count += !(fields->known & IS_PLAIN);
        if (may_name_stack_pointer(fields, &one))
            note_stack_pointer(code, i);
    }
    *event = code->whole_count;
    for (uint32_t i = 0; i < noted_count; i++) {
        const char *reason = note_instruction(code, noted[i]);
        if (reason)
            return reason;
    }
    return NULL;
}

/* Of all events: how many producers are there, and what waits too early? NULL, or what is wrong. */
static const char *
survey_events(struct code *code)
{
    unsigned early = 0; /* scoreboards that the last event has just begun to count up */
    unsigned all = 0;   /* that anything counts up */
    uint32_t next = 0;  /* the instruction behind it */
    uint32_t producers = code->gains_load; /* so far */

    for (const uint32_t *event = code->events; *event < code->whole_count; event++) {
        struct instruction one = code->instructions[*event];
        unsigned read = read_scoreboard(&one), write = write_scoreboard(&one);

        producers += (read != NO_SCOREBOARD) + (write != NO_SCOREBOARD);
        if ((*event == next) & ((early & wait_mask(&one)) != 0))
            code->hasty_end = *event;
        unsigned taken = 1u << read | 1u << write;
        all |= taken;
        early = taken & ALL_SCOREBOARDS & (0u - (stall_of(&one) < LEAST_STALL_BEFORE_WAIT));
        next = *event + 1;
    }
    code->most_producers = producers;
    return all >> SCOREBOARDS & 1 ? "a scoreboard that does not exist" : NULL;
}

/* The text itself, or a copy if it does not lie where words may. */
static const struct instruction *
aligned_instructions(struct bytes text, struct arena *arena)
{
    if ((uintptr_t)text.at % _Alignof(struct instruction) == 0)
        return (const void *)text.at;
    return memcpy(arena_alloc(arena, text.size), text.at, text.size);
}

bool
code_open(struct code *code, const struct leaf_kernel *kernel, struct arena *arena,
          const char **reason)
{
    size_t count = kernel->text.size / INSTRUCTION_SIZE;

    *code = (struct code){
        .arena = arena,
        .effort = arena_alloc(arena, sizeof *code->effort),
        .text = kernel->text,
        .stack_load = NO_PRODUCER,
        .is_guarded = kernel->is_guarded,
        .may_call = kernel->may_call,
        .gains_load = kernel->gains_load,
    };
    if (!count || kernel->text.size % INSTRUCTION_SIZE || count > MOST_INSTRUCTIONS) {
        *reason = "its size";
        return false;
    }
    code->whole_count = (uint32_t)count;
    code->instructions = aligned_instructions(kernel->text, arena);
    code->landmarks = arena_alloc(arena, (count + 1) * sizeof *code->landmarks);
    code->events = arena_alloc(arena, (count + 1) * sizeof *code->events);
    *reason = survey_instructions(code);
    if (!*reason)
        *reason = survey_events(code);
    return !*reason;
}

/* What was looked at before serves again where it is not much more. */
static void
look_at(struct code *code, uint32_t count)
{
    if (count <= code->count && count >= code->count / 2)
        return;
    code->count = count;
    code->block_count = 0;
    code->landmark_count = 0;
    while (code->landmark_count < code->whole_landmark_count &&
           code->landmarks[code->landmark_count] < count)
        code->landmark_count++;
    read_instructions(code);
}

bool
code_follow(struct code *code, const struct leaf_kernel *kernel, enum flow flow, uint32_t least,
            const char **reason)
{
    *code->effort = LEAST_EFFORT + (int64_t)code->whole_count * EFFORT_PER_INSTRUCTION;
    if (code->least_targets || find_branch_targets(code, kernel)) {
        look_at(code, closed_count(code, least));
        if (flow == FLOW_AS_COMPILED || meets_at_next(code)) {
            find_blocks(code, kernel, flow);
            return true;
        }
    }
    *reason = "a branch to an unknown place";
    return false;
}

const struct operands *
find_operands(const struct code *code, uint32_t instruction)
{
    struct operands *operands = arena_alloc(code->arena, sizeof *operands);

    operands_of(&code->instructions[instruction], operands);
    code->operands[instruction] = operands;
    return operands;
}

/* One is executed exactly where the other is not. */
static bool
are_alternatives(const struct instruction *a, const struct instruction *b)
{
    return (guard_of(a) ^ guard_of(b)) == 8 && (guard_of(a) & 7) != (NEVER_TRUE & 7);
}

bool
overwrites_source(const struct operands *producer, const struct operands *writer)
{
    for (unsigned i = 0; i < producer->read_count; i++) {
        struct register_range range = producer->read[i];
        bool is_late = is_read_late(producer->traits.flags, range.first);
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
touches_result(const struct code *code, uint32_t producer, uint32_t instruction)
{
    const struct operands *first = operands_at(code, producer);
    const struct operands *second = operands_at(code, instruction);

    return writes_what_is_read(first, second) ||
           (writes_the_same(first, second) &&
            !are_alternatives(&code->instructions[producer], &code->instructions[instruction]));
}

/* Also of an instruction that is not looked at. */
static bool
has_slow_result(const struct instruction *instruction)
{
    unsigned class = opcode_table[opcode_of(instruction)].traits.class;
    struct operands operands;

    if ((class != LONG_LATENCY && class != TEXTURE) ||
        write_scoreboard(instruction) == NO_SCOREBOARD)
        return false;
    operands_of(instruction, &operands);
    return operands.written_count;
}

bool
has_slow_results(const struct code *code)
{
    for (const uint32_t *event = code->events; *event < code->whole_count; event++)
        if (has_slow_result(&code->instructions[*event]))
            return true;
    return false;
}
