#include "finalize/image.h"

#include "finalize/finalize.h"
#include "mercury/mercury.h"

enum { SEGMENT_ALIGN = 8 };

static uint64_t
section_table_size(const struct elfw *elfw)
{
    return (uint64_t)elfw->output_section_count * sizeof(Elf64_Shdr);
}

static void
add_segment(struct elfw *elfw, uint32_t flags, uint64_t offset, uint64_t file_size,
            uint64_t memory_size)
{
    array_push(&elfw->segments, elfw->arena,
               ((Elf64_Phdr){
                   .p_type = PT_LOAD,
                   .p_flags = flags,
                   .p_offset = offset,
                   .p_filesz = file_size,
                   .p_memsz = memory_size,
                   .p_align = SEGMENT_ALIGN,
               }));
}

/* Memory without contents follows the file's bytes. */
static uint64_t
memory_end(const struct elfw *elfw)
{
    uint64_t end = elfw->contents_end;

    for (uint32_t n = 1; n < elfw->output_section_count; n++) {
        const struct section *section = elfw_section(elfw, elfw->section_order[n]);
        if (has_no_contents(section->type))
            end = align_up(end, section->align) + section->size;
    }
    return end;
}

/* Code with constants, then data; behind them the headers of the segments themselves. */
static void
make_sass_segments(struct elfw *elfw)
{
    struct file_extent code = elfw->code, data = elfw->data;

    if (code.any)
        add_segment(elfw, PF_R | PF_X, code.from, code.to - code.from, code.to - code.from);
    if (data.any)
        add_segment(elfw, PF_R | PF_W, data.from, elfw->contents_end - data.from,
                    memory_end(elfw) - data.from);
    add_segment(elfw, PF_R | PF_X, 0, 0, 0);
}

/* The two segments that hold the headers of all: their place is known last. */
static void
place_headers(struct elfw *elfw, uint32_t mapped)
{
    uint64_t size = elfw->segments.count * sizeof(Elf64_Phdr);

    for (uint32_t i = 0; i < elfw->segments.count; i++) {
        Elf64_Phdr *segment = &elfw->segments.at[i];
        if (i != 0 && i != mapped)
            continue;
        segment->p_offset = elfw->header.e_shoff + section_table_size(elfw);
        segment->p_filesz = segment->p_memsz = size;
    }
    elfw->segments.at[0].p_type = PT_PHDR;
}

void
make_segments(struct elfw *elfw)
{
    if (elfw_flag(elfw, MERGE_RELOCATABLE))
        return;
    if (elfw->view->is_mercury) {
        add_segment(elfw, PF_R, 0, 0, 0);
        add_segment(elfw, PF_R, 0, 0, 0);
        mercury_make_segments(elfw, &elfw->segments);
        place_headers(elfw, 1);
    } else {
        add_segment(elfw, PF_R | PF_X, 0, 0, 0);
        make_sass_segments(elfw);
        place_headers(elfw, elfw->segments.count - 1);
    }
}

uint64_t
image_size(const struct elfw *elfw)
{
    return elfw->header.e_shoff + section_table_size(elfw) +
           elfw->segments.count * sizeof(Elf64_Phdr);
}

static uint32_t
loader_type(const struct elfw *elfw, uint32_t type)
{
    if (elfw_flag(elfw, MERGE_RELOCATABLE))
        return type;
    if (has_no_contents(type))
        return SHT_NOBITS;
    return is_constant_bank(type) || type == SHT_CUDA_GLOBAL_INIT ? SHT_PROGBITS : type;
}

/* Field by field, so that nothing has to wait for a header that is copied as a whole. */
static void
write_header(const struct elfw *elfw, uint32_t number, uint8_t *at)
{
    const struct section *section = &elfw->sections.at[elfw->section_order[number]];
    uint32_t type = section->is_mercury ? section->type : loader_type(elfw, section->type);

    write_u32(at + offsetof(Elf64_Shdr, sh_name), section->name_offset);
    write_u32(at + offsetof(Elf64_Shdr, sh_type), type);
    write_u64(at + offsetof(Elf64_Shdr, sh_flags), section->flags);
    write_u64(at + offsetof(Elf64_Shdr, sh_addr), 0);
    write_u64(at + offsetof(Elf64_Shdr, sh_offset), section->output_offset);
    write_u64(at + offsetof(Elf64_Shdr, sh_size), section->size);
    write_u32(at + offsetof(Elf64_Shdr, sh_link), section->link);
    write_u32(at + offsetof(Elf64_Shdr, sh_info), section->info);
    write_u64(at + offsetof(Elf64_Shdr, sh_addralign), section->align);
    write_u64(at + offsetof(Elf64_Shdr, sh_entsize), section->entsize);
}

/* More sections than fit into the ELF header are counted in the first one. */
static void
write_null_header(const struct elfw *elfw, uint8_t *at)
{
    uint32_t count = elfw->output_section_count;
    const Elf64_Shdr header = {.sh_size = count < SHN_LORESERVE ? 0 : count};

    memcpy(at, &header, sizeof header);
}

void
write_section_headers(const struct elfw *elfw, uint32_t first, uint32_t end, uint8_t *at)
{
    for (uint32_t n = first; n < end; n++, at += sizeof(Elf64_Shdr)) {
        elfw_expect_after(elfw, n);
        if (n > 0)
            write_header(elfw, n, at);
        else
            write_null_header(elfw, at);
    }
}

Elf64_Ehdr
make_header(const struct elfw *elfw)
{
    Elf64_Ehdr header = elfw->header;
    uint32_t segments = elfw->segments.count;

    header.e_phnum = (uint16_t)segments;
    if (!segments && elfw->view->is_mercury)
        header.e_phentsize = 0;
    header.e_phoff = segments ? header.e_shoff + section_table_size(elfw) : 0;
    header.e_shnum =
        elfw->output_section_count < SHN_LORESERVE ? (uint16_t)elfw->output_section_count : 0;
    header.e_shstrndx = (uint16_t)elfw->section_virtual[elfw->shstrtab];
    uint32_t cuinfo = elfw->section_virtual[elfw->cuinfo];
    header.e_flags |= (cuinfo < UINT8_MAX ? cuinfo : UINT8_MAX) << 24;
    return header;
}
