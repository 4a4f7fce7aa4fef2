#include "door/check.h"

#include "base/name_map.h"
#include "mercury/code_index.h"
#include "mercury/code_map.h"

#include <stdlib.h>

/*
 * .nv_debug_info_reg_sass has a list for each function: its name, a count, and that many records of a
 * number, a name, a register and the places of the code from which and up to which this holds.
 * .nv_debug_info_reg_type has the same lists with a byte for each record. Both views have the same
 * records of a function, each in an order of its own.
 */
enum { COUNT_SIZE = 4, NUMBER_SIZE = 4, VALUES_SIZE = 12, FROM_AT = 4, TO_AT = 8 };

struct record {
    uint64_t name; /* a number for it and its end */
    uint32_t number, held_in, from, to;
    uint8_t type;
};

/* Of one view, and how far they have been read. */
struct lists {
    const struct door *door;
    uint32_t section, types_section; /* 0: there are none */
    struct bytes contents, types;
    size_t at, type_at;
};

static struct lists
open_lists(const struct door *door, uint32_t section, uint32_t types)
{
    return (struct lists){
        .door = door,
        .section = section,
        .types_section = types,
        .contents = elf_contents(door->view, section),
        .types = types ? elf_contents(door->view, types) : (struct bytes){0},
    };
}

/* The name and the count that a list begins with. NULL: it is damaged, or does not fit. */
static const char *
read_head(struct bytes bytes, size_t *at, size_t least, uint32_t *count)
{
    const char *name = (const char *)bytes.at + *at;
    size_t count_at = string_end(bytes, *at);

    if (!count_at || !bytes_hold(bytes, count_at, COUNT_SIZE))
        return NULL;
    *at = count_at + COUNT_SIZE;
    *count = read_u32(bytes.at + count_at);
    return *count <= (bytes.size - *at) / least ? name : NULL;
}

/* A function's list. */
struct list {
    const char *name;
    uint32_t count;
    size_t from;
};

static struct list
open_list(struct lists *lists)
{
    enum { LEAST = NUMBER_SIZE + 1 + VALUES_SIZE };
    struct list list = {.from = lists->at};
    size_t type_from = lists->type_at;
    uint32_t types = 0;

    list.name = read_head(lists->contents, &lists->at, LEAST, &list.count);
    if (!list.name)
        REFUSE_CONTENTS(lists->door, lists->section, list.from, "the list of registers is damaged");
    if (!lists->types_section)
        return list;
    const char *name = read_head(lists->types, &lists->type_at, 1, &types);
    if (!name || strcmp(name, list.name) != 0 || types != list.count)
        REFUSE_CONTENTS(lists->door, lists->types_section, type_from,
                        "types of other registers than '%s' has", list.name);
    return list;
}

/* A number for a name with its end. Values follow it, so that a word can be read. */
static uint64_t
number_of_name(struct bytes name)
{
    enum { BITS = 8 };

    if (name.size > sizeof(uint64_t))
        return name_hash((const char *)name.at, name.size);
    return read_u64(name.at) << (sizeof(uint64_t) - name.size) * BITS;
}

/* Reads a record, but for its type; returns where the next one begins, 0: it is damaged. */
static inline size_t
read_record(struct bytes bytes, size_t at, struct record *record)
{
    size_t name = at + NUMBER_SIZE, values = string_end(bytes, name);

    if (!values || !bytes_hold(bytes, values, VALUES_SIZE))
        return 0;
    record->name = number_of_name((struct bytes){bytes.at + name, values - name});
    record->number = read_u32(bytes.at + at);
    record->held_in = read_u32(bytes.at + values);
    record->from = read_u32(bytes.at + values + FROM_AT);
    record->to = read_u32(bytes.at + values + TO_AT);
    return values + VALUES_SIZE;
}

/* The same, where its name and all the rest fit for sure if the name is short, as most are. */
static inline size_t
read_usual_record(struct bytes bytes, size_t at, struct record *record)
{
    enum { BITS = 8, MOST = NUMBER_SIZE + sizeof(uint64_t) + VALUES_SIZE };

    if (!bytes_hold(bytes, at, MOST))
        return read_record(bytes, at, record);
    const uint8_t *begin = bytes.at + at;
    uint64_t word = read_u64(begin + NUMBER_SIZE), ends = zero_bytes(word);
    if (!ends)
        return read_record(bytes, at, record);
    unsigned bits = (unsigned)__builtin_ctzll(ends) + 1;
    const uint8_t *values = begin + NUMBER_SIZE + bits / BITS;
    record->name = word << (sizeof word * BITS - bits);
    record->number = read_u32(begin);
    record->held_in = read_u32(values);
    record->from = read_u32(values + FROM_AT);
    record->to = read_u32(values + TO_AT);
    return at + NUMBER_SIZE + bits / BITS + VALUES_SIZE;
}

