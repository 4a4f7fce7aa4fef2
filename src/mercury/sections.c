#include "mercury/mercury.h"

static uint32_t
number_twin(uint32_t *virtual, uint32_t *order, uint32_t twin, uint32_t next)
{
    virtual[twin] = next;
    order[next] = twin;
    return next + 1;
}

/* Twins stand behind all other sections: those of texts, then the others, each in the order of
   their counterparts; the symbols last. */
uint32_t
mercury_number_sections(struct elfw *elfw, uint32_t *virtual, uint32_t *order, uint32_t next)
{
    uint32_t plain = elfw->first_twin = next, others = 0;
    uint32_t *twins = arena_alloc(&elfw->scratch, plain * sizeof *twins); /* of the others */

    for (uint32_t n = 1; n < plain; n++) {
        const struct section *section = &elfw->sections.at[order[n]];

        if (section->sass)
            array_push(&elfw->sass_sections, elfw->arena, order[n]);
        if (!section->twin || order[n] == elfw->symtab)
            continue;
        if (section->flags & SHF_EXECINSTR)
            next = number_twin(virtual, order, section->twin, next);
        else
            twins[others++] = section->twin;
    }
    for (uint32_t i = 0; i < others; i++)
        next = number_twin(virtual, order, twins[i], next);
    return number_twin(virtual, order, elfw->sections.at[elfw->symtab].twin, next);
}

void
mercury_link_section(struct elfw *elfw, uint32_t index)
{
    struct section *section = &elfw->sections.at[index];
    uint32_t symtab = elfw->section_virtual[elfw->sections.at[elfw->symtab].twin];

    switch (section->type) {
    case SHT_MERCURY_SYMTAB:
        section->link = elfw->section_virtual[elfw->strtab];
        return;
    case SHT_CUDA_CAPSULE:
        section->link = symtab;
        section->info = elfw->sections.at[section->twin].info;
        return;
    case SHT_MERCURY_RELA:
    case SHT_MERCURY_RESOLVED_RELA:
    case SHT_MERCURY_INFO:
    case SHT_CUDA_UFT_ENTRY:
    case SHT_CUDA_UDT_ENTRY:
        section->link = symtab;
        break;
    }
    if (section->target)
        section->info = elfw->section_virtual[section->target];
}

/* Between .shstrtab and .strtab. */
enum { NAMES_GAP = 36 };

/*
 * Room that nvlink reckons with when it renames constants in the string tables: what the shorter
 * names leave over, and the names of relocation sections whole.
 */
static uint64_t
renaming_slack(const struct elfw *elfw)
{
    uint64_t slack = 0;

    for (uint32_t i = 0; i < elfw->sass_sections.count; i++) {
        const struct section *section = &elfw->sections.at[elfw->sass_sections.at[i]];
        const char *sass = elfw_sass_part(elfw, section)->name;
        if (!sass)
            continue;
        const char *name = elfw_section_name(elfw, section);
        slack +=
            is_relocation_table(section->type) ? strlen(name) : strlen(name) - strlen(sass) - 1;
    }
    return slack;
}

uint64_t
mercury_gap_behind(const struct elfw *elfw, uint32_t index)
{
    if (index == elfw->shstrtab)
        return NAMES_GAP;
    return index == elfw->strtab ? renaming_slack(elfw) : 0;
}
