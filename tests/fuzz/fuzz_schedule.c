/*
 * The code of a leaf kernel. The first byte is a number of indirect branches; each is a place, a
 * number of targets and these, in instructions; the text follows.
 */
#include "fuzz_reader.h"

#include "fuzz_check.h"
#include "schedule/exits.h"
#include "schedule/instruction.h"
#include "schedule/leaf.h"
#include "schedule/verify.h"

enum { MOST_JUMPS = 8, MOST_TARGETS = 8 };

struct kernel_input {
    struct bytes rest;
    struct leaf_jump jumps[MOST_JUMPS];
    uint32_t targets[MOST_JUMPS][MOST_TARGETS];
    uint32_t jump_count;
};

static uint32_t
take(struct kernel_input *input, unsigned size)
{
    uint32_t value = 0;

    if (input->rest.size < size)
        return 0;
    memcpy(&value, input->rest.at, size);
    input->rest = (struct bytes){input->rest.at + size, input->rest.size - size};
    return value;
}

static void
take_jump(struct kernel_input *input)
{
    struct leaf_jump jump = {.at = take(input, 2) * INSTRUCTION_SIZE};
    uint32_t *targets = input->targets[input->jump_count];

    jump.target_count = take(input, 1) % MOST_TARGETS;
    jump.targets = targets;
    for (uint32_t i = 0; i < jump.target_count; i++)
        targets[i] = take(input, 2) * INSTRUCTION_SIZE;
    if (!input->jump_count || jump.at > input->jumps[input->jump_count - 1].at)
        input->jumps[input->jump_count++] = jump;
}

static void
check_places(const struct leaf_kernel *kernel, const struct leaf_result *result)
{
    uint64_t before = 0;

    for (uint32_t i = 1; i < result->removed_count; i++)
        require(result->removed[i - 1] < result->removed[i],
                "removed instructions are not in order");
    for (uint64_t at = 0; at <= kernel->text.size; at += INSTRUCTION_SIZE) {
        uint64_t place = leaf_moved(kernel, result, at);
        require(place >= before && place <= result->text.size, "a place moved out of order");
        before = place;
    }
}

static void
check_result(const struct leaf_kernel *kernel, const struct leaf_result *result,
             struct arena *arena)
{
    const char *reason;

    require((result->verdict == LEAF_COPIED) == (result->reason != NULL),
            "a copy without a reason");
    require(result->text.size <= kernel->text.size, "the code grew");
    if (result->verdict == LEAF_REWRITTEN && !result->removed_count)
        require(schedule_holds(kernel, result->text, arena, &reason), "rewritten without a proof");
    use_bytes(result->text);
}

/* What a link for debuggers makes of the text. */
static void
check_exits(struct bytes text, struct arena *arena)
{
    struct guarded_exits guarded;
    uint64_t before = 0;

    if (!guard_exits(&(struct leaf_kernel){.text = text}, EXIT_GUARDS, arena, &guarded) ||
        !guarded.exit_count)
        return;
    use_bytes(guarded.text);
    for (uint32_t i = 0; i < guarded.exit_count; i++) {
        uint64_t place = guarded_place(&guarded, (uint64_t)guarded.exits[i] * INSTRUCTION_SIZE);
        require(place >= before && place < guarded.text.size, "an exit moved out of order");
        require(guard_of_exit(&guarded, guarded.exits[i]) < 16, "an exit without a guard");
        before = place;
    }
    struct leaf_kernel kernel = {.text = guarded.text, .is_guarded = true};
    struct bytes renewed = renew_behind_guards(&kernel, arena);
    const char *reason;
    if (renewed.at != guarded.text.at)
        require(schedule_holds(&kernel, renewed, arena, &reason), "renewed without a proof");
}

void
read_bytes(struct arena *arena, struct bytes bytes)
{
    struct kernel_input input = {.rest = bytes};
    const char *reason;

    for (uint32_t left = take(&input, 1) % MOST_JUMPS; left > 0; left--)
        take_jump(&input);
    struct leaf_kernel kernel = {input.rest, 100, input.jumps, input.jump_count};
    struct leaf_result result = leaf_rewrite(&kernel, arena);
    check_result(&kernel, &result, arena);
    check_places(&kernel, &result);
    check_exits(input.rest, arena);

    /* One half of the text as what the other is to become. */
    size_t half = input.rest.size / (2 * INSTRUCTION_SIZE) * INSTRUCTION_SIZE;
    kernel.text.size = half;
    schedule_holds(&kernel, (struct bytes){input.rest.at + half, half}, arena, &reason);
}
