#include "schedule/code.h"

#include "schedule/blocks.h"

#define NEVER_TRUE 15 /* guard !PT */

/* A text of more is not taken apart: no kernel is that large, and memory is bounded by it. */
#define MOST_INSTRUCTIONS (1u << 20)

/* Steps; no real kernel comes near. */
#define LEAST_EFFORT 1000000
#define EFFORT_PER_INSTRUCTION 200

static bool
has_scoreboards(const struct instruction *instruction)
{
    return (instruction->high & SCOREBOARD_BITS) != NO_SCOREBOARD_BITS;
}

static uint8_t
marks_of(const struct instruction *instruction)
{
    unsigned opcode = opcode_of(instruction);

    return (uint8_t)((unsigned)(opcode == OP_DEPBAR) * IS_DEPBAR |
                     (unsigned)(opcode == OP_WARPSYNC) * KEEPS_PENDING);
}

/* Events and producers of those. Each producer is written, and stays if it is one. */
static void
read_events(struct code *code, uint32_t first, uint32_t end)
{
    const struct code_event *gaining = code->gains_load ? code->events : NULL;
    uint32_t producer = code->events[first].first_producer;

    for (struct code_event *event = code->events + first, *stop = code->events + end; event < stop;
         event++) {
        struct instruction one = code->instructions[event->at];
        unsigned read = read_scoreboard(&one), write = write_scoreboard(&one);

        event->first_producer = producer;
        event->waits = (uint8_t)wait_mask(&one);
        event->read = (uint8_t)read;
        event->write = (uint8_t)write;
        event->marks = marks_of(&one);
        code->producers[producer] = (struct producer){event->at, true};
        code->numbers[producer] = (uint8_t)read;
        producer += read != NO_SCOREBOARD;
        code->producers[producer] = (struct producer){event->at, false};
        code->numbers[producer] = (uint8_t)write;
        producer += (write != NO_SCOREBOARD) | (event == gaining);
    }
    code->events[end].first_producer = producer;
}

/* All that can be known of each instruction that is looked at by itself. */
static void
read_instructions(struct code *code, uint32_t count)
{
    if (count <= code->read_count)
        return;
    read_events(code, code->event_of[code->read_count], code->event_of[count]);
    code->read_count = count;
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

/* Lists events, and what is to be noted; how many of these there are. Without branches, which nobody could
   predict. */
static uint32_t
list_instructions(struct code *code, uint32_t *noted)
{
    const struct instruction *instructions = code->instructions;
    struct code_event *events = code->events;
    uint32_t *event_of = code->event_of, *issued = code->issued;
    uint32_t event = code->gains_load, noted_count = 0, cycles = 0, count = code->whole_count;

    events[0].at = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct instruction one = instructions[i];
        const struct opcode_fields *fields = &opcode_table[opcode_of(&one)];

        event_of[i] = event;
        events[event].at = i;
        event += (unsigned)has_scoreboards(&one) | (fields->known & IS_EVENT) / IS_EVENT;
        issued[i] = cycles;
        cycles += stall_of(&one);
        noted[noted_count] = i;
        noted_count += !(fields->known & IS_PLAIN);
        if (may_name_stack_pointer(fields, &one))
            note_stack_pointer(code, i);
    }
    event_of[0] = 0;
    event_of[count] = event;
    events[event].at = count;
    events[0].first_producer = 0;
    return noted_count;
}

/* Is everything known of all instructions? NULL, or what is not. Landmarks, which are among what is to be
   noted, take the place of that list. */
static const char *
survey_instructions(struct code *code)
{
    const uint32_t *noted = code->landmarks;
    uint32_t noted_count = list_instructions(code, code->landmarks);

    for (uint32_t i = 0; i < noted_count; i++) {
        const char *reason = note_instruction(code, noted[i]);
        if (reason)
            return reason;
    }
    return NULL;
}

/* By instruction. */
static void
open_arrays(struct code *code)
{
    size_t count = code->whole_count;

    code->landmarks = arena_alloc(code->arena, (count + 1) * sizeof *code->landmarks);
    code->events = arena_alloc(code->arena, (count + 1) * sizeof *code->events);
    code->event_of = arena_alloc(code->arena, (count + 1) * sizeof *code->event_of);
    code->issued = arena_alloc(code->arena, count * sizeof *code->issued);
    code->operands =
        arena_array(code->arena, count / OPERANDS_TOGETHER + 1, sizeof *code->operands);
}

/* Room for one more that is written and does not stay. */
static void
open_producers(struct code *code, uint32_t producers)
{
    size_t most = (size_t)producers + 2;

    code->producers = arena_alloc(code->arena, most * sizeof *code->producers);
    code->numbers = arena_alloc(code->arena, most);
}

/* Of all events: how many producers are there, and what waits too early? NULL, or what is wrong. */
static const char *
survey_events(struct code *code)
{
    unsigned early = 0; /* scoreboards that the last event has just begun to count up */
    unsigned all = 0;   /* that anything counts up */
    uint32_t next = 0;  /* the instruction behind it */
    uint32_t producers = code->gains_load; /* so far */

    for (const struct code_event *event = code->events; event->at < code->whole_count; event++) {
        struct instruction one = code->instructions[event->at];
        unsigned read = read_scoreboard(&one), write = write_scoreboard(&one);

        producers += (read != NO_SCOREBOARD) + (write != NO_SCOREBOARD);
        if ((event->at == next) & ((early & wait_mask(&one)) != 0))
            code->hasty_end = event->at;
        unsigned taken = 1u << read | 1u << write;
        all |= taken;
        early = taken & ALL_SCOREBOARDS & (0u - (stall_of(&one) < LEAST_STALL_BEFORE_WAIT));
        next = event->at + 1;
    }
    open_producers(code, producers);
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
    open_arrays(code);
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
    read_instructions(code, count);
    code->count = count;
    code->event_count = code->event_of[count];
    code->producer_count = first_producer(code, count);
    code->block_count = 0;
    code->landmark_count = 0;
    while (code->landmark_count < code->whole_landmark_count &&
           code->landmarks[code->landmark_count] < count)
        code->landmark_count++;
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
    const struct operands ***some = &code->operands[instruction / OPERANDS_TOGETHER];
    struct operands *operands = arena_alloc(code->arena, sizeof *operands);

    if (!*some)
        *some = arena_array(code->arena, OPERANDS_TOGETHER, sizeof **some);
    operands_of(&code->instructions[instruction], operands);
    (*some)[instruction % OPERANDS_TOGETHER] = operands;
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
    for (const struct code_event *event = code->events; event->at < code->whole_count; event++)
        if (has_slow_result(&code->instructions[event->at]))
            return true;
    return false;
}
