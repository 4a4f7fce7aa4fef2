#include "finalize/finalize.h"
#include "finalize/late_tables.h"
#include "mercury/twins.h"

/* The places of a table's strings; offset 0 is the empty string. */
struct string_places {
    struct elfw *elfw;
    cut_list *cuts;
    uint64_t size;
};

/* Each name once. `record` has it. */
static uint32_t
place_name(struct string_places *places, struct name *name, uint32_t record)
{
    if (!name->offset && name->length) {
        cut_table(places->elfw, places->cuts, places->size, (uint64_t)name->length + 1, record);
        name->offset = (uint32_t)places->size;
        places->size += (uint64_t)name->length + 1;
    }
    return name->offset;
}

/* Functions inside a kernel that is left out are gone, but from sm_100 on their names are there. */
static bool
is_inside_gone_kernel(const struct elfw *elfw, const struct symbol_record *symbol)
{
    const struct function *function = elfw_function(elfw, symbol_function(symbol));

    return elfw->view->is_mercury && symbol_type(symbol) == STT_FUNC && function->is_inner &&
           function->is_dead;
}

static void
place_symbol_names(struct string_places *places, struct symbol_record *records, uint32_t count,
                   uint32_t first)
{
    struct elfw *elfw = places->elfw;

    for (uint32_t i = 1; i < count; i++)
        if (records[i].st_name || is_inside_gone_kernel(elfw, &records[i]))
            records[i].st_name =
                place_name(places, name_at(&elfw->names, records[i].name_id), first + i);
}

static bool
is_in_range(uint32_t offset, struct table_range range)
{
    return offset && offset >= range.from && offset < range.to;
}

static void
write_name(const struct name *name, uint32_t offset, struct table_range range, uint8_t *at)
{
    if (is_in_range(offset, range))
        memcpy(at + (offset - range.from), name->text, (size_t)name->length + 1);
}

static void
write_prototypes(const struct elfw *elfw, uint8_t *at)
{
    at[0] = '\0';
    for (uint32_t i = 1; i < elfw->prototypes.names.count; i++) {
        const struct name *prototype = name_at(&elfw->prototypes, i);
        memcpy(at + prototype->offset, prototype->text, (size_t)prototype->length + 1);
    }
}

/* ---- Mercury links, where strings come behind those of the link ---- */

/* A section symbol with another name in the SASS view, or one of a bank that only it has; NULL: the
   section has no such name. */
static const char *
symbol_name_of_sass(const struct elfw *elfw, const struct section *section)
{
    if (section->is_parameter_bank)
        return elfw_section_name(elfw, section);
    return section->symbol && !is_relocation_table(section->type)
               ? elfw_sass_part(elfw, section)->name
               : NULL;
}

static void
place_sass_names(struct elfw *elfw, uint64_t *size)
{
    for (uint32_t i = 0; i < elfw->sass_sections.count; i++) {
        uint32_t index = elfw->sass_sections.at[i];
        const char *name = symbol_name_of_sass(elfw, &elfw->sections.at[index]);

        if (!name)
            continue;
        elfw_sass_part(elfw, &elfw->sections.at[index])->symbol_name = (uint32_t)*size;
        *size += strlen(name) + 1;
    }
}

/* Into what is the table from byte `from` on. */
static void
write_sass_names(const struct elfw *elfw, uint64_t from, uint8_t *at)
{
    for (uint32_t i = 0; i < elfw->sass_sections.count; i++) {
        const struct section *section = &elfw->sections.at[elfw->sass_sections.at[i]];
        const char *name = symbol_name_of_sass(elfw, section);

        if (name)
            memcpy(at + (elfw_sass_part(elfw, section)->symbol_name - from), name,
                   strlen(name) + 1);
    }
}

/* The shorter name of the SASS view takes the place of the name that the section has in the link. */
static void
mark_shortened(struct elfw *elfw)
{
    for (uint32_t i = 0; i < elfw->sass_sections.count; i++) {
        const struct section *section = &elfw->sections.at[elfw->sass_sections.at[i]];
        if (elfw_sass_part(elfw, section)->name)
            name_at(&elfw->names, section->name_id)->is_shortened = true;
    }
}

/* What the name of a twin begins with. */
static struct bytes
twin_prefix_of(const struct section *twin)
{
    static const uint8_t capsule[] = ".nv.capmerc", other[] = ".nv.merc";

    return twin->type == SHT_CUDA_CAPSULE ? (struct bytes){capsule, sizeof capsule - 1}
                                          : (struct bytes){other, sizeof other - 1};
}

/* Behind all others, each for itself. */
static void
place_twin_names(struct elfw *elfw, uint64_t *size)
{
    for (uint32_t n = elfw->first_twin; n < elfw->output_section_count; n++) {
        struct section *section = &elfw->sections.at[elfw->section_order[n]];

        elfw_expect_after(elfw, n);
        section->name_offset = (uint32_t)*size;
        *size += twin_prefix_of(section).size + name_at(&elfw->names, section->name_id)->length + 1;
    }
}

