#include "door/views.h"

#include "cubin/nvinfo.h"
#include "cubin/reloc_entry.h"
#include "cubin/reloc_table.h"
#include "door/check.h"
#include "mercury/known_code.h"
#include "mercury/reloc_pairs.h"

/* ---- records ---- */

/* Records with a payload that is the same in both views; others are about places and registers. */
static const bool is_common[UINT8_MAX + 1] = {
    [EIATTR_EXTERNS] = true,     [EIATTR_FRAME_SIZE] = true,       [EIATTR_MIN_STACK_SIZE] = true,
    [EIATTR_KPARAM_INFO] = true, [EIATTR_CRS_STACK_SIZE] = true,   [EIATTR_MAX_STACK_SIZE] = true,
    [EIATTR_REGCOUNT] = true,    [EIATTR_CUDA_API_VERSION] = true,
};

/* Sections of one image, and what is learned of them. */
struct pair {
    struct door door;
    uint32_t mercury, sass;
    struct view_facts *facts;
};

/* The next record that the other view has, too, where `mercury` is next, or nothing. Attributes of other compilers may
   be in SASS alone. */
static bool
next_of_sass(const struct pair *pair, struct bytes section, size_t *offset,
             const struct info_record *mercury, struct info_record *record)
{
    bool may_be_new = !pair->door.view->is_of_known_release;

    while (info_next(section, offset, record)) {
        bool is_new = may_be_new && record->attribute > EIATTR_LAST_KNOWN &&
                      !(mercury && mercury->attribute == record->attribute);
        if (!info_is_of_sass_alone(record->attribute) && !is_new)
            return true;
    }
    return false;
}

/* Of what a function has for itself; what is the same was checked in SASS. */
static void
check_own_record(const struct pair *pair, const struct info_record *record, size_t offset)
{
    bool is_of_code = info_words_per_place(record->attribute) ||
                      record->attribute == EIATTR_MERCURY_FINALIZER_OPTIONS;

    if (!is_of_code)
        pair->facts->records[pair->mercury] |= MUST_KNOW_SYMBOLS;
    if (pair->door.view->sections[pair->mercury].sh_flags & SHF_INFO_LINK)
        check_record(&pair->door, pair->mercury, record, offset);
}

static void
check_finalizer(const struct pair *pair, const struct info_record *record, size_t offset)
{
    const struct elf_view *view = pair->door.view;

    if (view->is_of_known_release &&
        !is_known_to_finalizer(record->payload, pair->facts->finalizer) &&
        !(view->is_of_linker && is_of_cuda_12_8(record->payload)))
        REFUSE_CONTENTS(&pair->door, pair->mercury, offset,
                        "options that the finalizer does not have");
    pair->facts->finalizer = record->payload;
}

static bool
next_of_mercury(const struct pair *pair, struct bytes section, size_t *offset,
                struct info_record *record)
{
    while (info_next(section, offset, record)) {
        if (record->attribute != EIATTR_MERCURY_FINALIZER_OPTIONS) {
            if (info_words_per_place(record->attribute))
                pair->facts->records[pair->mercury] |= MAY_NAME_PLACES;
            return true;
        }
        check_own_record(pair, record, *offset - record->whole.size);
        check_finalizer(pair, record, *offset - record->whole.size);
    }
    return false;
}

/* A function inside of another one has its frame in mercury alone; what a linker left of both has either. Symbols
   are numbered alike in both views, and those of mercury are not read yet. */
static bool
may_be_of_inner(const struct elf_view *view, const struct info_record *record)
{
    bool has_symbol = record->payload.size >= sizeof(uint32_t);
    uint32_t symbol = has_symbol ? read_u32(record->payload.at) : 0;
    uint32_t section =
        symbol < view->sass_symbol_count ? view->sass_symbols[symbol].st_shndx : SHN_XINDEX;

    return section >= view->section_count || elf_text_function(view, section) != symbol ||
           view->is_of_linker;
}

/* How much of two records is the same in both views: those about code name other places in it. */
static size_t
common_size(const struct elf_view *view, const struct info_record *record)
{
    if (record->format != EIFMT_SVAL)
        return record->whole.size;
    if (!is_common[record->attribute] ||
        (record->attribute == EIATTR_FRAME_SIZE && may_be_of_inner(view, record)))
        return INFO_HEADER_SIZE;
    return record->whole.size;
}

