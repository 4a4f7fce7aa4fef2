#include "door/views.h"

#include "cubin/nvinfo.h"
#include "door/check.h"

/* ---- records ---- */

/* Records with a payload that is the same in both views; others are about places and registers. */
static const bool is_common[UINT8_MAX + 1] = {
    [EIATTR_EXTERNS] = true,     [EIATTR_FRAME_SIZE] = true,       [EIATTR_MIN_STACK_SIZE] = true,
    [EIATTR_KPARAM_INFO] = true, [EIATTR_CRS_STACK_SIZE] = true,   [EIATTR_MAX_STACK_SIZE] = true,
    [EIATTR_REGCOUNT] = true,    [EIATTR_CUDA_API_VERSION] = true,
};

/* Values are the same, too; parameters have no bank in mercury. */
static bool
agrees_in(const struct info_record *record)
{
    return record->format == EIFMT_SVAL ? is_common[record->attribute]
                                        : record->attribute != EIATTR_CBANK_PARAM_SIZE;
}

/* Records and fields of entries are words. */
static uint64_t
mix(uint64_t sum, struct bytes bytes)
{
    for (size_t i = 0; i + sizeof(uint32_t) <= bytes.size; i += sizeof(uint32_t))
        sum = (sum ^ read_u32(bytes.at + i)) * 0x9e3779b97f4a7c15u;
    return sum ^ bytes.size;
}

/* The same for the same records in any order. */
static uint64_t
sum_of_records(struct bytes section)
{
    struct info_record record;
    size_t offset = 0;
    uint64_t sum = 0;

    while (info_next(section, &offset, &record))
        if (agrees_in(&record))
            sum += mix(1, record.whole);
    return sum;
}

/* ---- relocations ---- */

/* Each view has as many entries against each symbol, and as many of them with addends. */
static uint64_t
sum_of_symbols(struct bytes entries)
{
    enum { SYMBOL = 12, ADDEND = 16 };
    uint64_t sum = 0;

    for (size_t at = 0; at + sizeof(Elf64_Rela) <= entries.size; at += sizeof(Elf64_Rela)) {
        uint64_t addend = read_u64(entries.at + at + ADDEND);
        sum += mix(addend ? 2 : 1, (struct bytes){entries.at + at + SYMBOL, sizeof(uint32_t)});
    }
    return sum;
}

void
door_check_twins(const struct elf_view *view, struct arena *arena, uint32_t mercury, uint32_t sass)
{
    struct door door = {.view = view, .arena = arena};
    struct bytes first = elf_contents(view, mercury), second = elf_contents(view, sass);
    const Elf64_Shdr *sections = view->sections;
    bool agrees = true;

    if (sections[mercury].sh_type == SHT_MERCURY_INFO)
        agrees = bytes_equal(first, second) || sum_of_records(first) == sum_of_records(second);
    else if (sections[mercury].sh_type == SHT_MERCURY_RELA &&
             !strcmp(elf_section_name(view, mercury), ".nv.merc.rela.debug_frame"))
        agrees = sum_of_symbols(first) == sum_of_symbols(second);
    if (!agrees)
        REFUSE_CONTENTS(&door, mercury, 0, "the other view says something else");
}
