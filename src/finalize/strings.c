#include "finalize/finalize.h"

/* Grows a string table; offset 0 is the empty string. */
struct string_table {
    struct arena *arena;
    char *text;
    size_t size, capacity;
};

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

/* Each name once. */
static uint32_t
place_name(struct string_table *table, struct name *name)
{
    if (!name->offset && name->length)
        name->offset = add_string(table, name->text, name->length);
    return name->offset;
}

static void
place_symbol_names(struct elfw *elfw, struct string_table *table, struct symbol_record *records,
                   uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (elfw_name_is_written(elfw, &records[i]))
            records[i].st_name = place_name(table, name_at(&elfw->names, records[i].name_id));
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

/* Prototypes first, the empty one being a string of its own; then the names of symbols. */
static void
make_strtab(struct elfw *elfw)
{
    struct string_table table = {.arena = elfw->arena};

    add_string(&table, "", 0);
    for (uint32_t i = 1; i < elfw->prototypes.names.count; i++) {
        struct name *prototype = name_at(&elfw->prototypes, i);
        prototype->offset = add_string(&table, prototype->text, prototype->length);
    }
    place_symbol_names(elfw, &table, elfw->pos_symbols.at, elfw->pos_symbols.count);
    place_symbol_names(elfw, &table, elfw->neg_symbols.at, elfw->neg_symbols.count);
    elfw->link_strings = table.size;
    place_sass_names(elfw, &table);
    set_contents(elfw, elfw->strtab, (uint8_t *)table.text, table.size);
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

/* Behind all others, each for itself. */
static void
place_twin_names(struct elfw *elfw, struct string_table *table)
{
    for (uint32_t n = 1; n < elfw->output_section_count; n++) {
        struct section *section = &elfw->sections.at[elfw->section_order[n]];
        const struct name *name = name_at(&elfw->names, section->name_id);
        const char *prefix = section->type == SHT_CUDA_CAPSULE ? ".nv.capmerc" : ".nv.merc";

        if (!section->is_mercury)
            continue;
        section->name_offset = add_string(table, prefix, strlen(prefix));
        table->size--; /* the name goes on */
        add_string(table, name->text, name->length);
    }
}

static void
make_shstrtab(struct elfw *elfw)
{
    struct string_table table = {.arena = elfw->arena};

    add_string(&table, "", 0);
    for (uint32_t i = 1; i < elfw->sections.count; i++) {
        struct section *section = elfw_section(elfw, i);
        if (section->state == SECTION_DEAD || section->is_mercury)
            continue;
        if (section->is_parameter_bank && !elfw->link_names)
            elfw->link_names = table.size;
        section->name_offset = place_name(&table, name_at(&elfw->names, section->name_id));
    }
    if (!elfw->link_names)
        elfw->link_names = table.size;
    if (elfw->view->is_mercury) {
        overwrite_names(elfw, &table);
        place_twin_names(elfw, &table);
    }
    set_contents(elfw, elfw->shstrtab, (uint8_t *)table.text, table.size);
}

void
make_strings(struct elfw *elfw)
{
    make_strtab(elfw);
    for (uint32_t id = 1; id < elfw->names.names.count; id++)
        name_at(&elfw->names, id)->offset = 0; /* places are those of the other table now */
    make_shstrtab(elfw);
}