/* Places of code are in the same order in both views; what else is said of each is the same. */
static bool
has_same_places(struct bytes mercury, struct bytes sass, size_t words)
{
    enum { UNIT = 16 };
    size_t step = words * sizeof(uint32_t);

    for (size_t at = 0; at + step <= mercury.size; at += step) {
        uint32_t one = read_u32(mercury.at + at), other = read_u32(sass.at + at);

        if (one % UNIT || other % UNIT ||
            memcmp(mercury.at + at + sizeof one, sass.at + at + sizeof one, step - sizeof one) != 0)
            return false;
        if (at &&
            ((one > read_u32(mercury.at + at - step)) != (other > read_u32(sass.at + at - step))))
            return false;
    }
    return true;
}

/* Those whose words are known well enough. */
static bool
names_places(const struct info_record *record)
{
    uint8_t words = info_words_per_place(record->attribute);

    return words && words != INFO_PLACES_OTHERWISE && record->attribute != EIATTR_INSTR_REG_MAP;
}

static bool
is_same_record(const struct pair *pair, const struct info_record *one,
               const struct info_record *other, size_t offset)
{
    bool is_equal = bytes_equal(one->whole, other->whole);

    if (!is_equal)
        check_own_record(pair, one, offset);
    if (!is_equal &&
        (one->whole.size != other->whole.size ||
         memcmp(one->whole.at, other->whole.at, common_size(pair->door.view, one)) != 0))
        return false;
    return !names_places(one) ||
           has_same_places(one->payload, other->payload, info_words_per_place(one->attribute));
}

/* Is nothing else asked of a record than that both views have it? */
static bool
is_only_compared(uint8_t attribute)
{
    return !info_words_per_place(attribute) && !info_is_of_sass_alone(attribute) &&
           attribute != EIATTR_MERCURY_FINALIZER_OPTIONS;
}

/* Passes records that are the same, byte for byte, of which nothing else is asked: most are. */
static void
pass_equal(struct bytes mercury, size_t *at, struct bytes sass, size_t *there)
{
    while (mercury.size - *at >= INFO_HEADER_SIZE && sass.size - *there >= INFO_HEADER_SIZE) {
        const uint8_t *one = mercury.at + *at, *other = sass.at + *there;
        size_t size = INFO_HEADER_SIZE + (one[0] == EIFMT_SVAL ? read_u16(one + 2) : 0);

        if (read_u32(one) != read_u32(other) || !is_only_compared(one[1]) ||
            mercury.size - *at < size || sass.size - *there < size ||
            memcmp(one + INFO_HEADER_SIZE, other + INFO_HEADER_SIZE, size - INFO_HEADER_SIZE) != 0)
            return;
        *at += size;
        *there += size;
    }
}

/* SIZE_MAX if all agree; else where the first record of the first that does not stands. */
static size_t
differing_record(const struct pair *pair, struct bytes mercury, struct bytes sass)
{
    struct info_record one = {0}, other = {0};
    size_t at = 0, there = 0;

    for (;;) {
        pass_equal(mercury, &at, sass, &there);
        size_t begin = at;
        bool is_more = next_of_mercury(pair, mercury, &at, &one);

        if (is_more != next_of_sass(pair, sass, &there, is_more ? &one : NULL, &other) ||
            (is_more && !is_same_record(pair, &one, &other, at - one.whole.size)))
            return begin;
        if (!is_more)
            return at == mercury.size ? SIZE_MAX : at;
    }
}

/* ---- relocations ---- */

/* Places in code and in line tables are others in mercury, except for their beginnings, and for what is
   left of definitions that were replaced. */
static bool
is_same_addend(const struct elf_view *view, uint32_t mercury_type, uint64_t mercury, uint64_t sass)
{
    if (mercury_type == R_MERCURY_ABS_PROG_REL64 || mercury_type == R_MERCURY_PROG_REL32)
        return !mercury == !sass || view->is_of_linker;
    return mercury == sass;
}

/* How the relocations of a debug section stand in both views. */
enum order { SAME_PLACES, SAME_ORDER, ANY_ORDER };

static bool
is_in_order(const uint8_t *mercury, const uint8_t *sass, bool is_first, enum order order)
{
    enum { STEP = sizeof(Elf64_Rela) };

    if (order == ANY_ORDER)
        return true;
    if (entry_symbol(mercury) != entry_symbol(sass))
        return false;
    if (order == SAME_PLACES)
        return entry_offset(mercury) == entry_offset(sass);
    return is_first || (entry_offset(mercury) > entry_offset(mercury - STEP)) ==
                           (entry_offset(sass) > entry_offset(sass - STEP));
}

static bool
is_same_type(const struct elf_view *view, uint32_t mercury, uint32_t sass)
{
    return reloc_types_fit(mercury, sass, false) &&
           (!view->is_of_known_release || is_known_in_data(mercury));
}

