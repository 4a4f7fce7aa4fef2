#include "mercury/code_places.h"

#include "arch/arch.h"
#include "cubin/reloc_entry.h"
#include "cubin/reloc_table.h"
#include "door/check.h"
#include "door/views.h"
#include "elfw/elfw.h"
#include "mercury/known_code.h"
#include "mercury/reloc_pairs.h"

enum { INSTRUCTION = 16, IMMEDIATE_AT = 4, STEP = sizeof(Elf64_Rela) };

/* Both tables of a section of code or data, and the entries of them that go together. */
struct tables {
    const struct door *door;
    struct code_map *const *maps; /* of texts */
    uint32_t mercury, sass;       /* the tables */
    uint32_t target;              /* what they are about, in mercury */
    uint64_t size;                /* ... and its bytes in SASS */
    bool is_code;
    uint64_t known_types[8]; /* pairs of types that were found to fit, by that of mercury */
};

struct pair {
    const uint8_t *mercury, *sass;
    size_t at; /* in the table of SASS */
};

#define REFUSE_PAIR(tables, pair, ...)                                                             \
    REFUSE_CONTENTS((tables)->door, (tables)->sass, (pair)->at, __VA_ARGS__)

/* ---- places ---- */

/* Places inside of code are others in mercury. */
static bool
names_place(uint32_t mercury_type)
{
    return mercury_type == R_MERCURY_ABS_PROG_REL32_LO ||
           mercury_type == R_MERCURY_ABS_PROG_REL32_HI;
}

/* Code stands in the same order in both views, and so do numbers that are places in it. */
static bool
is_same_order(const struct pair *one, const struct pair *other, size_t field)
{
    uint64_t here = read_u64(one->mercury + field), before = read_u64(other->mercury + field);
    uint64_t sass = read_u64(one->sass + field), sass_before = read_u64(other->sass + field);

    return (here < before) == (sass < sass_before) && (here == before) == (sass == sass_before);
}

/* The instruction whose last bytes in mercury are the field of a relocation; NULL: none is. `sass` is where it
   probably is there. */
static const struct code_place *
place_of_field(const struct code_map *map, const uint8_t *mercury, uint64_t sass)
{
    size_t width = entry_type(mercury) == R_MERCURY_ABS64 ? sizeof(uint64_t) : sizeof(uint32_t);
    uint64_t end = entry_offset(mercury) + width;
    const struct code_place *next =
        end <= UINT32_MAX ? code_at_both(map, (uint32_t)end, sass + INSTRUCTION) : NULL;

    return next && next != map->places.at ? next - 1 : NULL;
}

/* In SASS it is one of those that this becomes, and as a rule it is known which. */
static bool
is_same_field(const struct code_map *map, const struct pair *pair)
{
    uint64_t sass = entry_offset(pair->sass);
    const struct code_place *place = place_of_field(map, pair->mercury, sass);

    if (place && place->is_uncertain)
        return sass >= place->sass && sass < place[1].sass;
    return place && place_of_step(place, place->patched) == sass;
}

/* Addresses of places inside of code: of the first instruction there. */
static bool
is_same_target(const struct tables *tables, const struct pair *pair)
{
    const struct code_map *map =
        map_of_symbol(tables->door->view, tables->maps, entry_symbol(pair->mercury));

    if (!map ||
        elf_symbol_section(tables->door->view, entry_symbol(pair->mercury)) != tables->target)
        return true;
    const struct code_place *place =
        code_at_both(map, (uint32_t)entry_addend(pair->mercury), entry_addend(pair->sass));
    return place && place->sass == entry_addend(pair->sass);
}

/* An instruction, in the order of those of the other view. */
static void
check_code_places(const struct tables *tables, const struct pair *pair, const struct pair *before)
{
    const struct code_map *map = tables->maps[tables->target];
    uint32_t type = entry_type(pair->mercury);

    if (!is_place_of_reloc(type, entry_offset(pair->mercury)) ||
        entry_offset(pair->sass) % INSTRUCTION ||
        (before->sass && !is_same_order(pair, before, ENTRY_OFFSET_AT)) ||
        (map && !is_same_field(map, pair)))
        REFUSE_PAIR(tables, pair, "the place 0x%llx is not that of the other view",
                    (unsigned long long)entry_offset(pair->sass));
    if (!names_place(type))
        return;
    if (entry_addend(pair->sass) % INSTRUCTION ||
        (before->sass && names_place(entry_type(before->mercury)) &&
         entry_symbol(pair->sass) == entry_symbol(before->sass) &&
         !is_same_order(pair, before, ENTRY_ADDEND_AT)) ||
        !is_same_target(tables, pair))
        REFUSE_PAIR(tables, pair, "the addend is not that of the other view");
}

