#include "relocate/scan.h"

#include "base/parallel.h"
#include "mercury/yields.h"
#include "relocate/follow.h"
#include "relocate/relocate.h"

#include <stdatomic.h>

bool
takes_part(const struct elfw *elfw, const struct section *table)
{
    return holds_entries(table->type) && table->state == SECTION_LIVE &&
           elfw_section(elfw, table->target)->state == SECTION_LIVE;
}

/*
 * --preserve-relocs lists what was applied, as far as the symbol is still there. An open array has
 * no one address to list.
 */
bool
is_listed(const struct elfw *elfw, const struct section *table, const struct resolution *resolved)
{
    const struct symbol_record *symbol = elfw_get_symbol(elfw, resolved->symbol);

    if (resolved->verdict != RELOC_APPLY || resolved->is_unlisted ||
        is_image_type(symbol_type(symbol)))
        return false;
    if (elfw->view->is_mercury && (memory_space(symbol->st_other) != STO_CUDA_SHARED ||
                                   !elfw_section(elfw, table->target)->owner))
        return false; /* there code's use of shared memory is all that is listed */
    return !resolved->symbol || symbol_type(symbol) == STT_SECTION ||
           elfw_object_is_written(elfw, symbol);
}

/* An image that is a parameter is the kernel's own: others have room for it, and nothing to fill in. */
bool
fills_slot(const struct elfw *elfw, const struct section *table, uint32_t slot)
{
    const struct symbol_record *symbol = elfw_get_symbol(elfw, elfw->image_slots.at[slot]);
    uint32_t text = elfw_symbol_section(elfw, symbol);

    return !text || elfw_section(elfw, text)->owner == table->owner;
}

static void
add_slots(const struct elfw *elfw, struct section *table)
{
    for (uint32_t i = 0; table->has_image_slots && i < elfw->image_slots.count; i++)
        table->entry_count += fills_slot(elfw, table, i);
    table->size = table->entry_count * table_entry_size(table);
}

/* The table of SASS that goes with one of mercury, NULL: none does. */
static struct section *
following_table(const struct elfw *elfw, const struct section *table)
{
    struct section *twin = table->is_mercury ? elfw_section(elfw, table->twin) : NULL;
    return twin && twin->follows_twin ? twin : NULL;
}

/* Nearly all that are kept: they name a function, or a variable by its own name. */
static bool
is_kept_plain(const struct reloc_place *place, const struct reloc_entry *entry,
              const struct resolution *resolved)
{
    if (resolved->verdict != RELOC_KEEP)
        return false;
    bool is_function = symbol_type(elfw_get_symbol(place->elfw, resolved->symbol)) == STT_FUNC;
    return entry->is_rela && !resolved->base && resolved->addend == entry->addend &&
           resolved->symbol == place->object->symbols[entry->symbol] &&
           resolved->type == written_type(place->elfw, entry->type) &&
           resolved->names_code == is_function;
}

/* Of a table of SASS that follows none: most name a function that stays as this input defines it. */
static enum reloc_verdict
sass_verdict(const struct reloc_place *place, const struct reloc_entry *entry)
{
    const struct reloc_kind *kind = reloc_kind(entry->type);
    const struct symbol_record *symbol = plain_function(place, entry->symbol);

    if (!place->has_few_void || !kind || !symbol || entry->offset >= place->end)
        return RELOC_UNDECIDED;
    const struct function *function = elfw_function(place->elfw, symbol_function(symbol));
    bool is_own = function->object == place->object->number &&
                  place->object->fates[entry->symbol] != SYMBOL_LOST;
    return is_own && !function->shift && !function->is_dead ? function_verdict(entry, kind, false)
                                                            : RELOC_UNDECIDED;
}

/* The last entry that was decided so: many say the same of one function. */
struct last_verdict {
    uint32_t symbol, type;
    enum reloc_verdict verdict;
};

