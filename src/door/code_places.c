#include "mercury/code_places.h"

#include "cubin/nvinfo.h"
#include "door/check.h"
#include "door/views.h"
#include "elfw/elfw.h"
#include "mercury/known_code.h"
#include "schedule/instruction.h"

/* Both views of a function, and where its instructions are in each. */
struct code {
    struct door door;
    const struct code_map *map;
    uint32_t mercury, sass; /* sections */
};

struct code_map *
map_of_symbol(const struct elf_view *view, struct code_map *const *maps, uint32_t symbol)
{
    uint32_t text = symbol < view->symbol_count ? elf_symbol_section(view, symbol) : 0;

    return text && text < view->section_count && !view->symbols[symbol].st_value ? maps[text]
                                                                                 : NULL;
}

/* ---- records ---- */

/* A place of mercury is that of an instruction; in SASS it is one of those that it becomes. */
static bool
is_same_place(const struct code_map *map, uint32_t mercury, uint32_t sass)
{
    const struct code_place *place = code_at_both(map, mercury, sass);
    const struct code_place *end = &map->places.at[map->places.count - 1];

    while (place && place != end && place->sass == place[1].sass) /* it stands for no instruction */
        place++;
    return place && place != end && place->sass <= sass && sass < place[1].sass &&
           sass % INSTRUCTION_SIZE == 0;
}

/* Words of both records from there on. */
static bool
is_same_word(struct bytes mercury, struct bytes sass, size_t at)
{
    return read_u32(mercury.at + at) == read_u32(sass.at + at);
}

static bool
is_same_place_at(const struct code_map *map, struct bytes mercury, struct bytes sass, size_t at)
{
    return is_same_place(map, read_u32(mercury.at + at), read_u32(sass.at + at));
}

/* Of each branch its place, a word, how many targets it has, and these. */
static bool
has_same_branches(const struct code_map *map, struct bytes mercury, struct bytes sass)
{
    enum { WORD = sizeof(uint32_t), COUNT_AT = 2 * WORD, TARGETS_AT = 3 * WORD };

    for (size_t at = 0; at + TARGETS_AT <= mercury.size;) {
        size_t count = read_u32(mercury.at + at + COUNT_AT);

        if (!is_same_place_at(map, mercury, sass, at) || !is_same_word(mercury, sass, at + WORD) ||
            !is_same_word(mercury, sass, at + COUNT_AT) ||
            count > (mercury.size - at - TARGETS_AT) / WORD)
            return false;
        at += TARGETS_AT;
        for (; count > 0; count--, at += WORD)
            if (!is_same_place_at(map, mercury, sass, at))
                return false;
    }
    return true;
}

/* Behind one of a kind that is not known nothing is. */
static bool
has_same_annotations(const struct code_map *map, struct bytes mercury, struct bytes sass)
{
    enum { WORD = sizeof(uint32_t) };
    size_t at = 0, offset = 0, place;

    while (info_next_annotation(mercury, &offset, &place))
        for (; at < offset; at += WORD)
            if (at == place && place
                    ? !map->has_settings && !is_same_place_at(map, mercury, sass, at)
                    : !is_same_word(mercury, sass, at))
                return false;
    return true;
}

static bool
has_same_places(const struct code_map *map, const struct info_record *mercury,
                const struct info_record *sass)
{
    uint8_t words = info_words_per_place(mercury->attribute);
    size_t step = words * sizeof(uint32_t);

    if (mercury->payload.size != sass->payload.size)
        return false;
    if (mercury->attribute == EIATTR_INDIRECT_BRANCH_TARGETS)
        return has_same_branches(map, mercury->payload, sass->payload);
    if (mercury->attribute == EIATTR_ANNOTATIONS)
        return has_same_annotations(map, mercury->payload, sass->payload);
    if (words == INFO_PLACES_OTHERWISE || mercury->attribute == EIATTR_INSTR_REG_MAP)
        return true;
    for (size_t at = 0; at + step <= mercury->payload.size && at + step <= sass->payload.size;
         at += step)
        if (!is_same_place(map, read_u32(mercury->payload.at + at),
                           read_u32(sass->payload.at + at)))
            return false;
    return true;
}

static bool
next_with_places(struct bytes records, size_t *offset, struct info_record *record)
{
    while (info_next(records, offset, record))
        if (info_words_per_place(record->attribute))
            return true;
    return false;
}