/* ---- entries ---- */

/* Where a relocation of mercury may lie: before where code may end. */
static bool
is_inside(const struct tables *tables, const uint8_t *mercury)
{
    uint64_t offset = entry_offset(mercury);

    return offset < tables->size ||
           (tables->is_code && capsule_holds_place(elf_contents(tables->door->view, tables->target),
                                                   offset + 1, tables->size));
}

/* Slots of textures are alone in mercury, and stand behind the parameters in SASS; all other data has
   the same size in both views. */
static uint64_t
slots_begin(const struct tables *tables)
{
    return tables->size - tables->door->view->sections[tables->target].sh_size;
}

static void
check_types(struct tables *tables, const struct pair *pair)
{
    uint32_t mercury_type = entry_type(pair->mercury), type = entry_type(pair->sass);
    uint64_t both = (uint64_t)mercury_type << 32 | type;
    uint64_t *known = &tables->known_types[mercury_type % COUNT_OF(tables->known_types)];

    if (both && both == *known) /* as of most entries */
        return;
    if (!reloc_kind(type) || type >= R_MERCURY_FIRST)
        REFUSE_PAIR(tables, pair, "relocation of the unknown type %u", type);
    bool is_known =
        tables->is_code ? is_known_in_code(mercury_type) : is_known_in_data(mercury_type);
    bool is_unusual = tables->door->view->is_of_known_release && !is_known;
    if (is_unusual || !reloc_types_fit(mercury_type, type, tables->is_code))
        REFUSE_PAIR(tables, pair, "type %u, and 0x%x in the other view", type, mercury_type);
    *known = both;
}

static void
check_pair(struct tables *tables, const struct pair *pair, const struct pair *before)
{
    uint32_t mercury_type = entry_type(pair->mercury);
    uint64_t offset = entry_offset(pair->sass);

    if (entry_symbol(pair->sass) != entry_symbol(pair->mercury))
        REFUSE_PAIR(tables, pair, "the relocations are not those of the other view");
    if (!names_place(mercury_type) && entry_addend(pair->mercury) != entry_addend(pair->sass))
        REFUSE_PAIR(tables, pair, "the addend is not that of the other view");
    check_types(tables, pair);
    if (offset >= tables->size)
        REFUSE_PAIR(tables, pair, "the relocation is past the end");
    if (tables->is_code)
        check_code_places(tables, pair, before);
    else if (offset != entry_offset(pair->mercury) + slots_begin(tables))
        REFUSE_PAIR(tables, pair, "the place is not that of the other view");
}

/* Addresses inside of a kernel, to which its functions return: SASS has them as numbers in the same
   instructions. */
static bool
is_same_return(const struct tables *tables, const uint8_t *entry)
{
    const struct elf_view *view = tables->door->view;
    const struct code_map *map = map_of_symbol(view, tables->maps, entry_symbol(entry));
    struct bytes text = elf_contents(view, view->twins[tables->target]);
    uint64_t addend = entry_addend(entry);

    if (view->is_of_linker)
        return true;
    if (entry_symbol(entry) >= view->symbol_count ||
        elf_symbol_section(view, entry_symbol(entry)) != tables->target)
        return false;
    if (!map)
        return true;
    const struct code_place *place = place_of_field(map, entry, entry_offset(entry));
    const struct code_place *to = addend <= UINT32_MAX ? code_at(map, (uint32_t)addend) : NULL;
    if (!place || !to || place->is_uncertain)
        return place && to;
    uint32_t at = place_of_step(place, place->patched);
    return bytes_hold(text, at, INSTRUCTION) && read_u32(text.at + at + IMMEDIATE_AT) == to->sass;
}

/* Jump tables: SASS has the offsets of instructions, which mercury leaves to its linker. Of functions that lost a
   relocatable link leaves tables, with 0 for targets that the winner has not. */
