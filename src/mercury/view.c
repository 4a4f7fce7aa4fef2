#include "mercury/view.h"

#include "base/diag.h"
#include "cubin/notes.h"
#include "door/door.h"
#include "door/views.h"
#include "mercury/capsule.h"
#include "mercury/idle_waits.h"
#include "mercury/kept_operands.h"
#include "mercury/known_code.h"
#include "mercury/mercury.h"
#include "mercury/twins.h"

#define DAMAGED(...) diag_damaged(opener->arena->diag, opener->view->file_name, __VA_ARGS__)

struct opener {
    struct elf_view *view;
    struct arena *arena;
    struct arena *scratch;
    Elf64_Shdr *sections; /* of the view, to be changed */
    uint8_t *prefixes;    /* twin -> how much of its name says that it is one; 0: nothing */
    uint32_t *twins;
    uint32_t *parameter_banks;
    uint32_t image_slots; /* the first twin that is one, 0: none */
    struct view_facts facts;
};

static bool
is_twin(const struct opener *opener, uint32_t index)
{
    return opener->sections[index].sh_flags & SHF_CUDA_MERCURY;
}

/* Finds the first twin and what their names begin with. */
static void
find_twins(struct opener *opener)
{
    uint32_t count = opener->view->section_count;
    struct bytes names = opener->view->section_names;

    opener->facts.first_twin = 1;
    while (opener->facts.first_twin < count && !is_twin(opener, opener->facts.first_twin))
        opener->facts.first_twin++;
    for (uint32_t i = opener->facts.first_twin; i < count; i++) {
        size_t at = opener->sections[i].sh_name;

        if (!is_twin(opener, i))
            continue;
        if (opener->sections[i].sh_type == SHT_MERCURY_IMAGE_SLOTS && !opener->image_slots)
            opener->image_slots = i;
        opener->prefixes[i] = (uint8_t)twin_prefix((struct bytes){names.at + at, names.size - at});
    }
}

static void
join(struct opener *opener, uint32_t twin, uint32_t counterpart)
{
    opener->twins[twin] = counterpart;
    opener->twins[counterpart] = twin;
}

/* It takes no part in the link; contents that it has can still be read. */
static void
hide(Elf64_Shdr *section)
{
    if (has_no_contents(section->sh_type))
        section->sh_offset = section->sh_size = 0;
    section->sh_type = SHT_NULL;
}

/* Takes the twin into the link: name, type and flags become those of its counterpart. */
static void
rename_twin(struct opener *opener, uint32_t index)
{
    Elf64_Shdr *section = &opener->sections[index];
    const char *name = elf_section_name(opener->view, index);
    size_t prefix = opener->prefixes[index];
    const struct twin_kind *kind = twin_kind_of(section->sh_type);

    if (!prefix || !kind)
        DAMAGED(name, section->sh_offset, "mercury has no sections of type 0x%x of that name",
                section->sh_type);
    section->sh_name += (uint32_t)prefix;
    section->sh_type = kind->type == SHT_CUDA_CAPSULE
                           ? opener->view->sections[opener->twins[index]].sh_type
                           : kind->plain_type;
    section->sh_flags = (section->sh_flags & ~(uint64_t)SHF_CUDA_MERCURY) | kind->plain_flags;
}

/* Does each wait have a reason, unless settings or sanitizers move some, and each operand that is kept? NULL, or what
   is wrong. */
static const char *
check_schedule(struct opener *opener, struct bytes text, bool has_settings,
               struct capsule_place *place)
{
    *place = (struct capsule_place){SIZE_MAX, true};
    if (!has_settings && !opener->view->is_sanitized)
        place->offset = find_idle_wait(text, opener->scratch);
    if (place->offset != SIZE_MAX)
        return "a wait for a scoreboard that nothing takes";
    place->offset = find_idle_operand(text);
    return place->offset == SIZE_MAX ? NULL : "an operand that is kept for nothing";
}