static enum reloc_verdict
next_sass_verdict(const struct reloc_place *place, const struct reloc_entry *entry,
                  struct last_verdict *last)
{
    if (entry->symbol != last->symbol || entry->type != last->type || entry->offset >= place->end)
        *last = (struct last_verdict){entry->symbol, entry->type, sass_verdict(place, entry)};
    return last->verdict;
}

/* What becomes of an entry, if a quick look does not tell. */
static enum reloc_verdict
closer_verdict(const struct reloc_place *place, const struct reloc_entry *entry,
               struct last_verdict *last)
{
    enum reloc_verdict verdict =
        place->is_sass_side ? next_sass_verdict(place, entry, last) : RELOC_UNDECIDED;

    if (verdict != RELOC_UNDECIDED)
        return verdict;
    struct resolution resolved = resolve_entry(place, entry);
    return is_kept_plain(place, entry, &resolved) ? RELOC_KEEP_PLAIN : resolved.verdict;
}

/* The same in a table that lists what was applied: all have to be looked at. */
static enum reloc_verdict
listed_verdict(const struct section *table, const struct reloc_place *place,
               const struct reloc_entry *entry, uint32_t *written)
{
    struct resolution resolved = resolve_entry(place, entry);

    *written += is_listed(place->elfw, table, &resolved);
    return resolved.verdict;
}

/* Entries of SASS that are kept along with one of mercury. */
static uint32_t
scan_follower(const struct reloc_place *place, const struct reloc_entry *entry,
              enum reloc_verdict verdict, size_t *followers)
{
    if (!has_follower(place->object, entry->symbol, entry->type))
        return 0;
    size_t number = (*followers)++;
    if (verdict != RELOC_KEEP && verdict != RELOC_KEEP_PLAIN)
        return 0;
    int32_t symbol = place->object->symbols[entry->symbol];
    if (verdict == RELOC_KEEP ? resolve_entry(place, entry).names_code
                              : symbol_type(elfw_get_symbol(place->elfw, symbol)) == STT_FUNC)
        make_follower_ready(place, number);
    return 1;
}

/* What becomes of each entry is kept, so that later only those that matter are looked at. Nothing is
   written but what belongs to the piece, mercury aside. */
static void
scan_piece(struct elfw *elfw, const struct section *table, struct reloc_piece *piece)
{
    struct section *following = following_table(elfw, table);
    struct reloc_place place = place_of(elfw, table->target, piece);
    size_t size = entry_size(piece), count = entry_count(piece), followers = 0;
    struct last_verdict last = {.verdict = RELOC_UNDECIDED};
    bool is_list = lists_resolved(table->type);
    uint32_t written = 0;
    unsigned seen = 0;

    for (size_t i = 0; i < count; i++) {
        struct reloc_entry entry = read_entry(piece, i * size);
        if (piece->selection != SELECT_ALL && !is_selected(&place, &entry))
            continue;
        unsigned verdict = is_list ? listed_verdict(table, &place, &entry, &written)
                                   : quick_verdict(&place, &entry);
        if (verdict == RELOC_UNDECIDED)
            verdict = closer_verdict(&place, &entry, &last);
        piece->verdicts[i] = (uint8_t)verdict;
        written += !is_list && ALL_KEPT >> verdict & 1;
        seen |= 1u << verdict;
        if (piece->pair)
            following->entry_count += scan_follower(&place, &entry, verdict, &followers);
    }
    piece->written = written;
    piece->has_patches = (seen & ALL_PATCHES) != 0;
    piece->is_plain = seen == 1u << RELOC_KEEP_PLAIN && piece->selection == SELECT_ALL;
}

/* ---- All of them ---- */

/* A piece, and the table that it is a part of. */
struct scanned_piece {
    uint32_t table, piece;
};

struct scan {
    struct elfw *elfw;
    struct crew *crew;
    ARRAY(struct scanned_piece) list;
    _Atomic bool has_failed;
};

static bool
is_scanned(const struct elfw *elfw, const struct section *table)
{
    return !table->follows_twin && takes_part(elfw, table);
}

