#include "cubin/reloc_entry.h"
#include "mercury/leaf_kernels.h"
#include "mercury/mercury.h"
#include "mercury/split.h"

#include <stdlib.h>

/*
 * Jump tables are constants of the compiler. In mercury every target is a relocation against the
 * function, with its place there as the addend; the SASS view has offsets in the text.
 */

/* Of an input: the table of relocations of each section. */
struct section_links {
    uint32_t *table;
};

static struct section_links *
find_links(struct elfw *elfw, const struct object *object)
{
    const struct elf_view *elf = &object->elf;

    if (!elfw->section_links)
        elfw->section_links =
            arena_array(elfw->arena, elfw->objects.count, sizeof *elfw->section_links);
    struct section_links *links = elfw->section_links[object->number];
    if (links)
        return links;
    links = arena_alloc(elfw->arena, sizeof *links);
    links->table = arena_array(elfw->arena, elf->section_count, sizeof *links->table);
    for (uint32_t i = 1; i < elf->section_count; i++) {
        const Elf64_Shdr *section = &elf->sections[i];
        if (section->sh_info < elf->section_count && section->sh_type == SHT_RELA)
            links->table[section->sh_info] = i;
    }
    elfw->section_links[object->number] = links;
    return links;
}

struct target {
    uint64_t mercury;
    uint32_t sass;
};

static int
compare_targets(const void *a, const void *b)
{
    const struct target *x = a, *y = b;
    return x->mercury < y->mercury ? -1 : x->mercury > y->mercury;
}

struct target_list {
    ARRAY(struct target) list;
};

/* The next list of targets among the records of a function. */
static bool
next_branches(struct bytes records, size_t *offset, struct bytes *list)
{
    struct info_record record;

    while (info_next(records, offset, &record))
        if (record.attribute == EIATTR_INDIRECT_BRANCH_TARGETS) {
            *list = record.payload;
            return true;
        }
    return false;
}

/* Of each branch: its place, a word, the number of targets, and they. */
static void
pair_targets(struct bytes mercury, struct bytes sass, struct arena *arena,
             struct target_list *targets)
{
    enum { COUNT_AT = 8, TARGETS_AT = 12, WORD = sizeof(uint32_t) };

    for (size_t at = 0; bytes_hold(mercury, at, TARGETS_AT);) {
        size_t count = read_u32(mercury.at + at + COUNT_AT);
        at += TARGETS_AT;
        for (; count && bytes_hold(mercury, at, WORD) && bytes_hold(sass, at, WORD); count--) {
            array_push(&targets->list, arena,
                       ((struct target){read_u32(mercury.at + at), read_u32(sass.at + at)}));
            at += WORD;
        }
        if (count)
            return;
    }
}

/* Where the winning definition's targets are in both views, by their places in mercury. Both have
   the same records. */
static void
list_targets(struct elfw *elfw, uint32_t ordinal, struct target_list *targets)
{
    const struct function *function = elfw_function(elfw, ordinal);
    struct bytes sass_records = elfw_sass_records(elfw, function), mercury, sass;
    size_t in_mercury = 0, in_sass = 0;

    while (next_branches(function->records, &in_mercury, &mercury) &&
           next_branches(sass_records, &in_sass, &sass))
        pair_targets(mercury, sass, elfw->arena, targets);
    if (targets->list.count)
        qsort(targets->list.at, targets->list.count, sizeof *targets->list.at, compare_targets);
}

/* Listed once, however many lose against the function. */
static const struct target_list *
winning_targets(struct elfw *elfw, uint32_t ordinal)
{
    if (!elfw->jump_targets)
        elfw->jump_targets =
            arena_array(elfw->arena, elfw->functions.count, sizeof *elfw->jump_targets);
    if (!elfw->jump_targets[ordinal]) {
        elfw->jump_targets[ordinal] = arena_zero(elfw->arena, sizeof **elfw->jump_targets);
        list_targets(elfw, ordinal, elfw->jump_targets[ordinal]);
    }
    return elfw->jump_targets[ordinal];
}