static bool
is_same_distance(const struct tables *tables, const uint8_t *entry)
{
    const struct elf_view *view = tables->door->view;
    struct bytes words = elf_contents(view, view->twins[tables->target]);
    const struct code_map *map = map_of_symbol(view, tables->maps, entry_symbol(entry));

    if (tables->is_code)
        return is_same_return(tables, entry);
    if (!map)
        return true;
    uint64_t addend = entry_addend(entry);
    const struct code_place *place = addend <= UINT32_MAX ? code_at(map, (uint32_t)addend) : NULL;
    if (!bytes_hold(words, entry_offset(entry), sizeof place->sass))
        return false;
    uint32_t word = read_u32(words.at + entry_offset(entry));
    return (place && place->sass == word) || (view->is_of_linker && !word);
}

/* Addresses of functions inside of a kernel, in data, or a byte of one: SASS has where they begin in it. */
static bool
is_same_address(const struct tables *tables, const uint8_t *entry)
{
    enum { BYTE_BITS = 8 };
    const struct elf_view *view = tables->door->view;
    struct bytes words = elf_contents(view, view->twins[tables->target]);
    uint32_t symbol = entry_symbol(entry), type = entry_type(entry);
    bool is_whole = type == R_MERCURY_PROG_REL64;
    unsigned byte = is_whole ? 0 : type - R_MERCURY_PROG_REL8_FIRST;

    if (tables->is_code || view->is_of_linker || entry_addend(entry) ||
        symbol >= view->sass_symbol_count)
        return true;
    if (!bytes_hold(words, entry_offset(entry), is_whole ? sizeof(uint64_t) : 1))
        return false;
    uint64_t place = view->sass_symbols[symbol].st_value;
    const uint8_t *at = words.at + entry_offset(entry);
    return is_whole ? read_u64(at) == place : *at == (uint8_t)(place >> byte * BYTE_BITS);
}

/* A bank of jump tables goes to places of the function that it belongs to; whole programs have addresses of
   functions in data, too. */
static bool
is_of_jump_table(const struct tables *tables, const uint8_t *entry)
{
    const struct elf_view *view = tables->door->view;
    uint32_t symbol = entry_symbol(entry), owner = elf_owner(view, tables->target);

    if (view->header.e_type == ET_CUDA_WHOLE_PROGRAM)
        return true;
    return entry_type(entry) == R_MERCURY_PROG_REL32 && owner && symbol < view->symbol_count &&
           elf_symbol_section(view, symbol) == owner &&
           ELF64_ST_TYPE(view->symbols[symbol].st_info) == STT_FUNC;
}

static bool
is_code_or_data(const struct elf_view *view, uint32_t table)
{
    return view->sections[table].sh_info < view->section_count &&
           view->sections[view->sections[table].sh_info].sh_flags & SHF_ALLOC &&
           view->twins[view->sections[table].sh_info];
}

/* The value that SASS has for a symbol of reserved memory. */
static uint32_t
reserved_value(const struct elf_view *view, uint32_t symbol)
{
    const struct generation *generation = arch_generation(flags_sm(view->header.e_flags));
    const char *name = elf_symbol_name(view, symbol);

    if (!strcmp(name, RESERVED_CAPACITY))
        return generation->reserved_shared;
    return strcmp(name, RESERVED_OFFSET) ? 0 : generation->reserved_offset;
}

/* How much reserved memory there is, or where it begins, which SASS has as a number in the same instruction. */
static bool
is_reserved_number(const struct tables *tables, const uint8_t *entry)
{
    const struct elf_view *view = tables->door->view;
    const struct code_map *map = tables->maps[tables->target];
    struct bytes text = elf_contents(view, view->twins[tables->target]);

    if (entry_addend(entry) || !tables->is_code || entry_type(entry) != R_MERCURY_ABS32 ||
        !is_place_of_reloc(R_MERCURY_ABS32, entry_offset(entry)))
        return false;
    const struct code_place *place = map ? place_of_field(map, entry, entry_offset(entry)) : NULL;
    if (!place || place->is_uncertain)
        return !map || place;
    uint32_t at = place_of_step(place, place->patched);
    return arch_generation(flags_sm(view->header.e_flags)) && bytes_hold(text, at, INSTRUCTION) &&
           read_u32(text.at + at + IMMEDIATE_AT) == reserved_value(view, entry_symbol(entry));
}