/* The types of the records that come next, which are behind the list then; NULL: there are none. */
static const uint8_t *
take_types(struct lists *lists, const struct list *list)
{
    const uint8_t *types = lists->types_section ? lists->types.at + lists->type_at : NULL;

    lists->type_at += types ? list->count : 0;
    return types;
}

_Noreturn static void
refuse_record(const struct lists *lists, const struct list *list)
{
    REFUSE_CONTENTS(lists->door, lists->section, list->from, "the list of registers is damaged");
}

/* ---- places ---- */

/* The functions of the file by their names; those of which there are several have none. */
static struct name_map *
list_functions(const struct door *door)
{
    enum { SEVERAL = -1 };
    const struct elf_view *view = door->view;
    struct name_map *names = arena_alloc(door->arena, sizeof *names);

    name_map_init(names, door->arena, 64);
    for (uint32_t i = 1; i < view->symbol_count; i++) {
        if (ELF64_ST_TYPE(view->symbols[i].st_info) != STT_FUNC)
            continue;
        struct name *name = name_at(names, name_map_add(names, elf_symbol_name(view, i)));
        name->index = name->index ? SEVERAL : (int32_t)i;
    }
    return names;
}

/* The function of that name; 0: there is none, or several. */
static uint32_t
function_of_list(const struct name_map *names, const char *name)
{
    int32_t symbol = name_at(names, name_map_find(names, name))->index;

    return symbol > 0 ? (uint32_t)symbol : 0;
}

/* Its instructions, ready for many questions; NULL: they are not known. */
static const struct code_map *
map_of_function(const struct door *door, struct code_map *map, uint32_t symbol)
{
    const struct elf_view *view = door->view;

    if (!map || !view->is_of_known_release)
        return NULL;
    uint32_t text = elf_symbol_section(view, symbol);
    code_map_mark_blocks(map, elf_contents(view, view->twins[text]), door->arena);
    code_map_index(map, door->known, door->arena);
    return map;
}

/* From one instruction to another one that is not before it. */
static bool
is_sound(const struct record *mercury)
{
    enum { UNIT = 16 };

    return mercury->from % UNIT == 0 && mercury->to % UNIT == 0 && mercury->from <= mercury->to;
}

/* The places of SASS that those of mercury become: 0 where none of the instructions begins. Only what a
   relocatable link left of a definition that was replaced has such places, and places behind the end,
   of which nothing is known: false. */
static bool
take_to_sass(const struct code_map *map, struct record *record)
{
    const struct code_place *from = indexed_code_at(map, record->from);
    const struct code_place *to = indexed_code_at(map, record->to);

    if (record->to > code_map_length(map))
        return false;
    record->from = from ? place_before_next(map, from) : 0;
    record->to = to ? place_of_step(to, to->itself) : 0;
    return true;
}

/* ---- both views ---- */

/* What a list says, whatever the order of its records: sums of one number for each. */
struct summary {
    uint64_t names, all; /* without places, and with them */
    bool has_places;     /* any but 0 */
    bool has_lost;       /* any LOST_PLACE */
    bool is_sound;
    bool knows_places; /* of SASS */
};

static uint64_t
mixed(uint64_t value, uint64_t more)
{
    enum { HALF = 32 };

    value = (value ^ more) * 0x9e3779b97f4a7c15u;
    return value ^ value >> HALF;
}

static inline void
add_record(struct summary *summary, const struct record *record)
{
    uint64_t names =
        mixed(mixed(record->name, record->number | (uint64_t)record->held_in << 32), record->type);

    summary->names += names;
    summary->all += mixed(names, record->from | (uint64_t)record->to << 32);
    summary->has_lost |= record->from == LOST_PLACE;
}

