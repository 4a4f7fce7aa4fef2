#include "finalize/late_tables.h"

struct late_table {
    uint32_t section;
    const cut_list *cuts;
    uint32_t records;
    void (*write)(const struct elfw *, struct table_range, uint8_t *);
};

/* section 0: none of them */
static struct late_table
find_table(const struct elfw *elfw, uint32_t section)
{
    uint32_t symbols = elfw->pos_symbols.count + elfw->neg_symbols.count;

    if (section == elfw->shstrtab)
        return (struct late_table){section, &elfw->section_name_cuts, elfw->sections.count,
                                   write_section_names};
    if (section == elfw->strtab)
        return (struct late_table){section, &elfw->symbol_name_cuts, symbols, write_symbol_names};
    if (section == elfw->symtab)
        return (struct late_table){section, &elfw->symbol_cuts, symbols, write_symbols};
    if (section == elfw->sections.at[elfw->symtab].twin)
        return (struct late_table){section, &elfw->symbol_cuts, symbols, write_mercury_symbols};
    return (struct late_table){0};
}

const cut_list *
find_late_cuts(const struct elfw *elfw, uint32_t section)
{
    return elfw->sections.at[section].contents ? NULL : find_table(elfw, section).cuts;
}

static struct table_range
part_range(const struct elfw *elfw, const struct late_table *table, uint32_t part)
{
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): parts are those of a table */
    const struct table_cut *cut = &table->cuts->at[part];
    bool is_last = part + 1 == table->cuts->count;

    return (struct table_range){
        .from = cut->offset,
        .to = is_last ? elfw->sections.at[table->section].size : cut[1].offset,
        .first = cut->record,
        .end = is_last ? table->records : cut[1].record,
    };
}

uint64_t
late_part_size(const struct elfw *elfw, uint32_t section, uint32_t part)
{
    struct late_table table = find_table(elfw, section);
    struct table_range range = part_range(elfw, &table, part);

    return range.to - range.from;
}

void
write_late_part(const struct elfw *elfw, uint32_t section, uint32_t part, uint8_t *at)
{
    struct late_table table = find_table(elfw, section);

    table.write(elfw, part_range(elfw, &table, part), at);
}
