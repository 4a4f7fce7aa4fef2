#include "schedule/leaf.h"

#include "schedule/allocate.h"
#include "schedule/fences.h"
#include "schedule/nops.h"
#include "schedule/retarget.h"
#include "schedule/stalls.h"
#include "schedule/verify.h"

/* Does the kernel begin with a load of R1 that has a scoreboard? Code compiled without optimisation,
   where every instruction waits for the one before it, keeps it. */
static bool
begins_with_load(struct bytes text)
{
    if (text.size < INSTRUCTION_SIZE)
        return false;
    struct instruction first = read_instruction(text.at);
    return loads_stack_pointer(&first) && write_scoreboard(&first) != NO_SCOREBOARD &&
           read_scoreboard(&first) == NO_SCOREBOARD && !wait_mask(&first);
}

/* Does it begin with one that nobody waits for? */
static bool
begins_with_idle_load(struct bytes text)
{
    if (text.size < INSTRUCTION_SIZE)
        return false;
    struct instruction first = read_instruction(text.at);
    return loads_stack_pointer(&first) && !wait_mask(&first) &&
           (first.high & SCOREBOARD_BITS) == NO_SCOREBOARD_BITS;
}

static void
write_high(uint8_t *text, uint32_t at, uint64_t high)
{
    write_u64(text + (size_t)at * INSTRUCTION_SIZE + sizeof high, high);
}

/* What the instruction behind that one waits for. */
static unsigned
next_waits(const struct code *code, const uint8_t *waits, uint32_t at)
{
    if (at + 1 < code->count)
        return waits[at + 1];
    return at + 1 < code->whole_count ? wait_mask(&code->instructions[at + 1]) : 0;
}

/* Without a branch, since nobody could predict it. */
static unsigned
number_if(bool has_one, unsigned number)
{
    return (number | (0u - !has_one)) & NO_SCOREBOARD;
}

/* One event with its new scoreboards and waits. If the next instruction waits for what is just being issued,
   the stall becomes long enough. */
static void
write_event(const struct code *code, const struct code_event *event, const uint8_t *numbers,
            const uint8_t *waits, uint8_t *text)
{
    struct instruction one = code->instructions[event->at];
    bool has_read = event->read != NO_SCOREBOARD, has_write = event->write != NO_SCOREBOARD;
    unsigned read = number_if(has_read, numbers[event->first_producer]);
    unsigned write = number_if(has_write, numbers[event->first_producer + has_read]);

    if (!event->at && code->gains_load)
        write = numbers[0];
    one.high = with_scoreboards(one.high, write, read, waits[event->at]);
    if (early_mask(&one) & next_waits(code, waits, event->at))
        one.high = with_stall(one.high, LEAST_STALL_BEFORE_WAIT);
    write_high(text, event->at, one.high);
}

/* Most events are as they were, but what the next one waits for concerns them. */
static void
write_events(const struct code *code, const struct new_scoreboards *renewed, const uint8_t *waits,
             uint8_t *text)
{
    const uint8_t *numbers = renewed->numbers;
    const struct code_event *event = code->events, *end = event + code->event_count;
    bool may_be_hasty = code->hasty_end || renewed->has_more_waits;
    uint32_t written_to = 0; /* all events before that instruction are */

    for (; event < end; event++) {
        uint32_t first = event->first_producer, count = event[1].first_producer - first;
        unsigned differs = waits[event->at] ^ event->waits;

        differs |= count > 0 ? numbers[first] ^ code->numbers[first] : 0;
        differs |= count > 1 ? numbers[first + 1] ^ code->numbers[first + 1] : 0;
        if (!differs && !may_be_hasty)
            continue;
        if (event > code->events && event[-1].at + 1 == event->at && event[-1].at >= written_to)
            write_event(code, event - 1, numbers, waits, text);
        write_event(code, event, numbers, waits, text);
        written_to = event->at + 1;
    }
}

static struct bytes
write_scoreboards(const struct code *code, const struct new_scoreboards *renewed,
                  const uint8_t *waits, struct arena *arena)
{
    struct bytes text = code->text;
    uint8_t *out = memcpy(arena_alloc(arena, text.size), text.at, text.size);

    write_events(code, renewed, waits, out);
    for (uint32_t i = 0; renewed->has_more_waits && i < code->count; i++)
        if (waits[i] && !is_code_event(code, i))
            write_high(out, i, code->instructions[i].high | (uint64_t)waits[i] << WAIT_MASK_AT);
    if (code->count > 1 && !code->is_guarded)
        shorten_first_stall(out, &code->instructions[0], &code->instructions[1]);
    return (struct bytes){out, text.size};
}

