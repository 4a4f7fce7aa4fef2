#include "mercury/leaf_kernels.h"

#include "cubin/nvinfo.h"
#include "mercury/capsule.h"

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

static struct leaf_kernel
open_kernel(struct elfw *elfw, const struct function *function, const struct piece *piece)
{
    jump_list jumps = {0};
    struct info_record record;
    size_t offset = 0;

    while (info_next(function->sass_records, &offset, &record))
        if (record.attribute == EIATTR_INDIRECT_BRANCH_TARGETS)
            read_jumps(record.payload, elfw->arena, &jumps);
    if (jumps.count)
        qsort(jumps.at, jumps.count, sizeof *jumps.at, compare_jumps);
    return (struct leaf_kernel){
        .text = {piece->bytes, piece->size},
        .sm = elfw->arch->sm,
        .jumps = jumps.at,
        .jump_count = jumps.count,
    };
}

/*
 * Entries stand for fewer instructions now, and the last one, the padding behind the code, for what
 * is left. False where the capsule has no count to change.
 */
static bool
shorten_capsule(struct piece *capsule, const struct leaf_result *result, uint8_t *copy)
{
    struct bytes bytes = {capsule->bytes, capsule->size};
    struct capsule_writer writer = capsule_copy(bytes, copy);
    struct capsule_reader reader = capsule_open(bytes);
    struct capsule_entry entry;
    uint32_t left = (uint32_t)(result->text.size / SASS_INSTRUCTION);
    bool more = capsule_next(&reader, &entry);

    while (more) {
        struct capsule_entry this = entry;
        uint32_t count = this.count - leaf_removed_among(result, this.first, this.count);

        more = capsule_next(&reader, &entry);
        if (!capsule_put(&writer, &this, more ? count : left))
            return false;
        left -= more ? count : left;
    }
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
shift_code(struct elfw *elfw, uint32_t function, const struct leaf_kernel *kernel,
           const struct leaf_result *result)
{
    const struct section *text = elfw_section(elfw, elfw_function(elfw, function)->text);
    struct section *twin = elfw_section(elfw, text->twin);
    struct piece *capsule = &elfw->pieces.at[twin->first_piece];
    struct code_shift *shift = arena_alloc(elfw->arena, sizeof *shift);

    *shift = (struct code_shift){*kernel, *result};
    elfw_function(elfw, function)->shift = shift;
    if (!shorten_capsule(capsule, result, arena_alloc(elfw->arena, capsule->size + 1)))
        return false;
    twin->size = capsule->size;
    return true;
}

static void
rewrite_kernel(struct elfw *elfw, uint32_t kernel, struct section *section)
{
    struct piece *piece = &elfw->pieces.at[section->first_piece];
    struct leaf_kernel leaf = open_kernel(elfw, elfw_function(elfw, kernel), piece);
    struct leaf_result result = leaf_rewrite(&leaf, elfw->arena);

    if (result.verdict == LEAF_NOT_LEAF)
        return;
    if (result.removed_count && !shift_code(elfw, kernel, &leaf, &result)) {
        elfw_function(elfw, kernel)->shift = NULL;
        result = (struct leaf_result){LEAF_COPIED, "a fence that is not one entry of its capsule",
                                      leaf.text, NULL, 0};
    }
    count_kernel(elfw, kernel, &result);
    piece->bytes = result.text.at;
    piece->size = section->size = result.text.size;
}

void
finish_kernel(struct elfw *elfw, uint32_t text)
{
    const bool *is_debugged = elfw->leaf_kernels.is_debugged;
    uint32_t kernel = elfw_text_owner(elfw, text);
    const struct function *function = elfw_function(elfw, kernel);

    if (!kernel || !elfw_function_is_defined_entry(elfw, kernel) || function->is_dead)
        return;
    if (is_debugged && !is_debugged[function->object])
        count_kernel(
            elfw, kernel,
            &(struct leaf_result){.verdict = LEAF_COPIED,
                                  .reason = "nvlink would add instructions for debuggers"});
    else if (!elfw_flag(elfw, MERGE_DEBUG))
        rewrite_kernel(elfw, kernel, elfw_section(elfw, text));
}

/* nvlink gives kernels of other inputs more instructions, if one is or the link is meant to be. */
void
find_debugged_inputs(struct elfw *elfw)
{
    uint32_t section = elfw_find_section(elfw, ".debug_info");

    if (!section && !elfw_flag(elfw, MERGE_DEBUG))
        return;
    bool *is_debugged = arena_array(elfw->arena, elfw->objects.count, sizeof *is_debugged);
    for (uint32_t p = section ? elfw_section(elfw, section)->first_piece : 0; p;
         p = elfw->pieces.at[p].next)
        is_debugged[elfw->pieces.at[p].object] = true;
    elfw->leaf_kernels.is_debugged = is_debugged;
}

void
move_words(const struct function *function, uint8_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t *word = words + i * sizeof(uint32_t);
        write_u32(word, (uint32_t)moved_place(function, read_u32(word)));
    }
}
