#include "door/door.h"

#include "door/check.h"

/* The number of .note.nv.cuinfo, where it fits into e_flags. */
static void
check_note_index(const struct door *door)
{
    enum { TOO_LARGE = 255 };
    uint32_t index = door->view->header.e_flags >> 24;
    bool is_note = index < door->view->section_count &&
                   door->view->sections[index].sh_type == SHT_NOTE &&
                   door->view->sections[index].sh_flags & SHF_CUDA_CUINFO;

    if (!is_note && index != TOO_LARGE)
        diag_damaged(door->arena->diag, door->view->file_name, "the ELF header",
                     offsetof(Elf64_Ehdr, e_flags), "section %u is not .note.nv.cuinfo", index);
}

static void
check_header(const struct door *door)
{
    const Elf64_Ehdr *header = &door->view->header;

    if (header->e_phoff || header->e_phnum)
        diag_damaged(door->arena->diag, door->view->file_name, "the ELF header",
                     offsetof(Elf64_Ehdr, e_phoff), "%u segments in a file that is to be linked",
                     header->e_phnum);
    if (header->e_version != EV_CURRENT)
        diag_damaged(door->arena->diag, door->view->file_name, "the ELF header",
                     offsetof(Elf64_Ehdr, e_version), "ELF version %u", header->e_version);
    enum { UNREAD = 8 }; /* by nvlink */
    if (!(header->e_flags & CUBIN_FLAG_MERCURY) &&
        (header->e_flags & UINT8_MAX & ~UNREAD) != CUBIN_FLAG_SASS)
        diag_damaged(door->arena->diag, door->view->file_name, "the ELF header",
                     offsetof(Elf64_Ehdr, e_flags), "a file of kind 0x%x",
                     header->e_flags & UINT8_MAX);
    /* The type of a file without mercury is of no consequence. */
    if (header->e_flags & CUBIN_FLAG_MERCURY && header->e_type != ET_REL &&
        header->e_type != ET_CUDA_WHOLE_PROGRAM)
        diag_damaged(door->arena->diag, door->view->file_name, "the ELF header",
                     offsetof(Elf64_Ehdr, e_type), "a file of type 0x%x", header->e_type);
    if (!door->view->symtab)
        diag_damaged(door->arena->diag, door->view->file_name, "the section header table",
                     header->e_shoff, "there is no symbol table");
}

/* The driver fills them in. */
static void
check_parameters(const struct door *door, uint32_t section)
{
    struct bytes contents = elf_contents(door->view, section);

    /* All are 0 if the first is and each is like the one before it. */
    if (contents.size &&
        (contents.at[0] || memcmp(contents.at, contents.at + 1, contents.size - 1) != 0))
        REFUSE_CONTENTS(door, section, 0, "parameters that have values");
}

static bool
is_common_info(const Elf64_Shdr *section)
{
    return section->sh_type == SHT_CUDA_INFO && !(section->sh_flags & SHF_INFO_LINK);
}

/* Most files say the same in both views of what all functions have in common; of what functions have for
   themselves only what differs is looked at again: see views.c. */
static bool
repeats_records(const struct door *door, uint32_t section)
{
    return door->view->sections[section].sh_flags & SHF_INFO_LINK ||
           (door->common_records && bytes_equal(elf_contents(door->view, section),
                                                elf_contents(door->view, door->common_records)));
}

static void
check_contents(const struct door *door, uint32_t section)
{
    switch (door->view->sections[section].sh_type) {
    case SHT_CUDA_INFO:
        check_records(door, section);
        break;
    case SHT_MERCURY_INFO:
        if (!repeats_records(door, section))
            check_records(door, section);
        break;
    case SHT_CUDA_CALLGRAPH:
        check_callgraph(door, section);
        break;
    case SHT_CUDA_PROTOTYPE:
        check_prototypes(door, section);
        break;
    case SHT_CUDA_COMPAT:
        check_compat(door, section);
        break;
    case SHT_CUDA_UFT_ENTRY:
    case SHT_CUDA_UDT_ENTRY:
        check_unified_entries(door, section);
        break;
    case SHT_NOTE:
        check_note(door, section);
        break;
    case SHT_CUDA_CONSTANT0:
        check_parameters(door, section);
        break;
    case SHT_REL:
    case SHT_RELA:
        check_relocations(door, section);
        break;
    case SHT_PROGBITS:
        if (!strcmp(elf_section_name(door->view, section), ".debug_frame"))
            check_frames(door, section);
        break;
    }
}

void
door_check_extents(const struct elf_view *view, struct arena *arena)
{
    check_extents(&(struct door){.view = view, .arena = arena});
}

void
door_check(const struct elf_view *view, struct arena *arena)
{
    struct door door = {.view = view, .arena = arena};
    bool has_constants = false;

    check_header(&door);
    check_sections(&door);
    check_symbols(&door);
    for (uint32_t i = 1; i < view->section_count; i++) {
        has_constants |= has_constants_of_code(&view->sections[i]);
        check_contents(&door, i);
        if (is_common_info(&view->sections[i]))
            door.common_records = i;
    }
    check_relocation_pairs(&door);
    if (has_constants)
        check_constants(&door);
    check_note_index(&door);
    check_extents(&door);
}