/* The map of its code, in that memory; NULL: there is none. */
static struct code_map *
check_capsule(struct opener *opener, uint32_t index, uint32_t text, struct arena *arena)
{
    const struct elf_view *view = opener->view;
    enum text_writer writer = view->is_of_known_release    ? TEXT_OF_COMPILER
                              : view->is_of_other_compiler ? TEXT_OF_OTHER_COMPILER
                                                           : TEXT_OF_ANY;
    struct code_map_maker maker = {.arena = arena, .text = elf_contents(view, text)};
    struct capsule_place place;
    const char *problem =
        capsule_check(elf_contents(view, index), maker.text, writer, &place, &maker);
    if (!problem && is_of_known_compiler(view))
        problem = check_schedule(opener, maker.text, maker.has_settings, &place);
    uint32_t section = place.is_in_text ? text : index;
    if (problem)
        DAMAGED(elf_section_name(view, section), opener->sections[section].sh_offset + place.offset,
                "%s", problem);
    return code_map_end(&maker) ? maker.map : NULL;
}

/* What is known was written by one compiler for one target, that of the first input. */
static bool
may_be_known(const struct opener *opener)
{
    const struct elf_view *view = opener->view;
    struct known_code *known = opener->facts.known;

    if (!known || !is_of_known_compiler(view) || view->header.e_type != ET_REL)
        return false;
    if (!known->target)
        known->target = flags_sm(view->header.e_flags);
    return known->target == flags_sm(view->header.e_flags);
}

/* Weak functions come with several inputs; others are worth it once they did. */
static bool
may_come_again(const struct opener *opener, uint32_t text, const struct code_key *key)
{
    const struct elf_view *view = opener->view;
    uint32_t function = elf_text_function(view, text);

    return (function < view->sass_symbol_count &&
            ELF64_ST_BIND(view->sass_symbols[function].st_info) == STB_WEAK) ||
           known_code_meet(opener->facts.known, key);
}

/* What follows the last instruction of mercury was found to be no code. */
static bool
has_timed_code(const struct opener *opener, const struct code_map *map, struct bytes text)
{
    if (map && is_of_known_compiler(opener->view))
        text.size = map->places.at[map->places.count - 1].sass;
    return mercury_has_timed_code(text);
}

/* Maps of what comes again are kept: few functions come twice and not more often. */
static void
read_capsule(struct opener *opener, uint32_t index, uint32_t text)
{
    const struct elf_view *view = opener->view;
    struct bytes code = elf_contents(view, text), capsule = elf_contents(view, index);
    struct code_map **map = &opener->facts.maps[index];
    struct code_key key = may_be_known(opener) ? code_key(code, capsule) : (struct code_key){0};
    struct known_function *known = key.hash ? known_code_find(opener->facts.known, &key) : NULL;

    if (known && known->is_mapped) {
        *map = known->map;
        opener->view->has_timed_code |= known->has_timed_code;
        return;
    }
    *map = check_capsule(opener, index, text, known ? opener->facts.known->arena : opener->scratch);
    bool is_timed = (!known && view->has_timed_code) || has_timed_code(opener, *map, code);
    opener->view->has_timed_code |= is_timed;
    if (known) {
        known->is_mapped = true;
        known->map = *map;
        known->has_timed_code = is_timed;
    } else if (key.hash && may_come_again(opener, text, &key)) {
        known = known_code_add(opener->facts.known, &key);
    }
    if (*map)
        (*map)->known = known;
}