static void
check_record_places(const struct code *code, struct bytes mercury, struct bytes sass)
{
    struct info_record one, other;
    size_t at = 0, there = 0;

    while (next_with_places(mercury, &at, &one) && next_with_places(sass, &there, &other))
        if (!has_same_places(code->map, &one, &other))
            REFUSE_CONTENTS(&code->door, code->mercury, one.whole.at - mercury.at,
                            "no instruction of the other view is meant");
}

static void
check_places_of_records(const struct code *code, uint8_t facts)
{
    struct bytes mercury = elf_contents(code->door.view, code->mercury);
    struct bytes sass = elf_contents(code->door.view, code->sass);

    if (facts & MAY_NAME_PLACES)
        check_record_places(code, mercury, sass);
    if (code->map->known && !(facts & MUST_KNOW_SYMBOLS))
        code->map->known->records = (struct known_pair){mercury, sass};
}

/* ---- all of them ---- */

static bool
is_mercury_text(const struct elf_view *view, uint32_t section)
{
    return view->sections[section].sh_flags & SHF_EXECINSTR &&
           view->sections[section].sh_type == SHT_PROGBITS && view->twins[section];
}

/* Are all lengths together that of the function? */
static bool
is_as_long_as_function(const struct elf_view *view, const struct code_map *map, uint32_t text)
{
    uint32_t owner = elf_text_function(view, text);

    return owner < view->symbol_count && code_map_length(map) == view->symbols[owner].st_size;
}

/* False: the map is of no use, as lengths of instructions without a record are not known for certain. Those of today's
   compiler are: of code that has others nvlink makes something else, or dies. */
static bool
is_map_of_function(const struct door *door, uint32_t text, const struct code_map *map)
{
    const struct elf_view *view = door->view;

    if (!is_mercury_text(view, text))
        return false;
    if (is_as_long_as_function(view, map, text))
        return true;
    if (is_of_known_compiler(view))
        REFUSE_CONTENTS(door, view->twins[text], 0,
                        "its instructions have 0x%x bytes in mercury, which is not their function",
                        code_map_length(map));
    return false;
}

/* Of each text: does a record say where its branches lead? NULL where there is no bank that they could be in. */
static const bool *
list_branches(const struct elf_view *view, struct arena *arena)
{
    bool *branches = NULL;
    struct info_record record;

    for (uint32_t i = 1; i < view->section_count && !branches; i++)
        if (view->sections[i].sh_type == SHT_CUDA_CONSTANT2)
            branches = arena_array(arena, view->section_count, sizeof *branches);
    for (uint32_t i = 1; branches && i < view->section_count; i++)
        if (view->sections[i].sh_type == SHT_CUDA_INFO)
            for (size_t at = 0; info_next(elf_contents(view, i), &at, &record);)
                branches[elf_owner(view, i)] |= record.attribute == EIATTR_INDIRECT_BRANCH_TARGETS;
    return branches;
}

static struct reserved_symbols
find_reserved_symbols(const struct elf_view *view)
{
    struct reserved_symbols symbols = {0};

    for (uint32_t i = 1; i < view->symbol_count; i++)
        if (*elf_symbol_name(view, i) == *RESERVED_CAPACITY &&
            is_reserved_symbol(elf_symbol_name(view, i)))
            add_reserved_symbol(&symbols, i);
    return symbols;
}

/* ---- functions inside others ---- */

/* A place in code of `map`, or the end; in SASS, whose text is so long, NOPs belong to the last one. */
static bool
is_same_limit(const struct code_map *map, uint64_t length, uint64_t mercury, uint64_t sass)
{
    if (mercury == code_map_length(map))
        return sass == length;
    return mercury <= UINT32_MAX && sass <= UINT32_MAX &&
           is_same_place(map, (uint32_t)mercury, (uint32_t)sass);
}

/* Do both views say from where on and up to where the part of the text is a function? */
static bool
is_same_part(const struct elf_view *view, const struct code_map *map, uint32_t text,
             uint32_t symbol)
{
    const Elf64_Sym *mercury = &view->symbols[symbol], *sass = &view->sass_symbols[symbol];
    uint64_t length = view->sections[view->twins[text]].sh_size;

    return is_same_limit(map, length, mercury->st_value, sass->st_value) &&
           !mercury->st_size == !sass->st_size &&
           (!mercury->st_size || is_same_limit(map, length, mercury->st_value + mercury->st_size,
                                               sass->st_value + sass->st_size));
}