/* What mercury alone has: distances, and places in reserved memory. */
static void
check_alone(const struct tables *tables, const uint8_t *entry, size_t at, bool is_distance)
{
    uint32_t type = entry_type(entry);

    bool is_odd = is_distance && !tables->is_code && is_of_known_compiler(tables->door->view) &&
                  !is_of_jump_table(tables, entry);
    bool is_same = !is_distance || (type == R_MERCURY_PROG_REL32 ? is_same_distance(tables, entry)
                                                                 : is_same_address(tables, entry));
    if (is_odd || !is_same)
        REFUSE_CONTENTS(tables->door, tables->mercury, at, "the other view goes somewhere else");
    if (!is_distance && tables->door->view->is_of_known_release &&
        !is_reserved_number(tables, entry))
        REFUSE_CONTENTS(tables->door, tables->mercury, at,
                        "0x%llx bytes behind reserved memory are asked for at 0x%llx",
                        (unsigned long long)entry_addend(entry),
                        (unsigned long long)entry_offset(entry));
}

/* Does a word of data say something else in mercury, which only a relocation can be about? */
static bool
is_other_word(struct bytes mercury, struct bytes sass, uint64_t at)
{
    return bytes_hold(mercury, at, sizeof(uint32_t)) && bytes_hold(sass, at, sizeof(uint32_t)) &&
           read_u32(mercury.at + at) != read_u32(sass.at + at);
}

/* Functions inside kernels have addresses, which are no branches. */
static bool
has_branches(struct bytes entries)
{
    for (size_t at = 0; at + STEP <= entries.size; at += STEP)
        if (entry_type(entries.at + at) == R_MERCURY_PROG_REL32)
            return true;
    return false;
}

/* Of each word that says something else in mercury: is there a relocation about it? */
static bool
has_all_branches(const struct tables *tables, struct bytes entries, struct bytes mercury,
                 struct bytes sass)
{
    struct arena_mark mark = arena_mark(tables->door->arena);
    bool *is_about = arena_array(tables->door->arena, mercury.size + 1, sizeof *is_about);
    bool has_all = true;

    for (size_t at = 0; at + STEP <= entries.size; at += STEP)
        if (entry_offset(entries.at + at) < mercury.size)
            is_about[entry_offset(entries.at + at)] = true;
    for (size_t at = 0; at < mercury.size; at += sizeof(uint32_t))
        has_all = has_all && (is_about[at] || !is_other_word(mercury, sass, at));
    arena_release(tables->door->arena, mark);
    return has_all;
}

/* Banks of constants have one relocation for each word of a jump table, and the other words are the same in
   both views. Of functions that lost a relocatable link leaves more relocations, and no record. */
static void
check_jump_tables(const struct tables *tables, struct bytes entries)
{
    const struct elf_view *view = tables->door->view;
    struct bytes mercury = elf_contents(view, tables->target);
    struct bytes sass = elf_contents(view, view->twins[tables->target]);
    bool is_linked = view->is_of_linker;

    if (!is_linked && has_branches(entries) &&
        !tables->door->branches[elf_owner(view, tables->target)])
        REFUSE_CONTENTS(tables->door, tables->mercury, 0, "no record has the targets of branches");
    if (!is_linked && has_repeats(tables->door, entries, STEP, sizeof(uint64_t)))
        REFUSE_CONTENTS(tables->door, tables->mercury, 0, "two relocations of one word");
    if (!has_all_branches(tables, entries, mercury, sass))
        REFUSE_CONTENTS(tables->door, tables->target, 0, "not the constants of the other view");
}

/* How many bytes of data are another number in each view, since they say where in its code something is. */
static unsigned
bytes_of_place(uint32_t type)
{
    if (type >= R_MERCURY_PROG_REL8_FIRST && type <= R_MERCURY_PROG_REL8_LAST)
        return 1;
    return type == R_MERCURY_PROG_REL64   ? sizeof(uint64_t)
           : type == R_MERCURY_PROG_REL32 ? sizeof(uint32_t)
                                          : 0;
}

/* What programs hold values in; banks of the compiler's own constants have jump tables. */
static bool
has_values(const Elf64_Shdr *section)
{
    return section->sh_type == SHT_CUDA_GLOBAL_INIT || section->sh_type == SHT_CUDA_UDT ||
           section->sh_type == SHT_MERCURY_USER_CONSTANTS ||
           section->sh_type == SHT_MERCURY_ADDRESSES;
}

