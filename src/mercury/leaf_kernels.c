#include "mercury/leaf_kernels.h"

#include "cubin/nvinfo.h"
#include "mercury/capsule.h"
#include "mercury/inner_calls.h"
#include "mercury/leaf_jobs.h"
#include "schedule/retarget.h"
#include "schedule/survey.h"

#include <stdlib.h>

typedef ARRAY(struct leaf_jump) jump_list;

static int
compare_jumps(const void *a, const void *b)
{
    const struct leaf_jump *x = a, *y = b;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* One record lists all indirect branches: each its place, a word, a count and its targets. */
static void
read_jumps(struct bytes list, struct arena *arena, jump_list *jumps)
{
    enum { COUNT_AT = 8, TARGETS_AT = 12 };

    for (size_t at = 0; bytes_hold(list, at, TARGETS_AT);) {
        uint32_t count = read_u32(list.at + at + COUNT_AT);
        size_t size = (size_t)count * sizeof(uint32_t);

        if (!bytes_hold(list, at + TARGETS_AT, size))
            return;
        void *targets = arena_alloc(arena, size);
        memcpy(targets, list.at + at + TARGETS_AT, size);
        array_push(jumps, arena, ((struct leaf_jump){read_u32(list.at + at), targets, count}));
        at += TARGETS_AT + size;
    }
}

/* Was its code compiled by a release before 13.0? */
static bool
is_of_cuda_12(const struct elfw *elfw, const struct function *function)
{
    return function->object && elfw->objects.at[function->object]->elf.is_of_cuda_12;
}

static bool
is_of_whole_program(const struct elfw *elfw, const struct function *function)
{
    return function->object && elfw->objects.at[function->object]->is_whole_program;
}

/* What an earlier link guarded for debuggers is guarded by this one as it sees fit. */
static bool
may_have_guards(const struct elfw *elfw, const struct function *function)
{
    const bool *is_guarded = elfw->leaf_kernels.is_guarded;

    return function->object && elfw->objects.at[function->object]->elf.is_of_linker &&
           !(is_guarded && is_guarded[function->object]);
}

static struct leaf_kernel
open_kernel(struct elfw *elfw, const struct function *function, const struct piece *piece)
{
    jump_list jumps = {0};
    struct bytes records = elfw_sass_records(elfw, function);
    struct info_record record;
    size_t offset = 0;

    while (info_next(records, &offset, &record))
        if (record.attribute == EIATTR_INDIRECT_BRANCH_TARGETS)
            read_jumps(record.payload, elfw->arena, &jumps);
    if (jumps.count)
        qsort(jumps.at, jumps.count, sizeof *jumps.at, compare_jumps);
    return (struct leaf_kernel){
        .text = {piece->bytes, piece->size},
        .sm = elfw->arch->sm,
        .jumps = jumps.at,
        .jump_count = jumps.count,
        .is_of_cuda_12 = is_of_cuda_12(elfw, function),
        .may_have_guards = may_have_guards(elfw, function),
        .may_have_inner =
            function->object && object_may_have_inner(elfw->objects.at[function->object]),
    };
}

uint64_t
shifted_place(const struct code_shift *shift, uint64_t offset)
{
    bool is_end = offset >= shift->kernel.text.size;
    uint64_t moved = leaf_moved(&shift->kernel, &shift->result, offset);

    if (!shift->exits.exit_count)
        return moved;
    return is_end ? shift->exits.text.size : guarded_place(&shift->exits, moved);
}

uint64_t
moved_exit(const struct function *function, uint64_t offset)
{
    uint64_t added =
        function->shift && function->shift->exits.exit_count ? function->shift->exits.added : 0;
    return moved_place(function, offset) + added * SASS_INSTRUCTION;
}

static struct bytes
shifted_text(const struct code_shift *shift)
{
    return shift->exits.exit_count ? shift->exits.text : shift->result.text;
}

/* How many instructions there are from here on before the next that goes or gets others before it.
   `place` is the number in what is left of the text. */
static uint32_t
unchanged_from(const struct code_shift *shift, uint32_t instruction, uint32_t place)
{
    const struct leaf_result *result = &shift->result;
    const struct guarded_exits *exits = &shift->exits;
    uint32_t removed = count_below(result->removed, result->removed_count, instruction);
    uint32_t exit = count_below(exits->exits, exits->exit_count, place);
    uint32_t before_removed = UINT32_MAX, before_exit = UINT32_MAX;

    if (removed < result->removed_count)
        before_removed = result->removed[removed] - instruction;
    if (exit < exits->exit_count)
        before_exit = exits->exits[exit] - place;
    return before_removed < before_exit ? before_removed : before_exit;
}

static bool
put_exit(struct capsule_writer *writer, const struct guarded_exits *exits, uint32_t exit,
         uint32_t count)
{
    return capsule_put_exit(writer, guard_of_exit(exits, exit), predicate_of_exit(exits, exit),
                            count);
}

/* What an entry says where so many instructions of it stay. Padding that is none of its fence's entry keeps its
   count, and the fence has as many fewer: they are owed. */
static uint32_t
count_in_capsule(const struct capsule_entry *entry, uint32_t count, uint32_t *owed)
{
    if (capsule_is_count(entry) && count < entry->count) {
        *owed += entry->count - count;
        return entry->count;
    }
    if (*owed < count) {
        count -= *owed;
        *owed = 0;
    }
    return count;
}

/*
 * Entries stand for other numbers of instructions now, and the last one, the padding behind the
 * code, for what is left. False where the capsule has no count to change.
 */
static bool
shift_capsule(struct piece *capsule, const struct code_shift *shift, uint8_t *copy)
{
    struct bytes bytes = {capsule->bytes, capsule->size};
    struct capsule_writer writer = capsule_copy(bytes, copy);
    struct capsule_reader reader = capsule_open(bytes);
    struct capsule_entry entry;
    uint32_t left = (uint32_t)(shifted_text(shift).size / SASS_INSTRUCTION), place = 0, owed = 0;

    for (;;) {
        struct capsule_reader before = reader;
        uint32_t passed = capsule_pass(&reader, unchanged_from(shift, reader.instruction, place));
        capsule_put_passed(&writer, &before, &reader);
        place += passed;
        if (passed > left || !capsule_next(&reader, &entry))
            break;
        left -= passed;

        uint32_t stays = entry.count - leaf_removed_among(&shift->result, entry.first, entry.count);
        uint32_t exits = guarded_among(&shift->exits, place, stays);
        uint32_t count = stays + exits * shift->exits.added;
        count = capsule_is_done(&reader) ? left : count_in_capsule(&entry, count, &owed);
        bool is_put = exits && !entry.record ? put_exit(&writer, &shift->exits, place, count)
                                             : capsule_put(&writer, &entry, count);
        if (!is_put || count > left)
            return false;
        left -= count;
        place += stays;
    }
    if (!capsule_is_done(&reader) || owed)
        return false;
    capsule->bytes = copy;
    capsule->size = writer.size;
    return true;
}

static void
count_kernel(struct elfw *elfw, uint32_t function, const struct leaf_result *result)
{
    struct leaf_counts *counts = &elfw->leaf_kernels;

    counts->all++;
    counts->rewritten += result->verdict == LEAF_REWRITTEN;
    if (result->verdict == LEAF_COPIED)
        array_push(&counts->copied, elfw->arena,
                   ((struct copied_kernel){function, result->reason}));
}

/* Makes all that names a place in the kernel move; false if it cannot. */
static bool
shift_code(struct elfw *elfw, uint32_t function, const struct code_shift *how)
{
    const struct section *text = elfw_section(elfw, elfw_function(elfw, function)->text);
    struct section *twin = elfw_section(elfw, text->twin);
    struct piece *capsule = &elfw->pieces.at[twin->first_piece];
    struct code_shift *shift = arena_alloc(elfw->arena, sizeof *shift);
    size_t room = capsule->size + (size_t)how->exits.exit_count * CAPSULE_EXIT + 1;

    *shift = *how;
    if (!shift_capsule(capsule, shift, arena_alloc(elfw->arena, room)))
        return false;
    elfw_function(elfw, function)->shift = shift;
    twin->size = capsule->size;
    return true;
}

static struct leaf_result
copied(const struct leaf_kernel *kernel, const char *reason)
{
    return (struct leaf_result){.verdict = LEAF_COPIED, .reason = reason, .text = kernel->text};
}

/* nvlink guards the exits of code that was compiled without, in a link with other code. */
static bool
needs_guards(const struct elfw *elfw, uint32_t kernel)
{
    const bool *is_guarded = elfw->leaf_kernels.is_guarded;
    return is_guarded && !is_guarded[elfw_function(elfw, kernel)->object];
}

/* Where a place of a text is in the changed one. */
typedef uint64_t place_mover(const void *how, uint64_t offset);

static const struct leaf_jump *
moved_jumps(const struct leaf_kernel *kernel, place_mover *move, const void *how,
            struct arena *arena)
{
    struct leaf_jump *jumps = arena_array(arena, (size_t)kernel->jump_count + 1, sizeof *jumps);

    for (uint32_t i = 0; i < kernel->jump_count; i++) {
        const struct leaf_jump *jump = &kernel->jumps[i];
        uint32_t *targets = arena_array(arena, (size_t)jump->target_count + 1, sizeof *targets);

        for (uint32_t t = 0; t < jump->target_count; t++)
            targets[t] = (uint32_t)move(how, jump->targets[t]);
        jumps[i] = (struct leaf_jump){(uint32_t)move(how, jump->at), targets, jump->target_count};
    }
    return jumps;
}

static uint64_t
place_in_rest(const void *how, uint64_t offset)
{
    const struct code_shift *shift = how;
    return leaf_moved(&shift->kernel, &shift->result, offset);
}

static uint64_t
place_behind_guards(const void *how, uint64_t offset)
{
    return guarded_place(how, offset);
}

/* The kernel with the text that is left of it. */
static struct leaf_kernel
rest_of_kernel(const struct code_shift *shift, struct arena *arena)
{
    struct leaf_kernel rest = shift->kernel;

    if (shift->result.removed_count && rest.jump_count)
        rest.jumps = moved_jumps(&rest, place_in_rest, shift, arena);
    rest.text = shift->result.text;
    return rest;
}

/* Exits that come later let what follows them use other scoreboards. */
static void
renew_scoreboards(struct elfw *elfw, struct leaf_kernel rest, struct guarded_exits *exits)
{
    struct arena_mark mark = arena_mark(&elfw->scratch);

    rest.jumps = moved_jumps(&rest, place_behind_guards, exits, &elfw->scratch);
    rest.text = exits->text;
    rest.is_guarded = rest.may_call = true;
    struct bytes renewed = renew_behind_guards(&rest, &elfw->scratch);
    if (renewed.at != rest.text.at)
        exits->text.at = memcpy(arena_alloc(elfw->arena, renewed.size), renewed.at, renewed.size);
    arena_release(&elfw->scratch, mark);
}

/* Guards the exits of what is left of a kernel; false if that cannot be done. */
static bool
guard_rest(struct elfw *elfw, struct code_shift *shift)
{
    struct leaf_kernel rest = rest_of_kernel(shift, elfw->arena);
    bool needs_fence = !elfw_is_final(elfw) || shift->result.verdict == LEAF_NOT_LEAF ||
                       survey_text(rest.text) & HAS_SURFACE_WRITES;

    if (!guard_exits(&rest, needs_fence ? EXIT_GUARDS : LEAF_EXIT_GUARDS, elfw->arena,
                     &shift->exits))
        return false;
    if (shift->exits.exit_count)
        renew_scoreboards(elfw, rest, &shift->exits);
    return true;
}

/* What became of a kernel becomes part of the link. */
static void
take_result(struct elfw *elfw, const struct leaf_job *job, struct place_tables *tables)
{
    struct section *section = elfw_section(elfw, elfw_function(elfw, job->kernel)->text);
    struct piece *piece = &elfw->pieces.at[section->first_piece];
    struct code_shift shift = {.kernel = job->leaf, .result = job->result};
    const struct function *function = elfw_function(elfw, job->kernel);

    if (needs_guards(elfw, job->kernel) && job->leaf.may_have_inner && !job->result.removed_count)
        find_addresses(elfw, function, &tables[function->object], &shift.kernel);
    if (needs_guards(elfw, job->kernel) && !guard_rest(elfw, &shift)) {
        shift.result = copied(&shift.kernel, "its exits cannot be guarded for debuggers");
        shift.exits = (struct guarded_exits){0};
    }
    if ((shift.result.removed_count || shift.exits.exit_count) &&
        !shift_code(elfw, job->kernel, &shift)) {
        shift.result = copied(&shift.kernel, "instructions that are not one entry of its capsule");
        shift.exits = (struct guarded_exits){0};
    }
    if (shift.result.verdict != LEAF_NOT_LEAF)
        count_kernel(elfw, job->kernel, &shift.result);
    piece->bytes = shifted_text(&shift).at;
    piece->size = section->size = shifted_text(&shift).size;
}

typedef ARRAY(struct leaf_job) job_list;

static void
add_job(struct elfw *elfw, uint32_t text, job_list *jobs)
{
    uint32_t ordinal = elfw_text_owner(elfw, text);
    const struct function *function = elfw_function(elfw, ordinal);
    bool is_entry = elfw_function_is_defined_entry(elfw, ordinal);
    bool may_be_leaf = elfw_is_final(elfw) && is_entry;
    bool is_part = !elfw_is_final(elfw) && is_entry && is_of_whole_program(elfw, function);

    if (!ordinal || function->is_dead ||
        !(may_be_leaf || is_part || needs_guards(elfw, ordinal) || is_of_cuda_12(elfw, function) ||
          may_have_guards(elfw, function)))
        return;
    const struct piece *piece = &elfw->pieces.at[elfw_section(elfw, text)->first_piece];
    array_push(jobs, elfw->arena,
               ((struct leaf_job){.kernel = ordinal,
                                  .may_be_leaf = may_be_leaf,
                                  .is_part = is_part,
                                  .leaf = open_kernel(elfw, function, piece)}));
}

void
finish_code(struct elfw *elfw, unsigned threads, struct crew *crew)
{
    job_list jobs = {0};
    struct place_tables *tables =
        arena_array(elfw->arena, elfw->objects.count, sizeof *tables); /* per input */

    for (uint32_t i = 0; i < elfw->sass_texts.count; i++)
        add_job(elfw, elfw->sass_texts.at[i], &jobs);
    run_leaf_jobs(jobs.at, jobs.count, threads, crew, &elfw->scratch);
    for (uint32_t i = 0; i < jobs.count; i++)
        take_result(elfw, &jobs.at[i], tables);
}

void
find_guarded_inputs(struct elfw *elfw)
{
    bool *is_guarded = arena_array(elfw->arena, elfw->objects.count, sizeof *is_guarded);
    bool is_any = elfw_flag(elfw, MERGE_DEBUG);

    for (uint32_t i = 1; i < elfw->objects.count; i++) {
        is_guarded[i] = elfw->objects.at[i]->guards_exits;
        is_any |= is_guarded[i];
    }
    elfw->leaf_kernels.is_guarded = is_any ? is_guarded : NULL;
}

void
move_words(const struct function *function, uint8_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t *word = words + i * sizeof(uint32_t);
        write_u32(word, (uint32_t)moved_place(function, read_u32(word)));
    }
}