/* Only compilers' whole programs have such. */
static void
check_inner_functions(const struct door *door, struct code_map *const *maps)
{
    const struct elf_view *view = door->view;

    for (uint32_t i = 1; i < view->symbol_count && !view->is_of_linker; i++) {
        const Elf64_Sym *symbol = &view->symbols[i];
        uint32_t text = symbol->st_value ? elf_symbol_section(view, i) : 0;

        if (text && text < view->section_count && maps[text] &&
            ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && !is_same_part(view, maps[text], text, i))
            REFUSE_CONTENTS(door, view->symtab, i * sizeof *symbol,
                            "'%s' is another part of the code than in the other view",
                            elf_symbol_name(view, i));
    }
}

/* ---- debug sections ---- */

static bool
is_debug_section(const struct elf_view *view, uint32_t section)
{
    return view->sections[section].sh_type == SHT_PROGBITS &&
           !(view->sections[section].sh_flags & SHF_ALLOC) && view->twins[section];
}

/* A table of relocations of what both views say alike for debuggers. */
static bool
is_of_common_section(const struct elf_view *view, uint32_t table)
{
    uint32_t target = view->sections[table].sh_info;

    return target < view->section_count && is_debug_section(view, target) &&
           is_common_debug_section(elf_section_name(view, target));
}

/* The relocations of the section; 0: there are none. */
static uint32_t
table_of(const struct elf_view *view, uint32_t section)
{
    for (uint32_t i = 1; i < view->section_count; i++)
        if (view->sections[i].sh_type == SHT_RELA && view->sections[i].sh_info == section)
            return i;
    return 0;
}

/* The debug section of mercury of that name; 0: there is none. */
static uint32_t
section_called(const struct elf_view *view, const char *name)
{
    for (uint32_t i = 1; i < view->section_count; i++)
        if (is_debug_section(view, i) && !strcmp(elf_section_name(view, i), name))
            return i;
    return 0;
}

/* False: there are more frames in mercury. */
static bool
check_debug_section(const struct door *door, uint32_t section, struct code_map *const *maps)
{
    const char *name = elf_section_name(door->view, section);

    bool as_many_frames = true;

    if (!strcmp(name, ".debug_frame"))
        as_many_frames = check_mercury_frames(door, section, table_of(door->view, section), maps);
    else if (!strcmp(name, ".debug_line") || !strcmp(name, ".nv_debug_line_sass"))
        check_lines(door, section, table_of(door->view, section), maps);
    else if (!strcmp(name, ".nv_debug_info_reg_sass"))
        check_registers(door, section, section_called(door->view, ".nv_debug_info_reg_type"), maps);
    return as_many_frames;
}

bool
door_check_places(const struct elf_view *view, struct view_facts *facts, struct arena *scratch)
{
    struct door door = {.view = view,
                        .arena = scratch,
                        .known = facts->known,
                        .facts = facts,
                        .branches = list_branches(view, scratch)};
    struct reserved_symbols reserved = find_reserved_symbols(view);
    uint32_t count = view->section_count;
    struct code_map **maps = facts->maps;
    struct line_units units = {0};
    bool as_many_frames = true;

    for (uint32_t i = facts->first_twin; i < count; i++)
        if (maps[i] && !is_map_of_function(&door, i, maps[i]))
            maps[i] = NULL;
    check_inner_functions(&door, maps);
    for (uint32_t i = facts->first_twin; i < count; i++) {
        const Elf64_Shdr *section = &view->sections[i];

        if (!view->twins[i])
            continue;
        if (section->sh_type == SHT_RELA && is_of_common_section(view, i))
            check_debug_places(&door, i, maps, &units);
        else if (section->sh_type == SHT_RELA)
            check_relocation_twins(&door, i, maps, &reserved);
        else if (section->sh_type == SHT_CUDA_INFO && section->sh_info < count &&
                 maps[section->sh_info])
            check_places_of_records(&(struct code){door, maps[section->sh_info], i, view->twins[i]},
                                    facts->records[i]);
        else if (is_debug_section(view, i))
            as_many_frames &= check_debug_section(&door, i, maps);
    }
    return as_many_frames;
}