/* A capsule names its text. */
static void
join_capsule(struct opener *opener, uint32_t index)
{
    const struct elf_view *view = opener->view;
    const char *name = elf_section_name(view, index);
    struct bytes capsule = elf_contents(view, index);
    uint32_t text = capsule.size >= sizeof(uint32_t) ? capsule_text(capsule) : 0;

    if (text == 0 || text >= view->section_count || is_twin(opener, text) ||
        !(opener->sections[text].sh_flags & SHF_EXECINSTR) || opener->twins[text] ||
        strcmp(elf_section_name(view, text), name + opener->prefixes[index]) != 0)
        DAMAGED(name, opener->sections[index].sh_offset, "section %u is not its text", text);
    if (opener->sections[index].sh_info != opener->sections[text].sh_info && !view->is_of_linker)
        DAMAGED(name, opener->sections[index].sh_offset, "its text is that of another function");
    read_capsule(opener, index, text);
    join(opener, index, text);
}

/* All other twins stand in the order of their counterparts. */
static void
join_by_order(struct opener *opener)
{
    uint32_t plain = 1;

    for (uint32_t i = opener->facts.first_twin; i < opener->view->section_count; i++) {
        if (!is_twin(opener, i) || opener->twins[i])
            continue;
        const char *name = elf_section_name(opener->view, i);
        const char *wanted = name + opener->prefixes[i];
        if (opener->sections[i].sh_type == SHT_MERCURY_SYMTAB) {
            if (!opener->view->symtab)
                DAMAGED(name, opener->sections[i].sh_offset, "the file has no .symtab");
            join(opener, i, opener->view->symtab);
            continue;
        }
        while (plain < opener->view->section_count &&
               (is_twin(opener, plain) ||
                !is_sass_name_of(elf_section_name(opener->view, plain), wanted)))
            plain++;
        if (plain == opener->view->section_count)
            DAMAGED(name, opener->sections[i].sh_offset, "there is no section '%s' to match",
                    wanted);
        join(opener, i, plain++);
    }
}

/* nvlink reads the twin of reserved memory from the file, although there is nothing in it. */
static bool
is_reserved_in_file(const struct opener *opener, const Elf64_Shdr *twin, const Elf64_Shdr *plain)
{
    return twin->sh_type != SHT_CUDA_SHARED_RESERVED || opener->view->is_of_linker ||
           (twin->sh_size == plain->sh_size &&
            bytes_hold(opener->view->file, twin->sh_offset, twin->sh_size));
}

/* Slots of textures are behind the parameters in SASS; else data is as long in both views. */
static bool
is_size_of_twin(const Elf64_Shdr *twin, const Elf64_Shdr *plain)
{
    return twin->sh_type == SHT_MERCURY_IMAGE_SLOTS ? twin->sh_size <= plain->sh_size
                                                    : twin->sh_size == plain->sh_size;
}

/* Is some of it said by relocations, in each view by its own? */
static bool
has_places(const struct opener *opener, uint32_t index)
{
    const struct elf_view *view = opener->view;

    if (!view->is_of_linker && view->header.e_type == ET_REL)
        return false;
    for (uint32_t i = opener->facts.first_twin; i < view->section_count; i++)
        if (opener->twins[i] && opener->sections[i].sh_info == index &&
            opener->sections[i].sh_type == SHT_MERCURY_RELA)
            return true;
    return false;
}

/* Variables with values, and constants of the program, are the same, and mostly there once; only places
   inside of kernels are others in each view (door/relocation_twins.c). */
static void
check_shared_bytes(const struct opener *opener, uint32_t index)
{
    const Elf64_Shdr *twin = &opener->sections[index];
    const Elf64_Shdr *plain = &opener->sections[opener->twins[index]];
    bool is_shared = twin->sh_type == SHT_CUDA_GLOBAL_INIT || twin->sh_type == SHT_CUDA_UDT ||
                     twin->sh_type == SHT_MERCURY_USER_CONSTANTS ||
                     twin->sh_type == SHT_MERCURY_ADDRESSES;

    if (is_shared && twin->sh_offset != plain->sh_offset && !has_places(opener, index) &&
        !bytes_equal(elf_contents(opener->view, index),
                     elf_contents(opener->view, opener->twins[index])))
        DAMAGED(elf_section_name(opener->view, index), twin->sh_offset,
                "data that is other than at 0x%llx", (unsigned long long)plain->sh_offset);
}

