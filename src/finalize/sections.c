#include "finalize/finalize.h"
#include "mercury/mercury.h"

/* Order of sections in the file; inside a group they stand as they were created. */
enum group {
    GROUP_SHSTRTAB,
    GROUP_STRTAB,
    GROUP_SYMTAB,
    GROUP_DEBUG,
    GROUP_NOTES,
    GROUP_INFO,
    GROUP_OTHER_NOTES,
    GROUP_CALLGRAPH,
    GROUP_RELOCATIONS,
    GROUP_CONSTANTS,
    GROUP_TEXT,
    GROUP_GLOBAL_INIT,
    GROUP_NO_CONTENTS,
    GROUP_PARAMETERS, /* of mercury links */
    GROUP_COUNT,
};

/* What has no group by its type has one by its flags. */
static enum group
group_by_flags(const struct section *section)
{
    if (section->flags & SHF_EXECINSTR)
        return GROUP_TEXT;
    if (section->flags & SHF_WRITE)
        return GROUP_GLOBAL_INIT;
    if (section->flags & SHF_ALLOC)
        return GROUP_CONSTANTS;
    return section->type == SHT_PROGBITS ? GROUP_DEBUG : GROUP_INFO;
}

static enum group
group_of(const struct elfw *elfw, uint32_t index)
{
    const struct section *section = elfw_section(elfw, index);

    switch (section->type) {
    case SHT_STRTAB:
        return index == elfw->shstrtab ? GROUP_SHSTRTAB : GROUP_STRTAB;
    case SHT_SYMTAB:
    case SHT_SYMTAB_SHNDX:
        return GROUP_SYMTAB;
    case SHT_NOTE:
        return index == elfw->tkinfo || index == elfw->cuinfo ? GROUP_NOTES : GROUP_OTHER_NOTES;
    case SHT_CUDA_METADATA:
        return GROUP_OTHER_NOTES;
    case SHT_CUDA_CALLGRAPH:
    case SHT_CUDA_PROTOTYPE:
    case SHT_CUDA_RELOCINFO:
        return GROUP_CALLGRAPH;
    case SHT_REL:
    case SHT_RELA:
    case SHT_CUDA_RESOLVED_RELA:
        return GROUP_RELOCATIONS;
    }
    if (section->is_parameter_bank)
        return GROUP_PARAMETERS;
    if (is_constant_bank(section->type))
        return GROUP_CONSTANTS;
    return has_no_contents(section->type) ? GROUP_NO_CONTENTS : group_by_flags(section);
}

bool
section_is_written(const struct elfw *elfw, const struct section *section)
{
    if (section->state != SECTION_LIVE)
        return false;
    switch (section->type) {
    case SHT_SYMTAB_SHNDX:
        return section->size > 0;
    case SHT_REL:
    case SHT_RELA:
    case SHT_CUDA_RESOLVED_RELA:
        return section->twin ? elfw_section(elfw, section->twin)->entry_count > 0
                             : section->entry_count > 0;
    case SHT_CUDA_PROTOTYPE:
        for (uint32_t f = 1; f < elfw->functions.count; f++)
            if (function_has_prototype_row(elfw_function(elfw, f)))
                return true;
        return false;
    case SHT_CUDA_INFO:
        return section->size > 0;
    }
    return true;
}

/* .symtab_shndx is written when a section number no longer fits into a symbol. */
static bool
needs_extended_indices(struct elfw *elfw, uint32_t written)
{
    if (1 + written < SHN_LORESERVE)
        return false;
    elfw_section(elfw, elfw->symtab_shndx)->size =
        elfw_section(elfw, elfw->symtab)->size / sizeof(Elf64_Sym) * sizeof(uint32_t);
    return true;
}

/* The group of each section that is written, and how many each group has. */
static void
group_sections(struct elfw *elfw, uint8_t *groups, uint32_t *counts)
{
    uint32_t written = 0;

    for (uint32_t i = 1; i < elfw->sections.count; i++) {
        const struct section *section = elfw_section(elfw, i);

        groups[i] = GROUP_COUNT;
        if (!section_is_written(elfw, section))
            continue;
        written++;
        if (!section->is_mercury) {
            groups[i] = (uint8_t)group_of(elfw, i);
            counts[groups[i]]++;
        }
    }
    if (needs_extended_indices(elfw, written)) {
        groups[elfw->symtab_shndx] = GROUP_SYMTAB;
        counts[GROUP_SYMTAB]++;
    }
}

void
number_sections(struct elfw *elfw)
{
    uint32_t count = elfw->sections.count;
    uint32_t *virtual = arena_array(elfw->arena, count, sizeof *virtual);
    uint32_t *order = arena_array(elfw->arena, count, sizeof *order);
    struct arena_mark before = arena_mark(&elfw->scratch);
    uint8_t *groups = arena_array(&elfw->scratch, count, sizeof *groups);
    uint32_t next[GROUP_COUNT + 1] = {1};

    group_sections(elfw, groups, next + 1);
    for (int g = 0; g < GROUP_COUNT; g++)
        next[g + 1] += next[g];
    elfw->output_section_count = next[GROUP_COUNT];
    for (uint32_t i = 1; i < count; i++) {
        if (groups[i] == GROUP_COUNT)
            continue;
        virtual[i] = next[groups[i]]++;
        order[virtual[i]] = i;
    }
    if (elfw->view->is_mercury)
        elfw->output_section_count =
            mercury_number_sections(elfw, virtual, order, elfw->output_section_count);
    elfw->section_virtual = virtual;
    elfw->section_order = order;
    arena_release(&elfw->scratch, before);
}

