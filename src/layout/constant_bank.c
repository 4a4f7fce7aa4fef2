#include "layout/layout.h"

#include "cubin/reloc_entry.h"
#include "layout/list_sort.h"

#include <stdlib.h>

/*
 * The user's constant bank is the inputs' parts, one behind the other, padding and constants that
 * lost against others included. Where that is too much the constants that count are laid out anew,
 * without those that no code uses if it is said which kernels are.
 */

enum { LARGEST_ALIGN = 8 };

struct constant {
    int32_t symbol;
    uint64_t from, size;
    uint64_t align; /* as it comes, a size below the largest alignment, be it 3 */
    uint64_t place;
};

struct packing {
    struct elfw *elfw;
    uint32_t bank;
    uint32_t gone;             /* a section that is not written, for constants that go */
    bool *pos_used, *neg_used; /* NULL: all are */
    ARRAY(struct constant) constants;
    uint32_t *pieces; /* of the bank, by their places */
    uint32_t piece_count;
};

static bool
is_used(const struct packing *p, int32_t symbol)
{
    return !p->pos_used || (symbol < 0 ? p->neg_used[-symbol] : p->pos_used[symbol]);
}

static void
mark_uses(struct packing *p, const struct reloc_piece *piece)
{
    const struct object *object = p->elfw->objects.at[piece->object];
    size_t entry_size = piece->is_rela ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);

    for (size_t at = 0; at + entry_size <= piece->entries.size; at += entry_size) {
        uint32_t symbol = entry_symbol(piece->entries.at + at);
        int32_t index = symbol < object->elf.symbol_count ? object->symbols[symbol] : 0;
        *(index < 0 ? &p->neg_used[-index] : &p->pos_used[index]) = true;
    }
}

/* What code and data that stay refer to. */
static void
find_used(struct packing *p)
{
    struct elfw *elfw = p->elfw;

    p->gone = elfw_add_section(
        elfw, &(struct new_section){.name = "", .type = SHT_NULL, .is_unlisted = true});
    elfw_section(elfw, p->gone)->state = SECTION_DEAD;
    p->pos_used = arena_array(elfw->arena, elfw->pos_symbols.count, sizeof(bool));
    p->neg_used = arena_array(elfw->arena, elfw->neg_symbols.count, sizeof(bool));
    for (uint32_t i = 0; i < elfw->tables.count; i++) {
        const struct section *table = elfw_section(elfw, elfw->tables.at[i]);
        const struct section *target = elfw_section(elfw, table->target);

        if (!is_relocation_table(table->type) || table->state != SECTION_LIVE ||
            target->state != SECTION_LIVE || !(target->flags & SHF_ALLOC))
            continue;
        for (uint32_t n = table->first_piece; n; n = elfw->reloc_pieces.at[n].next)
            mark_uses(p, &elfw->reloc_pieces.at[n]);
    }
}

static void
collect_constants(struct packing *p, const struct symbol_record *symbols, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++) {
        const struct symbol_record *symbol = &symbols[i];

        if (symbol_type(symbol) == STT_SECTION || elfw_symbol_section(p->elfw, symbol) != p->bank)
            continue;
        if (!is_used(p, symbol->sym_index)) {
            elfw_set_symbol_section(p->elfw, symbol->sym_index, p->gone);
            continue;
        }
        uint64_t align = symbol->st_size < LARGEST_ALIGN ? symbol->st_size : LARGEST_ALIGN;
        array_push(&p->constants, p->elfw->arena,
                   ((struct constant){.symbol = symbol->sym_index,
                                      .from = symbol->st_value,
                                      .size = symbol->st_size,
                                      .align = align ? align : 1}));
    }
}

/* Globals go before others, and among them those of larger alignment; then by size. */
static int
compare_constants(const void *context, uint32_t a, uint32_t b)
{
    const struct packing *p = context;
    const struct constant *x = &p->constants.at[a], *y = &p->constants.at[b];
    uint64_t x_rank = x->symbol < 0 ? x->align : 0, y_rank = y->symbol < 0 ? y->align : 0;

    if (x_rank != y_rank)
        return x_rank > y_rank ? -1 : 1;
    return x->size < y->size ? -1 : x->size > y->size;
}