/* What describes a text or data in SASS describes its counterpart in mercury. */
static void
check_described(const struct opener *opener, uint32_t index)
{
    const Elf64_Shdr *twin = &opener->sections[index];
    uint32_t plain = opener->sections[opener->twins[index]].sh_info;

    if (twin->sh_flags & SHF_INFO_LINK && plain < opener->view->section_count &&
        opener->twins[plain] && opener->twins[plain] != twin->sh_info)
        DAMAGED(elf_section_name(opener->view, index), twin->sh_offset,
                "it is about section %u, which is not the counterpart of section %u", twin->sh_info,
                plain);
}

/* Where bytes must be the same in both views, or relocations stand at the same places. */
static void
check_sizes(struct opener *opener)
{
    for (uint32_t i = opener->facts.first_twin; i < opener->view->section_count; i++) {
        const Elf64_Shdr *twin = &opener->sections[i];
        if (!is_twin(opener, i))
            continue;
        const Elf64_Shdr *plain = &opener->sections[opener->twins[i]];
        check_described(opener, i);
        if (twin->sh_type != SHT_CUDA_CAPSULE) /* those were compared with their texts */
            door_check_twins(opener->view, opener->arena, i, opener->twins[i], &opener->facts);
        if (!(twin->sh_flags & SHF_ALLOC)) /* as of all but data */
            continue;
        if (!is_reserved_in_file(opener, twin, plain))
            DAMAGED(elf_section_name(opener->view, i), twin->sh_offset,
                    "0x%llx bytes that are not in the file", (unsigned long long)twin->sh_size);
        if (!has_no_contents(twin->sh_type) && !is_size_of_twin(twin, plain))
            DAMAGED(elf_section_name(opener->view, i), twin->sh_offset,
                    "0x%llx bytes, and 0x%llx in the other view", (unsigned long long)twin->sh_size,
                    (unsigned long long)plain->sh_size);
        check_shared_bytes(opener, i);
    }
}

static void
check_banks(struct opener *opener)
{
    const struct elf_view *view = opener->view;

    if (opener->image_slots && !elf_may_have_slots(view))
        DAMAGED(elf_section_name(view, opener->image_slots),
                opener->sections[opener->image_slots].sh_offset,
                "slots of textures in a part of a program");
    door_check_banks(view, opener->arena, opener->twins, opener->parameter_banks);
}

static void
find_sass_symbols(struct opener *opener)
{
    struct elf_view *view = opener->view;
    struct elf_view sass = *view;

    elf_open_symbols(&sass, opener->arena);
    door_check(&sass, opener->scratch);
    view->symtab = sass.symtab;
    view->sass_symbols = sass.symbols;
    view->sass_symbol_count = sass.symbol_count;
}

/* What links use is taken from mercury alone. */
static bool
needs_twin(const Elf64_Shdr *section)
{
    return is_relocation_table(section->sh_type) || section->sh_type == SHT_CUDA_INFO ||
           section->sh_flags & SHF_EXECINSTR;
}

/* Sections that describe a text now describe its twin. */
static void
hide_counterparts(struct opener *opener)
{
    for (uint32_t i = 1, count = opener->view->section_count; i < count; i++) {
        Elf64_Shdr *section = &opener->sections[i];

        if (is_twin(opener, i))
            continue;
        bool names_section = section->sh_flags & SHF_INFO_LINK && section->sh_info < count;
        if (section->sh_type == SHT_CUDA_CONSTANT0 && names_section)
            opener->parameter_banks[section->sh_info] = i;
        if (!opener->twins[i] && needs_twin(section))
            DAMAGED(elf_section_name(opener->view, i), section->sh_offset,
                    "the section has no counterpart in mercury");
        if (opener->twins[i] || section->sh_type == SHT_CUDA_CONSTANT0)
            hide(section);
        else if (names_section && opener->twins[section->sh_info])
            section->sh_info = opener->twins[section->sh_info];
    }
}