/* They are the same in both views but for such places. */
static void
check_values(const struct tables *tables, struct bytes entries)
{
    const struct elf_view *view = tables->door->view;
    struct bytes mercury = elf_contents(view, tables->target);
    struct bytes sass = elf_contents(view, view->twins[tables->target]);

    if (mercury.at == sass.at || mercury.size != sass.size)
        return;
    uint8_t *values = arena_alloc(tables->door->arena, mercury.size);
    memcpy(values, mercury.at, mercury.size);
    for (size_t at = 0; at + STEP <= entries.size; at += STEP) {
        uint64_t offset = entry_offset(entries.at + at);
        unsigned width = bytes_of_place(entry_type(entries.at + at));

        if (bytes_hold(mercury, offset, width))
            memcpy(values + offset, sass.at + offset, width);
    }
    if (memcmp(values, sass.at, sass.size) != 0)
        REFUSE_CONTENTS(tables->door, tables->target, 0, "not the values of the other view");
}

/* Of entries that name the function itself it is asked where in it; of those that name something else inside of
   it, or places in reserved memory, more than the bytes of both tables say. */
static bool
depends_on_symbols(const struct tables *tables, struct bytes entries, uint32_t own,
                   const struct reserved_symbols *reserved)
{
    const struct elf_view *view = tables->door->view;

    if (own >= view->symbol_count || elf_symbol_section(view, own) != tables->target ||
        view->symbols[own].st_value)
        return true;
    for (size_t at = 0; at + STEP <= entries.size; at += STEP) {
        uint32_t symbol = entry_symbol(entries.at + at);

        if (symbol != own &&
            (symbol >= view->symbol_count || has_reserved_symbol(reserved, symbol) ||
             elf_symbol_section(view, symbol) == tables->target))
            return true;
    }
    return false;
}

/* What is known of the function's code, where its relocations can be, too; NULL otherwise. */
static struct known_function *
known_with_entries(const struct tables *tables, struct bytes entries,
                   const struct reserved_symbols *reserved)
{
    const struct code_map *map = tables->maps[tables->target];
    uint32_t own = elf_text_function(tables->door->view, tables->target);

    return map && map->known && !depends_on_symbols(tables, entries, own, reserved) ? map->known
                                                                                    : NULL;
}

static void
check_entries(struct tables *tables, struct bytes entries, struct bytes sass,
              const struct reserved_symbols *reserved)
{
    const struct door *door = tables->door;
    struct pair pair = {0}, before = {0};

    for (size_t at = 0; at + STEP <= entries.size; at += STEP) {
        pair.mercury = entries.at + at;
        if (!is_inside(tables, pair.mercury))
            REFUSE_CONTENTS(door, tables->mercury, at, "the relocation is past the end");
        bool is_against = has_reserved_symbol(reserved, entry_symbol(pair.mercury));
        if (is_against || is_distance_in_code(entry_type(pair.mercury))) {
            check_alone(tables, pair.mercury, at, !is_against);
            continue;
        }
        if (sass.size - pair.at < STEP)
            REFUSE_CONTENTS(door, tables->mercury, at, "the other view has no such relocation");
        pair.sass = sass.at + pair.at;
        check_pair(tables, &pair, &before);
        before = pair;
        pair.at += STEP;
    }
    for (; pair.at + STEP <= sass.size && tables->is_code &&
           is_of_yield(entry_type(sass.at + pair.at));
         pair.at += STEP)
        continue;
    if (pair.at != sass.size)
        REFUSE_CONTENTS(door, tables->sass, pair.at, "the other view has no such relocation");
}

void
check_relocation_twins(const struct door *door, uint32_t mercury, struct code_map *const *maps,
                       const struct reserved_symbols *reserved)
{
    const struct elf_view *view = door->view;

    if (!is_code_or_data(view, mercury))
        return;
    struct tables tables = {.door = door,
                            .maps = maps,
                            .mercury = mercury,
                            .sass = view->twins[mercury],
                            .target = view->sections[mercury].sh_info};
    struct bytes entries = elf_contents(view, mercury), sass = elf_contents(view, tables.sass);
    uint32_t own = elf_text_function(view, tables.target);

    tables.size = view->sections[view->twins[tables.target]].sh_size;
    tables.is_code = view->sections[tables.target].sh_flags & SHF_EXECINSTR;
    struct known_function *known = known_with_entries(&tables, entries, reserved);
    if (known && known->symbol == own && is_known_pair(&known->relocations, entries, sass))
        return;
    check_entries(&tables, entries, sass, reserved);
    if (known) {
        known->relocations = (struct known_pair){entries, sass};
        known->symbol = own;
    }
    if (view->sections[tables.target].sh_type == SHT_CUDA_CONSTANT2 && view->is_of_known_release)
        check_jump_tables(&tables, entries);
    if (has_values(&view->sections[tables.target]))
        check_values(&tables, entries);
}