/* In the order in which what is wrong with them is told. */
static void
list_pieces(struct scan *scan)
{
    struct elfw *elfw = scan->elfw;
    size_t entries = 0;

    for (uint32_t i = 0; i < elfw->tables.count; i++) {
        uint32_t number = elfw->tables.at[i];
        const struct section *table = elfw_section(elfw, number);

        for (uint32_t p = is_scanned(elfw, table) ? table->first_piece : 0; p;
             p = elfw->reloc_pieces.at[p].next) {
            if (elfw->reloc_pieces.at[p].is_stale)
                continue;
            array_push(&scan->list, &elfw->scratch, ((struct scanned_piece){number, p}));
            entries += entry_count(&elfw->reloc_pieces.at[p]);
        }
    }
    uint8_t *verdicts = arena_zero(elfw->arena, entries);
    for (uint32_t i = 0; i < scan->list.count; i++) {
        struct reloc_piece *piece = &elfw->reloc_pieces.at[scan->list.at[i].piece];
        piece->verdicts = verdicts;
        verdicts += entry_count(piece);
    }
}

static void
scan_range(const struct scan *scan, struct elfw *elfw, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        scan_piece(elfw, elfw_section(elfw, scan->list.at[i].table),
                   &elfw->reloc_pieces.at[scan->list.at[i].piece]);
}

/* So many pieces are worth a turn of a worker. */
enum { PIECES_OF_A_TURN = 64 };

struct scan_turn {
    const struct scan *scan;
    uint32_t from, to;
};

static void
scan_turn(void *user, struct worker_memory *memory)
{
    const struct scan_turn *turn = user;
    struct elfw elfw = elfw_of_worker(turn->scan->elfw, memory);

    scan_range(turn->scan, &elfw, turn->from, turn->to);
}

static void
scan_in_turn(void *user, uint32_t number, unsigned worker)
{
    struct scan *scan = user;
    uint32_t from = number * PIECES_OF_A_TURN, left = scan->list.count - from;
    uint32_t count = left < PIECES_OF_A_TURN ? left : PIECES_OF_A_TURN;
    struct scan_turn turn = {scan, from, from + count};

    if (!crew_try(scan->crew, worker, scan_turn, &turn))
        atomic_store(&scan->has_failed, true);
}

static bool
scan_by_threads(struct scan *scan)
{
    struct parallel_loop loop = {
        .name = "relocations",
        .count = (scan->list.count + PIECES_OF_A_TURN - 1) / PIECES_OF_A_TURN,
        .make = scan_in_turn,
        .user = scan,
    };

    if (scan->crew->threads <= 1 || loop.count < FEWEST_TURNS)
        return false;
    crew_prepare(scan->crew);
    parallel_run(&loop, scan->crew->threads, scan->crew->trace);
    return !scan->has_failed;
}

static void
count_entries(const struct scan *scan)
{
    struct elfw *elfw = scan->elfw;

    for (uint32_t i = 0; i < scan->list.count; i++) {
        struct section *table = elfw_section(elfw, scan->list.at[i].table);
        const struct reloc_piece *piece = &elfw->reloc_pieces.at[scan->list.at[i].piece];
        table->entry_count += piece->written;
        table->has_patches |= piece->has_patches;
    }
    for (uint32_t i = 0; i < elfw->tables.count; i++) {
        struct section *table = elfw_section(elfw, elfw->tables.at[i]);
        if (!is_scanned(elfw, table))
            continue;
        add_slots(elfw, table);
        struct section *following = following_table(elfw, table);
        if (!following)
            continue;
        following->entry_count += ENTRIES_OF_YIELD * count_yields(elfw, following->target);
        add_slots(elfw, following);
    }
}

/* Places of code in a mercury link are worked out where they are asked for: by one thread. */
void
relocate_scan(struct elfw *elfw, struct crew *crew)
{
    struct arena_mark before = arena_mark(&elfw->scratch);
    struct scan scan = {.elfw = elfw, .crew = crew};

    list_pieces(&scan);
    if (elfw->view->is_mercury || !scan_by_threads(&scan))
        scan_range(&scan, elfw, 0, scan.list.count);
    count_entries(&scan);
    arena_release(&elfw->scratch, before);
}