static struct summary
read_list(struct lists *lists, const struct list *list)
{
    struct summary summary = {0};
    const uint8_t *types = take_types(lists, list);
    size_t at = lists->at;

    for (uint32_t i = 0; i < list->count; i++) {
        struct record record;

        at = read_usual_record(lists->contents, at, &record);
        if (!at)
            refuse_record(lists, list);
        record.type = types ? types[i] : 0;
        summary.has_places |= record.from || record.to;
        add_record(&summary, &record);
    }
    lists->at = at;
    return summary;
}

static struct summary
read_mercury_list(struct lists *lists, const struct list *list, const struct code_map *map)
{
    struct summary summary = {.is_sound = true, .knows_places = map};
    const uint8_t *types = take_types(lists, list);
    size_t at = lists->at;

    for (uint32_t i = 0; i < list->count; i++) {
        struct record record;

        at = read_usual_record(lists->contents, at, &record);
        if (!at)
            refuse_record(lists, list);
        record.type = types ? types[i] : 0;
        summary.is_sound &= is_sound(&record);
        if (summary.knows_places)
            summary.knows_places = take_to_sass(map, &record);
        add_record(&summary, &record);
    }
    lists->at = at;
    return summary;
}

/* A relocatable link leaves no places of functions that are gone, or described by a list before. */
static bool
says_the_same(const struct elf_view *view, const struct summary *mercury,
              const struct summary *sass)
{
    bool names_places =
        mercury->knows_places && (sass->has_places || !view->is_of_linker) && !sass->has_lost;

    return mercury->is_sound &&
           (names_places ? mercury->all == sass->all : mercury->names == sass->names);
}

/* ---- where some places are uncertain ---- */

/* The places of a record, and a number for all else that it says. */
struct held {
    uint64_t names;
    uint32_t from, to;
};

static int
by_places(const void *one, const void *other)
{
    const struct held *a = one, *b = other;

    if (a->names != b->names)
        return a->names < b->names ? -1 : 1;
    if (a->from != b->from)
        return a->from < b->from ? -1 : 1;
    return (a->to > b->to) - (a->to < b->to);
}

/* The records of a list, which is to be read again. */
static struct held *
sorted_records(struct lists lists, const struct list *list)
{
    struct held *all = arena_array(lists.door->arena, list->count + (size_t)1, sizeof *all);
    const uint8_t *types = take_types(&lists, list);
    size_t at = lists.at;

    for (uint32_t i = 0; i < list->count; i++) {
        struct summary summary = {0};
        struct record record;

        at = read_record(lists.contents, at, &record);
        if (!at)
            refuse_record(&lists, list);
        record.type = types ? types[i] : 0;
        add_record(&summary, &record);
        all[i] = (struct held){summary.names, record.from, record.to};
    }
    qsort(all, list->count, sizeof *all, by_places);
    return all;
}

/* It ends before what the next instruction becomes, or in that where it is not certain what begins it. */
static bool
holds_from(const struct code_map *map, uint32_t mercury, uint32_t sass)
{
    const struct code_place *place = code_at(map, mercury);
    const struct code_place *end = &map->places.at[map->places.count - 1];

    if (!place || place == end || !(place->is_uncertain || place[1].is_uncertain))
        return sass == (place ? place_before_next(map, place) : 0);
    return sass % SASS_INSTRUCTION == 0 && sass >= place->sass &&
           sass < (place + 1 == end ? end->sass : place[2].sass);
}

static bool
holds_up_to(const struct code_map *map, uint32_t mercury, uint32_t sass)
{
    const struct code_place *place = code_at(map, mercury);

    if (!place || !place->is_uncertain)
        return sass == (place ? place_of_step(place, place->itself) : 0);
    return sass % SASS_INSTRUCTION == 0 && sass >= place->sass && sass < place[1].sass;
}

/* Code stands in the same order in both views, so that the records of each in the order of their places are
   pairs. */
static bool
holds_at_same_places(const struct lists *mercury, const struct lists *sass, const struct list *list,
                     const struct list *there, const struct code_map *map)
{
    const struct held *one = sorted_records(*mercury, list), *other = sorted_records(*sass, there);

    for (uint32_t i = 0; i < list->count; i++)
        if (one[i].names != other[i].names || !holds_from(map, one[i].from, other[i].from) ||
            !holds_up_to(map, one[i].to, other[i].to))
            return false;
    return true;
}

/* ---- all lists ---- */

static bool
is_at_end(const struct lists *lists)
{
    return lists->at == lists->contents.size && lists->type_at == lists->types.size;
}