/* Of a small text that loads R1 nearly all changes. */
static uint32_t
first_extent(const struct code *code)
{
    enum { SMALL = 64 };

    return code->whole_count <= SMALL ? code->whole_count : code->hasty_end + 1;
}

/* New scoreboards and waits of what is looked at; false if it is too much work. Where they do not leave
   everything in step nobody will ask for the waits. */
static bool
renew_part(const struct code *code, bool keeps_late_waits, struct new_scoreboards *renewed,
           const uint8_t **waits)
{
    if (!allocate_scoreboards(code, renewed))
        return false;
    if (!renewed->leaves_in_step)
        return true;
    if (keeps_late_waits)
        memset(renewed->not_overdue, 0, code->count);
    *waits = allocate_waits(code, renewed);
    return *waits;
}

/* Is anybody left who might wait for the load of R1: another block, or what is called? */
static bool
is_load_waited_for(const struct code *code)
{
    const struct block *first = &code->blocks[0];

    for (uint32_t i = first->first; i <= first->last; i++)
        if (touches_all(code, i))
            return true;
    return first->successor_count;
}

/* The proof knows the text as it came, without what was added to it to be numbered. */
static bool
is_proven(struct code *code, const struct leaf_kernel *kernel, struct bytes rewritten,
          const char **reason)
{
    struct leaf_kernel as_it_came = *kernel;

    if (!kernel->gains_load)
        return schedule_of_code_holds(code, kernel, rewritten, reason);
    as_it_came.gains_load = false;
    return schedule_holds(&as_it_came, rewritten, code->arena, reason);
}

/*
 * New scoreboards; false, with a reason, where they were not found or not proven. Often no more than the
 * beginning changes, and the rest stays as it is. Where that does not suffice, all of the text is looked at:
 * steps between are mostly in vain.
 */
static bool
try_scoreboards(const struct leaf_kernel *kernel, struct arena *arena, struct arena *keep,
                bool keeps_late_waits, struct bytes *text, const char **reason)
{
    struct code code;
    struct new_scoreboards renewed = {0};
    const uint8_t *waits = NULL;

    if (!code_open(&code, kernel, arena, reason))
        return false;
    if (code.uses_stack_pointer)
        return true;
    for (uint32_t least = first_extent(&code); !renewed.leaves_in_step; least = code.whole_count) {
        if (!code_follow(&code, kernel, FLOW_AS_COMPILED, least, reason))
            return false;
        if (code.gains_load && !is_load_waited_for(&code))
            return true;
        if (!renew_part(&code, keeps_late_waits, &renewed, &waits)) {
            *reason = "too many operations under way at once";
            return false;
        }
    }
    struct bytes rewritten = write_scoreboards(&code, &renewed, waits, keep);
    if (!is_proven(&code, kernel, rewritten, reason))
        return false;
    *text = rewritten;
    return true;
}

/* What is not proven may be if ends of blocks wait for all that they waited for. */
static bool
renew_scoreboards(const struct leaf_kernel *kernel, struct arena *arena, struct arena *keep,
                  struct bytes *text, const char **reason)
{
    if (try_scoreboards(kernel, arena, keep, false, text, reason))
        return true;
    *reason = NULL;
    return try_scoreboards(kernel, arena, keep, true, text, reason);
}

struct bytes
renew_behind_guards(const struct leaf_kernel *kernel, struct arena *arena)
{
    struct code code;
    struct new_scoreboards renewed = {0};
    const uint8_t *waits = NULL;
    const char *reason;

    if (!code_open(&code, kernel, arena, &reason) ||
        !code_follow(&code, kernel, FLOW_AS_COMPILED, code.whole_count, &reason) ||
        !renew_part(&code, false, &renewed, &waits) || !waits)
        return kernel->text;
    struct bytes rewritten = write_scoreboards(&code, &renewed, waits, arena);
    return schedule_of_code_holds(&code, kernel, rewritten, &reason) ? rewritten : kernel->text;
}

static unsigned
old_contents(const struct leaf_kernel *kernel)
{
    return (kernel->is_of_cuda_12 ? MAY_HAVE_NOPS : 0) |
           (kernel->may_have_guards ? MAY_HAVE_GUARDS : 0);
}

static void
take_shortened(struct leaf_result *result, const struct leaf_kernel *kernel,
               const struct shortened *shortened, struct arena *arena)
{
    struct bytes text =
        kernel->is_of_cuda_12 ? order_nops(shortened->text, arena) : shortened->text;

    result->is_kept = kernel->keep && text.at == shortened->text.at &&
                      (result->is_kept || shortened->removed_count);
    result->text = text;
    result->removed = shortened->removed;
    result->removed_count = shortened->removed_count;
}