/* Compilers always write it, be it empty. Where it has another name in both views, it would be taken for a
   section of the program. */
static void
check_has_frames(const struct opener *opener)
{
    const struct elf_view *view = opener->view;

    for (uint32_t i = opener->facts.first_twin; i < view->section_count; i++)
        if (opener->sections[i].sh_type == SHT_PROGBITS && is_twin(opener, i) &&
            !strcmp(elf_section_name(view, opener->twins[i]), ".debug_frame"))
            return;
    if (view->header.e_type == ET_REL && !view->is_of_linker)
        DAMAGED("the section header table", view->header.e_shoff, "there is no .debug_frame");
}

static bool
is_code_size(const struct elf_view *view, uint32_t section, uint64_t mercury, uint64_t sass)
{
    if (mercury % SASS_INSTRUCTION)
        return false;
    return mercury / 2 <= sass || (section < view->section_count &&
                                   capsule_holds_place(elf_contents(view, section), mercury, sass));
}

/* Places inside of code are others in each view; where reserved memory begins and ends only SASS says. */
static bool
is_same_value(const struct elf_view *view, const Elf64_Sym *mercury, const Elf64_Sym *sass)
{
    if (ELF64_ST_TYPE(mercury->st_info) == STT_FUNC)
        return !mercury->st_value == !sass->st_value &&
               is_code_size(view, mercury->st_shndx, mercury->st_value, sass->st_value);
    bool is_of_loader = mercury->st_shndx == SHN_UNDEF && !memory_space(mercury->st_other) &&
                        ELF64_ST_BIND(mercury->st_info) != STB_LOCAL;
    if (is_of_loader || (mercury->st_shndx == SHN_UNDEF && !mercury->st_value))
        return !mercury->st_value;
    return mercury->st_value == sass->st_value;
}

/* What has a section of its own in each view is in both; other sections they share. */
static bool
is_same_section(const struct elf_view *view, uint32_t mercury, uint32_t sass)
{
    return mercury == sass ||
           (mercury < view->section_count && sass && view->twins[mercury] == sass);
}

/* The symbol of a section is called like it; others have one name in both views. */
static bool
is_same_name(const struct elf_view *view, uint32_t symbol)
{
    const Elf64_Sym *mercury = &view->symbols[symbol];

    if (ELF64_ST_TYPE(mercury->st_info) != STT_SECTION)
        return mercury->st_name == view->sass_symbols[symbol].st_name;
    return !strcmp(elf_symbol_name(view, symbol),
                   elf_section_name(view, elf_symbol_section(view, symbol)));
}

/* Code has another size and place in each view. */
static bool
is_same_symbol(const struct elf_view *view, uint32_t symbol)
{
    const Elf64_Sym *mercury = &view->symbols[symbol], *sass = &view->sass_symbols[symbol];
    unsigned type = ELF64_ST_TYPE(mercury->st_info);
    bool is_code = type == STT_FUNC && mercury->st_shndx != SHN_UNDEF;

    return mercury->st_info == sass->st_info && mercury->st_other == sass->st_other &&
           is_same_section(view, mercury->st_shndx, sass->st_shndx) &&
           (is_code ? is_code_size(view, mercury->st_shndx, mercury->st_size, sass->st_size)
                    : mercury->st_size == sass->st_size) &&
           is_same_value(view, mercury, sass) && is_same_name(view, symbol);
}