uint32_t
owner_of_constants(const struct elfw *elfw, const struct object *object, uint32_t constants)
{
    uint32_t capsule = object->elf.sections[constants].sh_info;

    return capsule < object->elf.section_count && object->sections[capsule]
               ? elfw_section(elfw, object->sections[capsule])->owner
               : 0;
}

/* A loser's targets are places in the winner's code: known where that has a target, too. */
struct bytes
losing_jump_table(struct elfw *elfw, const struct piece *piece)
{
    const struct object *object = elfw->objects.at[piece->object];
    uint32_t winner = owner_of_constants(elfw, object, piece->input);
    uint32_t table = find_links(elfw, object)->table[piece->input];
    struct bytes entries = table ? elf_contents(&object->elf, table) : (struct bytes){0};
    const struct target_list *targets = winning_targets(elfw, winner);
    uint8_t *copy = arena_alloc(elfw->arena, piece->size + 1);

    memcpy(copy, piece->bytes, piece->size);
    for (size_t at = 0; at + sizeof(Elf64_Rela) <= entries.size && targets->list.count;
         at += sizeof(Elf64_Rela)) {
        uint64_t offset = entry_offset(entries.at + at);
        struct target key = {.mercury = entry_addend(entries.at + at)};
        const struct target *found =
            bsearch(&key, targets->list.at, targets->list.count, sizeof key, compare_targets);
        if (found && bytes_hold((struct bytes){copy, piece->size}, offset, sizeof(uint32_t)))
            write_u32(copy + offset, found->sass);
    }
    return (struct bytes){copy, piece->size};
}

/* Moves the targets in the copy of an input's table, whose relocations these are. */
static void
move_targets(struct elfw *elfw, const struct object *object, struct bytes entries, uint8_t *copy,
             size_t size)
{
    for (size_t at = 0; at + sizeof(Elf64_Rela) <= entries.size; at += sizeof(Elf64_Rela)) {
        uint64_t offset = entry_offset(entries.at + at);
        uint32_t symbol = entry_symbol(entries.at + at);
        uint32_t ordinal = symbol_function(elfw_get_symbol(elfw, object->symbols[symbol]));

        if (ordinal && bytes_hold((struct bytes){copy, size}, offset, sizeof(uint32_t)))
            move_words(elfw_function(elfw, ordinal), copy + offset, 1);
    }
}

/* Mercury has a relocation for every target; the SASS view has offsets in the text there. Both views
   have the same pieces, in the same order, but for empty ones. */
static void
move_bank(struct elfw *elfw, const struct section *bank)
{
    uint32_t sass = bank->first_piece;

    for (uint32_t p = elfw_section(elfw, bank->twin)->first_piece; p && sass;
         p = elfw->pieces.at[p].next) {
        const struct piece *mercury = &elfw->pieces.at[p];
        struct piece *piece = &elfw->pieces.at[sass];
        const struct object *object = elfw->objects.at[mercury->object];

        if (!mercury->object || piece->object != mercury->object ||
            piece->input != object->elf.twins[mercury->input])
            continue;
        uint32_t table = find_links(elfw, object)->table[mercury->input];
        if (table) {
            uint8_t *copy = arena_alloc(elfw->arena, piece->size + 1);
            piece->bytes = memcpy(copy, piece->bytes, piece->size);
            move_targets(elfw, object, elf_contents(&object->elf, table), copy, piece->size);
        }
        sass = piece->next;
    }
}

static bool
moves_any_code(const struct elfw *elfw)
{
    for (uint32_t f = 1; f < elfw->functions.count; f++)
        if (elfw_function(elfw, f)->shift)
            return true;
    return false;
}

void
move_jump_tables(struct elfw *elfw)
{
    if (!moves_any_code(elfw))
        return;
    for (uint32_t i = 1; i < elfw->sections.count; i++) {
        const struct section *section = &elfw->sections.at[i];

        if (section->type == SHT_CUDA_CONSTANT2 && section->twin && !section->is_mercury)
            move_bank(elfw, section);
    }
}