struct leaf_result
code_rewrite(const struct leaf_kernel *code, struct arena *arena)
{
    struct leaf_result result = {.verdict = LEAF_NOT_LEAF, .text = code->text};
    struct shortened shortened;

    if (!shorten_fences(code, code->text, old_contents(code), arena, &shortened))
        return (struct leaf_result){
            .verdict = LEAF_COPIED, .reason = "padding in an unknown form", .text = code->text};
    take_shortened(&result, code, &shortened, arena);
    return result;
}

/* Does it call anything that is not inside of it? */
static bool
calls_others(struct bytes text)
{
    for (size_t at = 0; at + INSTRUCTION_SIZE <= text.size; at += INSTRUCTION_SIZE) {
        struct instruction one = read_instruction(text.at + at);
        unsigned opcode = opcode_of(&one);

        if (opcode_table[opcode].traits.flags & TOUCHES_ALL && opcode != OP_CALL_RELATIVE &&
            opcode != OP_RETURN)
            return true;
    }
    return false;
}

/* A kernel with calls. What it calls may be inside of it alone: then its load of R1 is one of a leaf. */
static struct leaf_result
caller_rewrite(const struct leaf_kernel *kernel, struct arena *arena)
{
    struct leaf_result result = code_rewrite(kernel, arena);
    struct leaf_kernel caller = *kernel;

    caller.may_call = true;
    if (kernel->may_have_inner && result.text.at == kernel->text.at &&
        begins_with_load(kernel->text) && !calls_others(kernel->text) &&
        !renew_scoreboards(&caller, arena, arena, &result.text, &result.reason))
        result.verdict = LEAF_COPIED;
    return result;
}

struct leaf_result
part_rewrite(const struct leaf_kernel *kernel, struct arena *arena)
{
    struct leaf_kernel part = *kernel;
    struct leaf_result result = {.verdict = LEAF_NOT_LEAF, .text = kernel->text};

    part.gains_load = part.may_call = true;
    if (begins_with_idle_load(kernel->text) &&
        !renew_scoreboards(&part, arena, arena, &result.text, &result.reason))
        result.verdict = LEAF_COPIED;
    return result;
}

struct leaf_result
leaf_rewrite(const struct leaf_kernel *kernel, struct arena *arena)
{
    struct leaf_result result = {.verdict = LEAF_UNCHANGED, .text = kernel->text};
    unsigned contents = survey_text(kernel->text) | old_contents(kernel);
    struct shortened shortened;

    if (contents & HAS_CALL)
        return caller_rewrite(kernel, arena);
    /* What may be shortened is written once more. */
    bool is_final = kernel->keep && !may_be_shortened(contents);
    if (begins_with_load(kernel->text) &&
        !renew_scoreboards(kernel, arena, is_final ? kernel->keep : arena, &result.text,
                           &result.reason))
        result.verdict = LEAF_COPIED;
    result.is_kept = is_final && result.text.at != kernel->text.at;
    if (!shorten_fences(kernel, result.text, contents, arena, &shortened)) {
        return (struct leaf_result){
            .verdict = LEAF_COPIED, .reason = "a fence in an unknown form", .text = kernel->text};
    }
    take_shortened(&result, kernel, &shortened, arena);
    bool is_same = result.text.size == kernel->text.size &&
                   !memcmp(result.text.at, kernel->text.at, kernel->text.size);
    if (result.verdict == LEAF_UNCHANGED && !is_same)
        result.verdict = LEAF_REWRITTEN;
    return result;
}

/* How many of the removed instructions come before this one. */
static uint32_t
removed_before(const struct leaf_result *result, uint64_t instruction)
{
    return count_below(result->removed, result->removed_count, instruction);
}

/* A NOP that went stands for the instruction that it followed. */
static bool
belongs_to_the_one_before(struct bytes text, uint64_t number)
{
    struct instruction instruction = read_instruction(text.at + number * INSTRUCTION_SIZE);
    return number && opcode_of(&instruction) == OP_NOP;
}

uint64_t
leaf_moved(const struct leaf_kernel *kernel, const struct leaf_result *result, uint64_t offset)
{
    uint64_t instruction = offset / INSTRUCTION_SIZE;
    uint32_t before = removed_before(result, instruction);
    bool is_removed = before < result->removed_count && result->removed[before] == instruction;
    uint64_t moved = offset - (uint64_t)before * INSTRUCTION_SIZE;

    if (offset >= kernel->text.size)
        return result->text.size;
    if (is_removed)
        moved -= moved % INSTRUCTION_SIZE;
    if (is_removed && belongs_to_the_one_before(kernel->text, instruction))
        moved -= INSTRUCTION_SIZE;
    return moved < result->text.size ? moved : result->text.size;
}

uint32_t
leaf_removed_among(const struct leaf_result *result, uint32_t first, uint32_t count)
{
    return removed_before(result, (uint64_t)first + count) - removed_before(result, first);
}
