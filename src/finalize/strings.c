#include "finalize/finalize.h"
#include "finalize/late_tables.h"

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

static void
place_symbol_names(struct string_places *places, struct symbol_record *records, uint32_t count,
                   uint32_t first)
{
    struct elfw *elfw = places->elfw;

    for (uint32_t i = 1; i < count; i++)
        if (elfw_name_is_written(elfw, &records[i]))
            records[i].st_name =
                place_name(places, name_at(&elfw->names, records[i].name_id), first + i);
}

static void
write_name(const struct name *name, uint32_t offset, struct table_range range, uint8_t *at)
{
    if (offset && offset >= range.from && offset < range.to)
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
}

void
write_section_names(const struct elfw *elfw, struct table_range range, uint8_t *at)
{
    if (!range.from)
        at[0] = '\0';
    for (uint32_t i = range.first; i < range.end; i++) {
        const struct section *section = &elfw->sections.at[i];
        if (!section->is_mercury)
            write_name(name_at(&elfw->names, section->name_id), section->name_offset, range, at);
    }
}

/* ---- Mercury links, where strings come behind those of the link ---- */

struct string_table {
    struct arena *arena;
    char *text;
    size_t size, capacity;
};

static struct string_table
begin_with_places(struct elfw *elfw, uint32_t section, uint64_t size)
{
    struct string_table table = {.arena = elfw->arena, .size = size, .capacity = size};

    elfw_section(elfw, section)->size = size;
    table.text = arena_enlarge(elfw->arena, NULL, 0, size);
    for (uint32_t part = 0; part < find_late_cuts(elfw, section)->count; part++)
        write_late_part(elfw, section, part,
                        (uint8_t *)table.text + find_late_cuts(elfw, section)->at[part].offset);
    return table;
}

static uint32_t
add_string(struct string_table *table, const char *text, size_t length)
{
    uint32_t offset = (uint32_t)table->size;

    if (table->size + length + 1 > table->capacity) {
        size_t capacity = (table->capacity + length + 1) * 2;
        table->text = arena_enlarge(table->arena, table->text, table->capacity, capacity);
        table->capacity = capacity;
    }
    memcpy(table->text + table->size, text, length);
    table->text[table->size + length] = '\0';
    table->size += length + 1;
    return offset;
}

/* Mercury links: section symbols with another name in the SASS view, then those of banks that only
   it has. */
static void
place_sass_names(struct elfw *elfw, struct string_table *table)
{
    for (uint32_t n = 1; n < elfw->output_section_count; n++) {
        uint32_t index = elfw->section_order[n];
        const struct section *section = &elfw->sections.at[index];
        bool has_symbol = section->is_parameter_bank || section->symbol;
        const char *name = elfw_sass_part(elfw, section)->name;

        if (section->is_parameter_bank)
            name = elfw_section_name(elfw, section);
        if (name && has_symbol && !is_relocation_table(section->type))
            elfw_make_sass_part(elfw, index)->symbol_name = add_string(table, name, strlen(name));
    }
}

/* The shorter name of the SASS view takes the place of the name that the section has in the link. */
static void
overwrite_names(struct elfw *elfw, struct string_table *table)
{
    for (uint32_t n = 1; n < elfw->output_section_count; n++) {
        const struct section *section = &elfw->sections.at[elfw->section_order[n]];
        const char *name = elfw_sass_part(elfw, section)->name;
        if (!name)
            continue;
        size_t room = strlen(elfw_section_name(elfw, section));
        memset(table->text + section->name_offset, 0, room);
        memcpy(table->text + section->name_offset, name, strlen(name));
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

/* Twins stand behind all other sections. */
static uint32_t
first_twin(const struct elfw *elfw)
{
    uint32_t first = elfw->output_section_count;

    while (first > 1 && elfw->sections.at[elfw->section_order[first - 1]].is_mercury)
        first--;
    return first;
}

/* Behind all others, each for itself. */
static void
place_twin_names(struct elfw *elfw, struct string_table *table)
{
    uint32_t first = first_twin(elfw);
    size_t size = 0;

    for (uint32_t n = first; n < elfw->output_section_count; n++) {
        const struct section *section = &elfw->sections.at[elfw->section_order[n]];
        size += twin_prefix_of(section).size + name_at(&elfw->names, section->name_id)->length + 1;
    }
    table->text = arena_enlarge(table->arena, table->text, table->size, table->size + size);
    for (uint32_t n = first; n < elfw->output_section_count; n++) {
        struct section *section = &elfw->sections.at[elfw->section_order[n]];
        const struct name *name = name_at(&elfw->names, section->name_id);
        struct bytes prefix = twin_prefix_of(section);

        section->name_offset = (uint32_t)table->size;
        memcpy(table->text + table->size, prefix.at, prefix.size);
        memcpy(table->text + table->size + prefix.size, name->text, (size_t)name->length + 1);
        table->size += prefix.size + name->length + 1;
    }
}

/* ---- Both tables ---- */

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
    elfw_section(elfw, elfw->strtab)->size = elfw->link_strings = places.size;
    if (elfw->view->is_mercury) {
        struct string_table table = begin_with_places(elfw, elfw->strtab, places.size);
        place_sass_names(elfw, &table);
        set_contents(elfw, elfw->strtab, (uint8_t *)table.text, table.size);
    }
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
    elfw_section(elfw, elfw->shstrtab)->size = places.size;
    if (elfw->view->is_mercury) {
        struct string_table table = begin_with_places(elfw, elfw->shstrtab, places.size);
        overwrite_names(elfw, &table);
        place_twin_names(elfw, &table);
        set_contents(elfw, elfw->shstrtab, (uint8_t *)table.text, table.size);
    }
}

void
make_strings(struct elfw *elfw)
{
    make_strtab(elfw);
    for (uint32_t id = 1; id < elfw->names.names.count; id++)
        name_at(&elfw->names, id)->offset = 0; /* places are those of the other table now */
    make_shstrtab(elfw);
}