/* The link goes through the lists of SASS once more, but mostly not through their records. */
static void
note_lists(const struct lists *sass, const uint32_t *ends, uint32_t count)
{
    if (!count || sass->contents.size > UINT32_MAX)
        return;
    struct section_marks *marks = note_marks(sass->door, sass->section, count);
    memcpy(marks->ends, ends, count * sizeof *ends);
}

static struct bytes
records_since(const struct lists *before, const struct lists *lists)
{
    return (struct bytes){before->contents.at + before->at, lists->at - before->at};
}

static struct bytes
bytes_of_types(const struct lists *lists, const struct list *list)
{
    return lists->types_section ? (struct bytes){lists->types.at + lists->type_at, list->count}
                                : (struct bytes){0};
}

static bool
begins_with(const struct lists *lists, struct bytes records)
{
    return bytes_hold(lists->contents, lists->at, records.size) &&
           !memcmp(lists->contents.at + lists->at, records.at, records.size);
}

/* Goes on behind lists that are those of an earlier function with the same code. */
static bool
pass_known(const struct known_registers *known, struct lists *mercury, struct lists *sass,
           const struct list *list)
{
    if (known->count != list->count || !begins_with(mercury, known->records.mercury) ||
        !begins_with(sass, known->records.sass) ||
        !bytes_equal(bytes_of_types(mercury, list), known->types.mercury) ||
        !bytes_equal(bytes_of_types(sass, list), known->types.sass))
        return false;
    take_types(mercury, list);
    take_types(sass, list);
    mercury->at += known->records.mercury.size;
    sass->at += known->records.sass.size;
    return true;
}

static void
compare_lists(struct lists *mercury, struct lists *sass, const struct list *list,
              const struct list *there, const struct code_map *map)
{
    const struct door *door = mercury->door;
    const struct code_map *certain = map && !map->has_uncertain ? map : NULL;
    struct lists mercury_before = *mercury, sass_before = *sass;
    struct summary one = read_mercury_list(mercury, list, certain), other = read_list(sass, there);
    bool is_known = one.knows_places || !certain || door->view->is_of_linker;
    bool is_paired = map && !certain && !door->view->is_of_linker && !other.has_lost;

    if (!is_known || !says_the_same(door->view, &one, &other) ||
        (is_paired && !holds_at_same_places(&mercury_before, &sass_before, list, there, map)))
        REFUSE_CONTENTS(door, mercury->section, list->from,
                        "the other view says something else of '%s'", list->name);
}

static void
check_list(struct lists *mercury, struct lists *sass, const struct name_map *names,
           struct code_map *const *maps)
{
    const struct door *door = mercury->door;
    struct list list = open_list(mercury), there = open_list(sass);

    if (list.count != there.count || strcmp(list.name, there.name) != 0)
        REFUSE_CONTENTS(door, mercury->section, list.from, "the other view says something else");
    uint32_t symbol = function_of_list(names, list.name);
    struct code_map *map = map_of_symbol(door->view, maps, symbol);
    struct known_registers *known = map && map->known ? &map->known->registers : NULL;
    if (known && known->count && pass_known(known, mercury, sass, &list))
        return;
    struct lists one = *mercury, other = *sass;
    compare_lists(mercury, sass, &list, &there, map_of_function(door, map, symbol));
    if (known)
        *known = (struct known_registers){
            .records = {records_since(&one, mercury), records_since(&other, sass)},
            .types = {bytes_of_types(&one, &list), bytes_of_types(&other, &list)},
            .count = list.count,
        };
}

void
check_registers(const struct door *door, uint32_t section, uint32_t types,
                struct code_map *const *maps)
{
    const uint32_t *twins = door->view->twins;
    struct lists mercury = open_lists(door, section, types);
    struct lists sass = open_lists(door, twins[section], types ? twins[types] : 0);
    const struct name_map *names = list_functions(door);
    ARRAY(uint32_t) ends = {0};

    while (mercury.at < mercury.contents.size && sass.at < sass.contents.size) {
        check_list(&mercury, &sass, names, maps);
        array_push(&ends, door->arena, (uint32_t)sass.at);
    }
    if (!is_at_end(&mercury) || !is_at_end(&sass))
        REFUSE_CONTENTS(door, section, mercury.at, "the other view says something else");
    note_lists(&sass, ends.at, ends.count);
}
