#include "cubin/nvinfo.h"
#include "door/check.h"
#include "door/views.h"

/*
 * The bank of a kernel has its parameters behind what the system keeps there. Whole programs have the slots of their
 * textures already: alone in mercury, and in SASS behind the parameters, at one place for all kernels of the file.
 */
enum { SLOTS_ALIGN = 16, PARAMETERS_AT = 0x380 };

/* What the records of a kernel say of its bank. */
struct bank_records {
    uint64_t end;                /* of the parameters in it */
    uint32_t textures, surfaces; /* records of slots in it */
};

static struct bank_records
read_bank_records(const struct elf_view *view, uint32_t section)
{
    struct bank_records found = {.end = PARAMETERS_AT};
    struct bytes records = elf_contents(view, section);
    struct info_record record;

    for (size_t at = 0; info_next(records, &at, &record);) {
        found.textures += record.attribute == EIATTR_BINDLESS_TEXTURE_BANK;
        found.surfaces += record.attribute == EIATTR_BINDLESS_SURFACE_BANK;
        if (record.attribute == EIATTR_PARAM_CBANK && record.payload.size >= sizeof(uint64_t))
            found.end = (uint64_t)read_u16(record.payload.at + 4) + read_u16(record.payload.at + 6);
    }
    return found;
}

/* The bank of the kernel that a section has the records of, 0: none. */
static uint32_t
bank_of_records(const struct elf_view *view, const uint32_t *banks, uint32_t section)
{
    const Elf64_Shdr *header = &view->sections[section];
    bool names_text = header->sh_type == SHT_CUDA_INFO && header->sh_flags & SHF_INFO_LINK &&
                      header->sh_info < view->section_count;

    return names_text ? banks[header->sh_info] : 0;
}

static void
check_bank(const struct door *door, uint32_t bank, uint32_t twin, uint64_t begin, uint32_t section)
{
    const struct elf_view *view = door->view;
    struct bank_records records = read_bank_records(view, section);
    uint64_t start = twin ? begin : records.end;
    uint64_t end = start + (twin ? view->sections[twin].sh_size : 0);

    if (records.textures != (twin != 0) || records.surfaces != (twin != 0))
        REFUSE_CONTENTS(door, section, 0, "%u records of slots of textures, and %u of surfaces",
                        records.textures, records.surfaces);
    if (end != view->sections[bank].sh_size)
        REFUSE_SECTION(door, bank, "parameters and slots up to 0x%llx in 0x%llx bytes",
                       (unsigned long long)end, (unsigned long long)view->sections[bank].sh_size);
}

void
door_check_banks(const struct elf_view *view, struct arena *arena, const uint32_t *twins,
                 const uint32_t *banks)
{
    struct door door = {.view = view, .arena = arena};
    uint64_t end = PARAMETERS_AT;

    for (uint32_t i = 1; i < view->section_count; i++)
        if (bank_of_records(view, banks, i))
            end = max_u64(end, read_bank_records(view, i).end);
    for (uint32_t i = 1; i < view->section_count; i++) {
        uint32_t bank = bank_of_records(view, banks, i);
        if (bank)
            check_bank(&door, bank, twins[bank], align_up(end, SLOTS_ALIGN), i);
    }
}