/* Types mean the same. Relocations of lines have another order in each view, but name the same
   functions. */
static size_t
differing_entry(const struct elf_view *view, struct bytes mercury, struct bytes sass,
                enum order order)
{
    enum { STEP = sizeof(Elf64_Rela) };
    uint64_t named = 0;
    uint32_t type = 0, type_there = 0; /* of the last ones: others are seldom */

    for (size_t at = 0; at + STEP <= mercury.size && at + STEP <= sass.size; at += STEP) {
        const uint8_t *one = mercury.at + at, *other = sass.at + at;
        bool is_next = at && entry_type(one) == type && entry_type(other) == type_there;

        type = entry_type(one);
        type_there = entry_type(other);
        if ((!is_next && !is_same_type(view, type, type_there)) ||
            !is_same_addend(view, type, entry_addend(one), entry_addend(other)) ||
            !is_in_order(one, other, at == 0, order))
            return at;
        named += entry_symbol(one);
        named -= entry_symbol(other);
    }
    return mercury.size == sass.size ? (named ? 0 : SIZE_MAX) : (order != ANY_ORDER ? 0 : SIZE_MAX);
}

/* Not by its name alone: functions may be called like it. */
static bool
is_debug_section(const struct elf_view *view, uint32_t section)
{
    return view->sections[section].sh_type == SHT_PROGBITS &&
           view->sections[section].sh_flags == SHF_CUDA_MERCURY;
}

bool
is_common_debug_section(const char *name)
{
    static const char *const others[] = {".debug_frame", ".debug_line", ".nv_debug_line_sass",
                                         ".nv_debug_info_reg_sass", ".nv_debug_info_reg_type"};

    for (size_t i = 0; i < COUNT_OF(others); i++)
        if (!strcmp(name, others[i]))
            return false;
    return true;
}

/* What a debug section of mercury is called in SASS. */
static const char *
name_in_sass(const struct elf_view *view, uint32_t section)
{
    static const char prefix[] = ".nv.merc";
    const char *name = elf_section_name(view, section);

    return text_begins(name, prefix) ? name + strlen(prefix) : name;
}

static bool
is_common_section(const struct elf_view *view, uint32_t section)
{
    return is_debug_section(view, section) && is_common_debug_section(name_in_sass(view, section));
}

static enum order
order_of_entries(const struct elf_view *view, uint32_t section)
{
    const char *name = name_in_sass(view, section);

    if (is_common_debug_section(name))
        return SAME_PLACES;
    return !strcmp(name, ".debug_line") || !strcmp(name, ".nv_debug_line_sass") ? ANY_ORDER
                                                                                : SAME_ORDER;
}

/* SIZE_MAX if they are the same; else the first byte that is not. */
static size_t
differing_byte(struct bytes mercury, struct bytes sass)
{
    size_t size = mercury.size < sass.size ? mercury.size : sass.size, at = 0;

    bool is_shared = mercury.at == sass.at && mercury.size == sass.size; /* in the file */
    if (is_shared || bytes_equal(mercury, sass))
        return SIZE_MAX;
    while (at < size && mercury.at[at] == sass.at[at])
        at++;
    return at;
}

/* Had a function with these instructions the same records in an earlier image? */
static bool
are_known_records(const struct pair *pair, struct bytes mercury, struct bytes sass)
{
    const struct elf_view *view = pair->door.view;
    uint32_t text = elf_owner(view, pair->mercury);
    const struct code_map *map = text ? pair->facts->maps[text] : NULL;

    return map && map->known && is_known_pair(&map->known->records, mercury, sass);
}

/* SIZE_MAX if both say the same; else where not. */
static size_t
differing_place(const struct pair *pair)
{
    const struct elf_view *view = pair->door.view;
    const Elf64_Shdr *section = &view->sections[pair->mercury];
    struct bytes mercury = elf_contents(view, pair->mercury), sass = elf_contents(view, pair->sass);

    switch (section->sh_type) {
    case SHT_MERCURY_INFO:
        if (are_known_records(pair, mercury, sass))
            break;
        if (!bytes_equal(mercury, sass))
            return differing_record(pair, mercury, sass);
        pair->facts->records[pair->mercury] |= MAY_NAME_PLACES; /* for all that is known */
        break;
    case SHT_MERCURY_RELA:
        if (is_debug_section(view, section->sh_info) &&
            strcmp(name_in_sass(view, section->sh_info), ".debug_frame") != 0)
            return differing_entry(view, mercury, sass, order_of_entries(view, section->sh_info));
        break;
    case SHT_CUDA_UFT_ENTRY:
    case SHT_CUDA_UDT_ENTRY:
        return differing_byte(mercury, sass);
    case SHT_PROGBITS:
        if (is_common_section(view, pair->mercury))
            return differing_byte(mercury, sass);
        break;
    }
    return SIZE_MAX;
}