static void
collect_pieces(struct packing *p)
{
    struct elfw *elfw = p->elfw;
    uint32_t first = elfw_section(elfw, p->bank)->first_piece;

    for (uint32_t n = first; n; n = elfw->pieces.at[n].next)
        p->piece_count++;
    p->pieces = arena_array(elfw->arena, (size_t)p->piece_count + 1, sizeof *p->pieces);
    for (uint32_t n = first, i = 0; n; n = elfw->pieces.at[n].next)
        p->pieces[i++] = n;
}

/* The bytes of a constant: those of the piece it lies in. */
static struct bytes
constant_bytes(const struct packing *p, const struct constant *constant)
{
    uint32_t low = 0, high = p->piece_count;

    while (high - low > 1) {
        uint32_t middle = low + (high - low) / 2;
        if (p->elfw->pieces.at[p->pieces[middle]].base <= constant->from)
            low = middle;
        else
            high = middle;
    }
    if (!p->piece_count)
        return (struct bytes){0};
    const struct piece *piece = &p->elfw->pieces.at[p->pieces[low]];
    uint64_t skip = constant->from - piece->base;
    if (constant->from < piece->base || skip >= piece->size)
        return (struct bytes){0};
    uint64_t left = piece->size - skip;
    return (struct bytes){piece->bytes + skip, constant->size < left ? constant->size : left};
}

static int
compare_places(const void *a, const void *b)
{
    const struct moved_range *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* Only globals count for the alignment of the bank. */
static uint64_t
section_align(const struct constant *constant)
{
    bool is_power = !(constant->align & (constant->align - 1));

    if (constant->symbol > 0)
        return 1;
    return is_power ? constant->align : LARGEST_ALIGN;
}

static void
place_constants(struct packing *p, const uint32_t *order)
{
    struct elfw *elfw = p->elfw;

    elfw_clear_section(elfw, p->bank);
    elfw_section(elfw, p->bank)->align = 1;
    for (uint32_t i = 0; i < p->constants.count; i++) {
        struct constant *constant = &p->constants.at[order[i]];
        struct section *section = elfw_section(elfw, p->bank);

        /* Any number is an alignment here, so that masks do not do. */
        constant->place = (section->size + constant->align - 1) / constant->align * constant->align;
        section->size = constant->place;
        struct bytes bytes = constant_bytes(p, constant);
        elfw_append(elfw, p->bank, bytes, constant->size, 1);
        section->align = max_u64(section->align, section_align(constant));
        elfw_get_symbol(elfw, constant->symbol)->st_value = constant->place;
        array_push(&elfw->moved_constants, elfw->arena,
                   ((struct moved_range){constant->from, constant->from + constant->size,
                                         constant->place}));
    }
    if (elfw->moved_constants.count)
        qsort(elfw->moved_constants.at, elfw->moved_constants.count,
              sizeof *elfw->moved_constants.at, compare_places);
    elfw->packed_bank = p->bank;
}

void
pack_constant_bank(struct elfw *elfw)
{
    struct packing p = {.elfw = elfw, .bank = elfw_user_bank(elfw)};

    if (!p.bank || elfw_section(elfw, p.bank)->size <= CONSTANT_BANK_LIMIT)
        return;
    if ((elfw->kernels_used || elfw->host_references) && !elfw_flag(elfw, MERGE_KEEP_ALL))
        find_used(&p);
    collect_constants(&p, elfw->pos_symbols.at, elfw->pos_symbols.count);
    collect_constants(&p, elfw->neg_symbols.at, elfw->neg_symbols.count);
    uint32_t *order = arena_array(elfw->arena, (size_t)p.constants.count + 1, sizeof *order);
    for (uint32_t i = 0; i < p.constants.count; i++)
        order[i] = i;
    list_sort(elfw->arena, order, p.constants.count, compare_constants, &p, false);
    collect_pieces(&p);
    place_constants(&p, order);
}
