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
        char *grown = arena_alloc(table->arena, capacity);
        if (table->size)
            memcpy(grown, table->text, table->size);
        table->text = grown;
        table->capacity = capacity;
    }
    memcpy(table->text + table->size, text, length);
    table->text[table->size + length] = '\0';
    table->size += length + 1;
    return offset;
}

static void
place_name(struct string_table *table, struct name *name)
{
    if (!name->offset && name->length)
        name->offset = add_string(table, name->text, name->length);
}

static void
place_symbol_names(struct elfw *elfw, struct string_table *table,
                   const struct symbol_record *records, uint32_t count)
{
    for (uint32_t i = 1; i < count; i++)
        if (elfw_name_is_written(elfw, &records[i]))
            place_name(table, name_at(&elfw->symbol_names, records[i].name_id));
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
    set_contents(elfw, elfw->strtab, (uint8_t *)table.text, table.size);
}

static void
make_shstrtab(struct elfw *elfw)
{
    struct string_table table = {.arena = elfw->arena};

    add_string(&table, "", 0);
    for (uint32_t i = 1; i < elfw->sections.count; i++)
        if (elfw_section(elfw, i)->state != SECTION_DEAD)
            place_name(&table, name_at(&elfw->section_names, elfw_section(elfw, i)->name_id));
    set_contents(elfw, elfw->shstrtab, (uint8_t *)table.text, table.size);
}

void
make_strings(struct elfw *elfw)
{
    make_strtab(elfw);
    make_shstrtab(elfw);
}