/* Once a view is complete, its sections are called as those of SASS. */
static const char *
name_in_file(const struct door *door, uint32_t section)
{
    const uint8_t *header = door->view->file.at + section_header_at(door, section);

    return (const char *)door->view->section_names.at +
           read_u32(header + offsetof(Elf64_Shdr, sh_name));
}

/* Relocatable links of whole programs lose the places of what CIEs say of functions in SASS: they are at the
   begin, where no other entry can be. */
static void
drop_lost_entries(const struct door *door, struct bytes *mercury, struct bytes *sass)
{
    enum { STEP = sizeof(Elf64_Rela) };
    uint8_t *rows = arena_alloc(door->arena, mercury->size + 1);
    uint8_t *others = arena_alloc(door->arena, mercury->size + 1);
    size_t size = 0;

    for (size_t at = 0; at + STEP <= mercury->size; at += STEP)
        if (entry_offset(sass->at + at)) {
            memcpy(rows + size, mercury->at + at, STEP);
            memcpy(others + size, sass->at + at, STEP);
            size += STEP;
        }
    *mercury = (struct bytes){rows, size};
    *sass = (struct bytes){others, size};
}

/* The entries name the same functions and stand in the order of the same frames. What a relocatable link
   leaves of functions that are gone may be in mercury alone. */
static size_t
differing_frame_entry(const struct door *door, struct bytes mercury, struct bytes sass)
{
    const struct elf_view *view = door->view;
    enum { STEP = sizeof(Elf64_Rela) };

    if (mercury.size != sass.size)
        return view->is_of_linker ? SIZE_MAX : 0;
    size_t place = view->is_of_linker ? SIZE_MAX : differing_entry(view, mercury, sass, SAME_ORDER);
    if (place != SIZE_MAX)
        return place;
    for (size_t at = 0; at + STEP <= mercury.size; at += STEP)
        if (entry_symbol(mercury.at + at) != entry_symbol(sass.at + at))
            return at;
    if (view->is_of_linker)
        drop_lost_entries(door, &mercury, &sass);
    return has_same_order(door, mercury, sass, STEP) ? SIZE_MAX : 0;
}

void
check_entries_of_frames(const struct door *door, uint32_t section)
{
    const struct elf_view *view = door->view;

    for (uint32_t i = 1; i < view->section_count; i++) {
        if (view->sections[i].sh_type != SHT_RELA || view->sections[i].sh_info != section)
            continue;
        size_t place =
            differing_frame_entry(door, elf_contents(view, i), elf_contents(view, view->twins[i]));
        if (place != SIZE_MAX)
            diag_damaged(door->arena->diag, view->file_name, name_in_file(door, i),
                         view->sections[i].sh_offset + place, "the other view says something else");
    }
}

/* A relocatable link leaves other sections of definitions that were replaced in one view alone. */
static bool
is_kept_by_linkers(const struct elf_view *view, uint32_t section)
{
    const Elf64_Shdr *header = &view->sections[section];

    if (header->sh_type == SHT_MERCURY_RELA)
        return view->is_of_known_release && is_common_section(view, header->sh_info);
    return header->sh_type == SHT_MERCURY_INFO ||
           (view->is_of_known_release && is_common_section(view, section));
}

void
door_check_twins(const struct elf_view *view, struct arena *arena, uint32_t mercury, uint32_t sass,
                 struct view_facts *facts)
{
    struct pair pair = {{.view = view, .arena = arena}, mercury, sass, facts};
    size_t place = differing_place(&pair);

    if (place != SIZE_MAX && (!view->is_of_linker || is_kept_by_linkers(view, mercury)))
        REFUSE_CONTENTS(&pair.door, mercury, place, "the other view says something else");
    if (view->sections[mercury].sh_addralign != view->sections[sass].sh_addralign &&
        !(view->sections[sass].sh_flags & SHF_EXECINSTR))
        REFUSE_SECTION(&pair.door, mercury, "alignment 0x%llx, and 0x%llx in the other view",
                       (unsigned long long)view->sections[mercury].sh_addralign,
                       (unsigned long long)view->sections[sass].sh_addralign);
}

struct section_marks *
note_marks(const struct door *door, uint32_t section, uint32_t count)
{
    struct section_marks *marks =
        arena_alloc(door->facts->kept, sizeof *marks + count * sizeof *marks->ends);

    marks->next = door->facts->marks;
    marks->section = section;
    marks->count = count;
    return door->facts->marks = marks;
}