static void
write_twin_names(const struct elfw *elfw, uint64_t from, uint8_t *at)
{
    for (uint32_t n = elfw->first_twin; n < elfw->output_section_count; n++) {
        const struct section *section = &elfw->sections.at[elfw->section_order[n]];
        const struct name *name = name_at(&elfw->names, section->name_id);
        struct bytes prefix = twin_prefix_of(section);
        uint8_t *place = at + (section->name_offset - from);

        elfw_expect_after(elfw, n);
        memcpy(place, prefix.at, prefix.size);
        memcpy(place + prefix.size, name->text, (size_t)name->length + 1);
    }
}

/* ---- Parts of the tables ---- */

/* Is it the last part, in a link that has more strings than those of its records? */
static bool
has_strings_behind(const struct elfw *elfw, uint32_t section, struct table_range range)
{
    return elfw->view->is_mercury && range.to == elfw->sections.at[section].size;
}

void
write_symbol_names(const struct elfw *elfw, struct table_range range, uint8_t *at)
{
    uint32_t positives = elfw->pos_symbols.count;

    if (!range.from)
        write_prototypes(elfw, at);
    for (uint32_t i = range.first; i < range.end; i++) {
        const struct symbol_record *symbol =
            i < positives ? &elfw->pos_symbols.at[i] : &elfw->neg_symbols.at[i - positives];
        write_name(name_at(&elfw->names, symbol->name_id), symbol->st_name, range, at);
    }
    if (has_strings_behind(elfw, elfw->strtab, range))
        write_sass_names(elfw, range.from, at);
}

void
write_section_names(const struct elfw *elfw, struct table_range range, uint8_t *at)
{
    if (!range.from)
        at[0] = '\0';
    for (uint32_t i = range.first; i < range.end; i++) {
        const struct section *section = &elfw->sections.at[i];
        const struct name *name = name_at(&elfw->names, section->name_id);

        if (section->is_mercury)
            continue;
        write_name(name, section->name_offset, range, at);
        if (name->is_shortened && is_in_range(section->name_offset, range))
            write_sass_name(name->text, name->length, at + (section->name_offset - range.from));
    }
    if (has_strings_behind(elfw, elfw->shstrtab, range))
        write_twin_names(elfw, range.from, at);
}

/* ---- Both tables ---- */

/* Names are found by 32 bits. */
static void
set_size(struct elfw *elfw, uint32_t table, uint64_t size)
{
    if (size > UINT32_MAX)
        diag_fatal(elfw->diag, "Section '%s' is too large",
                   elfw_section_name(elfw, elfw_section(elfw, table)));
    elfw_section(elfw, table)->size = size;
}

/* Prototypes first, the empty one being a string of its own; then the names of symbols. */
static void
make_strtab(struct elfw *elfw)
{
    struct string_places places = {elfw, &elfw->symbol_name_cuts, 1};

    cut_table(elfw, places.cuts, 0, places.size, 0);
    for (uint32_t i = 1; i < elfw->prototypes.names.count; i++) {
        struct name *prototype = name_at(&elfw->prototypes, i);
        prototype->offset = (uint32_t)places.size;
        places.size += (uint64_t)prototype->length + 1;
    }
    place_symbol_names(&places, elfw->pos_symbols.at, elfw->pos_symbols.count, 0);
    place_symbol_names(&places, elfw->neg_symbols.at, elfw->neg_symbols.count,
                       elfw->pos_symbols.count);
    elfw->link_strings = places.size;
    if (elfw->view->is_mercury)
        place_sass_names(elfw, &places.size);
    set_size(elfw, elfw->strtab, places.size);
}

static void
make_shstrtab(struct elfw *elfw)
{
    struct string_places places = {elfw, &elfw->section_name_cuts, 1};

    cut_table(elfw, places.cuts, 0, places.size, 0);
    for (uint32_t i = 1; i < elfw->sections.count; i++) {
        struct section *section = &elfw->sections.at[i];
        if (section->state == SECTION_DEAD || section->is_mercury)
            continue;
        if (section->is_parameter_bank && !elfw->link_names)
            elfw->link_names = places.size;
        section->name_offset = place_name(&places, name_at(&elfw->names, section->name_id), i);
    }
    if (!elfw->link_names)
        elfw->link_names = places.size;
    if (elfw->view->is_mercury) {
        mark_shortened(elfw);
        place_twin_names(elfw, &places.size);
    }
    set_size(elfw, elfw->shstrtab, places.size);
}

void
make_strings(struct elfw *elfw)
{
    make_strtab(elfw);
    for (uint32_t id = 1; id < elfw->names.names.count; id++)
        name_at(&elfw->names, id)->offset = 0; /* places are those of the other table now */
    make_shstrtab(elfw);
}