static uint32_t
output_number(const struct elfw *elfw, uint32_t section)
{
    return elfw->section_virtual[section];
}

/* What sh_link of a section of that type names; of some types sh_info is no section. */
enum link_kind { LINK_NOTHING, LINK_STRINGS, LINK_SYMBOLS_ALONE, LINK_SYMBOLS };

static enum link_kind
link_of_type(uint32_t type)
{
    switch (type) {
    case SHT_SYMTAB:
        return LINK_STRINGS;
    case SHT_SYMTAB_SHNDX:
    case SHT_CUDA_CALLGRAPH:
    case SHT_CUDA_PROTOTYPE:
    case SHT_CUDA_UFT_ENTRY:
    case SHT_CUDA_UDT_ENTRY:
        return LINK_SYMBOLS_ALONE;
    case SHT_CUDA_INFO:
    case SHT_REL:
    case SHT_RELA:
    case SHT_CUDA_RESOLVED_RELA:
        return LINK_SYMBOLS;
    default:
        return LINK_NOTHING;
    }
}

static void
link_text(struct elfw *elfw, struct section *section)
{
    const struct function *function = elfw_function(elfw, section->owner);

    section->link = output_number(elfw, elfw->symtab);
    section->info = elfw_remap_symbol(elfw, function->symbol);
    if (elfw->arch->generation->text_names_registers)
        section->info |= (uint32_t)section->registers << TEXT_REGISTERS_SHIFT;
    if (elfw_flag(elfw, MERGE_RELOCATABLE))
        section->flags |= (uint32_t)function->barriers << TEXT_BARRIERS_SHIFT;
}

/* The notes and .nv.compat form a chain. */
static void
link_cuinfo(struct elfw *elfw, struct section *section)
{
    section->link = output_number(elfw, elfw->tkinfo);
    if (!elfw->compat)
        return;
    section->flags |= SHF_INFO_LINK;
    section->info = output_number(elfw, elfw->compat);
}

static void
link_section(struct elfw *elfw, uint32_t index)
{
    struct section *section = elfw_section(elfw, index);
    enum link_kind kind = link_of_type(section->type);

    if (section->is_mercury) {
        mercury_link_section(elfw, index);
        return;
    }
    if (kind != LINK_NOTHING)
        section->link = output_number(elfw, kind == LINK_STRINGS ? elfw->strtab : elfw->symtab);
    if (kind == LINK_STRINGS || kind == LINK_SYMBOLS_ALONE)
        return; /* info of the symbol table was set when the symbols were numbered */
    if (index == elfw->cuinfo)
        link_cuinfo(elfw, section);
    else if (elfw_text_owner(elfw, index))
        link_text(elfw, section);
    else if (section->target)
        section->info = output_number(elfw, section->target);
}

/* No file of this size can be meant; the limit keeps offsets from wrapping. */
#define LARGEST_IMAGE ((uint64_t)1 << 62)

/* The segments hold what the loader needs: code with constants, and data. */
static void
note_extent(struct elfw *elfw, const struct section *section)
{
    struct file_extent *extent = section->flags & SHF_WRITE ? &elfw->data : &elfw->code;

    if (!(section->flags & SHF_ALLOC))
        return;
    if (!extent->any)
        extent->from = section->output_offset;
    extent->any = true;
    extent->to = section->output_offset + (has_no_contents(section->type) ? 0 : section->size);
}

void
place_sections(struct elfw *elfw)
{
    uint64_t offset = sizeof(Elf64_Ehdr);

    for (uint32_t n = 1; n < elfw->output_section_count; n++) {
        struct section *section = elfw_section(elfw, elfw->section_order[n]);
        bool is_string_table = section->type == SHT_STRTAB;

        elfw_expect_after(elfw, n);
        link_section(elfw, elfw->section_order[n]);
        if (section->shares_bytes) {
            section->output_offset = elfw_section(elfw, section->twin)->output_offset;
            continue;
        }
        offset = align_up(offset, section->align);
        section->output_offset = offset;
        note_extent(elfw, section);
        if (offset + section->size > LARGEST_IMAGE)
            diag_fatal(elfw->diag, "The output is too large: section '%s'",
                       elfw_section_name(elfw, section));
        if (!has_no_contents(section->type) || section->is_mercury)
            offset += section->size;
        if (is_string_table && elfw->view->is_mercury)
            offset += mercury_gap_behind(elfw, elfw->section_order[n]);
    }
    elfw->contents_end = offset;
    elfw->header.e_shoff = align_up(offset, 8);
}