/* One numbering for both views: behind the common symbols come those of parameter banks. */
static void
check_symbols(const struct opener *opener)
{
    const struct elf_view *view = opener->view;

    if (!view->symtab || !view->twins[view->symtab])
        DAMAGED("the section header table", view->header.e_shoff, "there are no mercury symbols");
    if (view->symbol_count > view->sass_symbol_count)
        DAMAGED(elf_section_name(view, view->symtab), view->sections[view->symtab].sh_offset,
                "%u symbols, and %u in the other view", view->symbol_count,
                view->sass_symbol_count);
    for (uint32_t i = 0; i < view->symbol_count; i++)
        if (!is_same_symbol(view, i))
            DAMAGED(elf_section_name(view, view->symtab), view->sections[view->symtab].sh_offset,
                    "symbol %u is not the same in both views", i);
}

/* The low byte of the flags is the kind of the file, of which it can have but one. */
static void
check_kind(const struct opener *opener)
{
    uint8_t kind = opener->view->header.e_flags & UINT8_MAX;

    if (kind != CUBIN_FLAG_MERCURY)
        DAMAGED("the ELF header", offsetof(Elf64_Ehdr, e_flags), "a file of kind 0x%x", kind);
}

void
mercury_view_open(struct elf_view *view, const char *file_name, struct bytes file, bool is_trusted,
                  struct arena *arena, struct arena *scratch, struct known_code *known)
{
    struct opener opener = {.view = view,
                            .arena = arena,
                            .scratch = scratch,
                            .facts.known = known,
                            .facts.kept = arena};

    elf_open_sections(view, file_name, file, arena);
    if (is_trusted)
        elf_trust(view);
    check_kind(&opener);
    uint32_t count = view->section_count;
    opener.sections = arena_alloc(arena, count * sizeof *opener.sections);
    memcpy(opener.sections, view->sections, count * sizeof *opener.sections);
    opener.prefixes = arena_array(scratch, count, sizeof *opener.prefixes);
    opener.facts.records = arena_array(scratch, count, 1);
    opener.facts.maps = arena_array(scratch, count, sizeof *opener.facts.maps);
    opener.twins = arena_array(arena, count, sizeof *opener.twins);
    opener.parameter_banks = arena_array(arena, count, sizeof *opener.parameter_banks);

    find_twins(&opener);
    find_sass_symbols(&opener);
    for (uint32_t i = opener.facts.first_twin; i < count; i++)
        if (is_twin(&opener, i) && opener.sections[i].sh_type == SHT_CUDA_CAPSULE)
            join_capsule(&opener, i);
    join_by_order(&opener);
    check_sizes(&opener);
    check_has_frames(&opener);
    hide_counterparts(&opener);
    check_banks(&opener);
    for (uint32_t i = opener.facts.first_twin; i < count; i++)
        if (is_twin(&opener, i))
            rename_twin(&opener, i);

    view->sections = opener.sections;
    view->twins = opener.twins;
    view->parameter_banks = opener.parameter_banks;
    view->symtab = 0;
    elf_open_symbols(view, arena);
    check_symbols(&opener);
    view->has_frames_alone = !door_check_places(view, &opener.facts, scratch);
    view->marks = opener.facts.marks;
}

void
sass_view_open(struct elf_view *view, const char *file_name, struct bytes file, bool is_trusted,
               struct arena *arena, struct arena *scratch)
{
    struct elf_view both = {0};

    elf_open(view, file_name, file, arena);
    if (is_trusted)
        elf_trust(view);
    if (!(view->header.e_flags & CUBIN_FLAG_MERCURY)) {
        door_check(view, scratch);
        return;
    }
    /* Are they the same? */
    mercury_view_open(&both, file_name, file, is_trusted, scratch, scratch, NULL);
    size_t size = view->section_count * sizeof(Elf64_Shdr);
    Elf64_Shdr *sections = memcpy(arena_alloc(arena, size), view->sections, size);
    for (uint32_t i = 1; i < view->section_count; i++)
        if (sections[i].sh_flags & SHF_CUDA_MERCURY)
            hide(&sections[i]);
    view->sections = sections;
}
