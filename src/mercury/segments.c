#include "mercury/mercury.h"

static uint32_t
permissions(const struct section *section)
{
    return PF_R | (section->flags & SHF_WRITE ? PF_W : 0) |
           (section->flags & SHF_EXECINSTR ? PF_X : 0);
}

/* The sections order[from] .. order[to - 1] as one segment. */
static Elf64_Phdr
make_segment(const struct elfw *elfw, uint32_t from, uint32_t to)
{
    const struct section *first = elfw_section(elfw, elfw->section_order[from]);
    uint64_t begin = first->output_offset, end = begin;
    bool has_more = false;

    for (uint32_t n = from; n < to; n++) {
        const struct section *section = &elfw->sections.at[elfw->section_order[n]];
        bool is_empty = has_no_contents(section->type);

        elfw_expect_after(elfw, n);
        end = max_u64(end, section->output_offset + (is_empty ? 0 : section->size));
        has_more |= is_empty;
    }
    uint64_t memory = end;
    for (uint32_t n = from; has_more && n < to; n++) {
        const struct section *section = &elfw->sections.at[elfw->section_order[n]];
        if (has_no_contents(section->type))
            memory = align_up(memory, section->align) + section->size;
    }
    return (Elf64_Phdr){.p_type = PT_LOAD,
                        .p_flags = permissions(first),
                        .p_offset = begin,
                        .p_filesz = end - begin,
                        .p_memsz = memory - begin,
                        .p_align = 8};
}

/* One for each run of sections in memory with the same permissions. */
void
mercury_make_segments(struct elfw *elfw, segment_list *segments)
{
    for (uint32_t n = 1, end; n < elfw->output_section_count; n = end) {
        const struct section *first = &elfw->sections.at[elfw->section_order[n]];

        end = n + 1;
        if (first->is_mercury) /* so are all that follow */
            break;
        if (!(first->flags & SHF_ALLOC))
            continue;
        for (; end < elfw->output_section_count; end++) {
            const struct section *section = &elfw->sections.at[elfw->section_order[end]];
            if (section->is_mercury || !(section->flags & SHF_ALLOC) ||
                permissions(section) != permissions(first))
                break;
        }
        array_push(segments, elfw->arena, make_segment(elfw, n, end));
    }
}
