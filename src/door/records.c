#include "door/check.h"

#include "cubin/nvinfo.h"
#include "schedule/instruction.h"

/* What the payload holds. */
enum payload {
    /* What stands in the section that all functions have in common: */
    PAYLOAD_FUNCTION,  /* a function and a number, once for each function */
    PAYLOAD_REGISTERS, /* the same, and the number is not 0, which would mean that there is none */
    PAYLOAD_NO_LIMIT,  /* the same, and the number is 0: compilers set no limit */
    PAYLOAD_IMAGE,     /* a symbol, mostly a texture, sampler or surface, and a number */
    LAST_COMMON = PAYLOAD_IMAGE,
    /* ... and in that of each function: */
    PAYLOAD_ANY,
    PAYLOAD_BARRIERS,  /* the value is their number, and a record is there if there are any */
    PAYLOAD_NEVER,     /* of older architectures */
    PAYLOAD_FUNCTIONS, /* functions, each once */
    PAYLOAD_OFFSETS,   /* of instructions */
    PAYLOAD_EXITS,     /* of those that end the kernel */
    PAYLOAD_BANK,      /* the parameters' bank, and where they are in it */
    PAYLOAD_PARAMETER, /* 0, or an image that is the parameter, and more */
};

enum { LAST_BARRIERS = 16 };

/* The form of a record: which bits of its first four bytes are compared, and what they are; none of a
   record that may have any form. Format 1 has no value, 2 a byte, 3 two bytes, 4 a size. */
struct form {
    uint32_t mask, bits;
    uint8_t payload;
    bool is_list; /* of words, and of one at least */
    bool repeats; /* one function may have several */
};

#define NO_VALUE 0xffff00ff, EIFMT_NVAL
#define BYTE 0xff0000ff, EIFMT_BVAL
#define HALF 0x000000ff, EIFMT_HVAL
#define SIZED(size) 0xffff00ff, EIFMT_SVAL | (size) << 16
#define WORDS 0x000300ff, EIFMT_SVAL

static const struct form forms[UINT8_MAX + 1] = {
    [EIATTR_IMAGE_SLOT] = {SIZED(8), PAYLOAD_IMAGE, false, false},
    [EIATTR_CTAIDZ_USED] = {NO_VALUE, PAYLOAD_ANY, false, false},
    [EIATTR_IMAGE_OFFSET] = {SIZED(8), PAYLOAD_IMAGE, false, false},
    [EIATTR_IMAGE_SIZE] = {SIZED(8), PAYLOAD_IMAGE, false, false},
    [EIATTR_TEXTURE_NORMALIZED] = {SIZED(8), PAYLOAD_IMAGE, false, false},
    [EIATTR_SAMPLER_INIT] = {SIZED(8), PAYLOAD_IMAGE, false, false},
    [EIATTR_PARAM_CBANK] = {SIZED(8), PAYLOAD_BANK, false, false},
    [EIATTR_SYNC_STACK] = {SIZED(0), PAYLOAD_NEVER, false, false},
    [EIATTR_EXTERNS] = {WORDS, PAYLOAD_FUNCTIONS, true, false},
    [EIATTR_FRAME_SIZE] = {SIZED(8), PAYLOAD_FUNCTION, false, false},
    [EIATTR_MIN_STACK_SIZE] = {SIZED(8), PAYLOAD_FUNCTION, false, false},
    [EIATTR_SAMPLER_FORCE_UNNORMALIZED] = {SIZED(8), PAYLOAD_IMAGE, false, false},
    [EIATTR_BINDLESS_IMAGE_OFFSETS] = {SIZED(0), PAYLOAD_NEVER, false, false},
    [EIATTR_BINDLESS_TEXTURE_BANK] = {BYTE, PAYLOAD_ANY, false, true},
    [EIATTR_BINDLESS_SURFACE_BANK] = {BYTE, PAYLOAD_ANY, false, true},
    [EIATTR_KPARAM_INFO] = {SIZED(12), PAYLOAD_PARAMETER, false, true},
    [EIATTR_CBANK_PARAM_SIZE] = {HALF, PAYLOAD_ANY, false, false},
    [EIATTR_MAXREG_COUNT] = {HALF, PAYLOAD_ANY, false, false},
    [EIATTR_EXIT_INSTR_OFFSETS] = {WORDS, PAYLOAD_EXITS, true, false},
    [EIATTR_CRS_STACK_SIZE] = {SIZED(4), PAYLOAD_ANY, false, false},
    [EIATTR_MAX_STACK_SIZE] = {SIZED(8), PAYLOAD_NO_LIMIT, false, false},
    [EIATTR_LOAD_CACHE_REQUEST] = {SIZED(8), PAYLOAD_IMAGE, false, false},
    [EIATTR_COOP_GROUP_INSTR_OFFSETS] = {WORDS, PAYLOAD_OFFSETS, true, false},
    [EIATTR_REGCOUNT] = {SIZED(8), PAYLOAD_REGISTERS, false, false},
    [EIATTR_INT_WARP_WIDE_INSTR_OFFSETS] = {WORDS, PAYLOAD_OFFSETS, true, false},
    [EIATTR_INDIRECT_BRANCH_TARGETS] = {WORDS, PAYLOAD_ANY, true, false},
    [EIATTR_SW_WAR] = {SIZED(4), PAYLOAD_ANY, false, false},
    [EIATTR_CUDA_API_VERSION] = {SIZED(4), PAYLOAD_ANY, false, false},
    [EIATTR_NUM_MBARRIERS] = {HALF, PAYLOAD_ANY, false, false},
    [EIATTR_SAM_REGION_STACK_SIZE] = {SIZED(8), PAYLOAD_IMAGE, false, false},
    [EIATTR_KPARAM_INFO_V2] = {SIZED(12), PAYLOAD_PARAMETER, false, true},
    [EIATTR_RESERVED_SMEM_USED] = {NO_VALUE, PAYLOAD_ANY, false, false},
    [EIATTR_VRC_CTA_INIT_COUNT] = {BYTE, PAYLOAD_ANY, false, false},
    [EIATTR_NUM_BARRIERS] = {BYTE, PAYLOAD_BARRIERS, false, false},
    [EIATTR_AT_ENTRY_FRAGMENTS] = {WORDS, PAYLOAD_ANY, true, false},
    [EIATTR_SPARSE_MMA_MASK] = {HALF, PAYLOAD_ANY, false, false},
    [EIATTR_TCGEN05_1CTA_USED] = {NO_VALUE, PAYLOAD_ANY, false, false},
    [EIATTR_TCGEN05_2CTA_USED] = {NO_VALUE, PAYLOAD_ANY, false, false},
    [EIATTR_REG_RECONFIG] = {NO_VALUE, PAYLOAD_ANY, false, false},
};

struct record_check {
    const struct door *door;
    uint32_t section;
    size_t at; /* of the record in the section */
    struct info_record record;
    uint64_t *seen; /* what all have in common, per symbol: attributes that name it, a bit each */
    uint32_t parameters, in_bank;     /* bytes of parameters, as two records say */
    uint64_t end_of_parameters;       /* ... and as those of each say */
    bool has_version;                 /* of mercury */
    uint64_t own[UINT8_MAX / 64 + 1]; /* attributes that a function's section had */
};

#define REFUSE_RECORD(check, ...)                                                                  \
    REFUSE_CONTENTS((check)->door, (check)->section, (check)->at, __VA_ARGS__)

static bool
has_form(const struct info_record *record, const struct form *form)
{
    return (read_u32(record->whole.at) & form->mask) == form->bits &&
           (!form->is_list || record->payload.size);
}

/* Of attributes that are not known nvlink copies any. */
static void
check_format(const struct record_check *check)
{
    const struct info_record *record = &check->record;
    bool is_format = record->format >= EIFMT_NVAL && record->format <= EIFMT_SVAL;

    if ((!is_format && record->attribute <= EIATTR_LAST_KNOWN) ||
        (record->format == EIFMT_SVAL && !record->payload.size))
        REFUSE_RECORD(check, "record 0x%x has format %u and no contents", record->attribute,
                      record->format);
}

static uint32_t
named_function(const struct record_check *check, size_t at)
{
    const struct elf_view *view = check->door->view;
    uint32_t symbol = read_u32(check->record.payload.at + at);

    if (symbol >= view->symbol_count || ELF64_ST_TYPE(view->symbols[symbol].st_info) != STT_FUNC)
        REFUSE_RECORD(check, "record 0x%x names symbol %u, which is no function",
                      check->record.attribute, symbol);
    return symbol;
}

static void
check_single(const struct record_check *check)
{
    const struct elf_view *view = check->door->view;
    uint32_t symbol = named_function(check, 0);
    uint64_t bit = (uint64_t)1 << check->record.attribute % 64;

    if (!view->is_of_linker && !elf_symbol_section(view, symbol))
        REFUSE_RECORD(check, "record 0x%x of '%s', which has no code", check->record.attribute,
                      elf_symbol_name(view, symbol));
    if (check->seen[symbol] & bit)
        REFUSE_RECORD(check, "a second record 0x%x of '%s'", check->record.attribute,
                      elf_symbol_name(view, symbol));
    check->seen[symbol] |= bit;
}

/* The records of a section of its own say each thing once. */
static void
check_own(struct record_check *check)
{
    uint64_t *seen = &check->own[check->record.attribute / 64];
    uint64_t bit = (uint64_t)1 << check->record.attribute % 64;

    if (*seen & bit)
        REFUSE_RECORD(check, "a second record 0x%x", check->record.attribute);
    *seen |= bit;
}

/* Instructions are of 16 bytes; those of mercury have other places. There is one in each `step` bytes. */
static void
check_offsets(const struct record_check *check, size_t step)
{
    const Elf64_Shdr *section = &check->door->view->sections[check->section];
    uint64_t size = check->door->view->sections[section->sh_info].sh_size;
    bool has_limit = section->sh_type == SHT_CUDA_INFO && section->sh_flags & SHF_INFO_LINK;

    if (check->record.payload.size % step)
        REFUSE_RECORD(check, "record 0x%x has 0x%zx bytes", check->record.attribute,
                      check->record.payload.size);
    for (size_t at = 0; at < check->record.payload.size; at += step) {
        uint32_t offset = read_u32(check->record.payload.at + at);
        if (offset % 16 || (has_limit && offset >= size))
            REFUSE_RECORD(check, "record 0x%x: there is no instruction at 0x%x",
                          check->record.attribute, offset);
    }
}

static bool
has_mercury(const struct record_check *check)
{
    return check->door->view->header.e_flags & CUBIN_FLAG_MERCURY;
}

/* Of files with mercury nvlink finds the exits by itself, so that a wrong list would go unseen. */
static void
check_exits(const struct record_check *check)
{
    const struct elf_view *view = check->door->view;
    const Elf64_Shdr *section = &view->sections[check->section];

    check_offsets(check, sizeof(uint32_t));
    if (section->sh_type != SHT_CUDA_INFO || !has_mercury(check))
        return;
    struct bytes code = elf_contents(view, section->sh_info);
    for (size_t at = 0; at < check->record.payload.size; at += sizeof(uint32_t)) {
        uint32_t offset = read_u32(check->record.payload.at + at);
        struct instruction instruction = {0};
        if (bytes_hold(code, offset, INSTRUCTION_SIZE))
            instruction = read_instruction(code.at + offset);
        if (opcode_of(&instruction) != OP_EXIT)
            REFUSE_RECORD(check, "there is no exit at 0x%x", offset);
    }
}

static void
check_bank(const struct record_check *check)
{
    const struct elf_view *view = check->door->view;
    const uint8_t *payload = check->record.payload.at;
    uint32_t symbol = read_u32(payload), end = read_u16(payload + 4) + read_u16(payload + 6);
    uint32_t bank = symbol < view->symbol_count ? elf_symbol_section(view, symbol) : 0;

    if (bank == 0 || bank >= view->section_count ||
        ELF64_ST_TYPE(view->symbols[symbol].st_info) != STT_SECTION ||
        view->sections[bank].sh_type != SHT_CUDA_CONSTANT0 ||
        view->sections[bank].sh_info != view->sections[check->section].sh_info ||
        end > view->sections[bank].sh_size)
        REFUSE_RECORD(check, "symbol %u is not the bank of the parameters", symbol);
    /* nvlink makes this record anew where there is mercury. */
    if (has_mercury(check) && !elf_may_have_slots(view) && end != view->sections[bank].sh_size)
        REFUSE_RECORD(check, "parameters up to 0x%x in a bank of 0x%llx bytes", end,
                      (unsigned long long)view->sections[bank].sh_size);
}

static void
check_functions(const struct record_check *check)
{
    struct bytes functions = check->record.payload;

    for (size_t at = 0; at < functions.size; at += sizeof(uint32_t))
        named_function(check, at);
    if (has_repeats(check->door, functions, sizeof(uint32_t), sizeof(uint32_t)))
        REFUSE_RECORD(check, "record 0x%x names a function twice", check->record.attribute);
}

static void
check_image(const struct record_check *check)
{
    const struct elf_view *view = check->door->view;
    uint32_t symbol = read_u32(check->record.payload.at);
    bool may_be_function = check->record.attribute == EIATTR_SAM_REGION_STACK_SIZE;

    if (symbol >= view->symbol_count ||
        (ELF64_ST_TYPE(view->symbols[symbol].st_info) == STT_FUNC && !may_be_function))
        REFUSE_RECORD(check, "record 0x%x names symbol %u, which is no image",
                      check->record.attribute, symbol);
}

/* A parameter: the symbol of an image, or 0; its number, offset and size. */
enum { OFFSET_AT = 6, SIZE_AT = 8 };

/* An image stands in no bank: slots are made for it where code uses it. */
static bool
is_image_parameter(const struct info_record *record)
{
    return read_u32(record->payload.at) != 0;
}

static void
check_parameter(const struct record_check *check)
{
    enum { NO_OFFSET = UINT16_MAX };
    const struct elf_view *view = check->door->view;
    const uint8_t *payload = check->record.payload.at;
    uint32_t symbol = read_u32(payload);

    if (!is_image_parameter(&check->record))
        return;
    /* nvlink takes images of one name for one, whichever kernels they are parameters of. */
    bool is_own = symbol < view->symbol_count &&
                  is_image_type(ELF64_ST_TYPE(view->symbols[symbol].st_info)) &&
                  (view->is_of_linker ||
                   elf_symbol_section(view, symbol) == view->sections[check->section].sh_info);
    if (!is_own || read_u16(payload + OFFSET_AT) != NO_OFFSET)
        REFUSE_RECORD(check, "a parameter with an index");
}

/* Older compilers count them in the flags of the text, and so do links of what these wrote: never in both. */
static void
check_barriers(const struct record_check *check)
{
    const struct elf_view *view = check->door->view;
    unsigned others = text_barriers(view->sections[elf_owner(view, check->section)].sh_flags);

    if (check->record.value < 1 || check->record.value > LAST_BARRIERS)
        REFUSE_RECORD(check, "a function with %u barriers", check->record.value);
    if (others)
        REFUSE_RECORD(check, "%u barriers, and %u in the flags of the text", check->record.value,
                      others);
}

static void
check_payload(const struct record_check *check, enum payload payload)
{
    switch (payload) {
    case PAYLOAD_REGISTERS:
        if (!read_u32(check->record.payload.at + sizeof(uint32_t)))
            REFUSE_RECORD(check, "a function with 0 registers");
        check_single(check);
        break;
    case PAYLOAD_NO_LIMIT:
        if (read_u32(check->record.payload.at + sizeof(uint32_t)))
            REFUSE_RECORD(check, "a function with a limit of its stack");
        check_single(check);
        break;
    case PAYLOAD_FUNCTION:
        check_single(check);
        break;
    case PAYLOAD_FUNCTIONS:
        check_functions(check);
        break;
    case PAYLOAD_OFFSETS:
        check_offsets(check, sizeof(uint32_t));
        break;
    case PAYLOAD_EXITS:
        check_exits(check);
        break;
    case PAYLOAD_BANK:
        check_bank(check);
        break;
    case PAYLOAD_PARAMETER:
        check_parameter(check);
        break;
    case PAYLOAD_IMAGE:
        check_image(check);
        break;
    case PAYLOAD_BARRIERS:
        check_barriers(check);
        break;
    case PAYLOAD_NEVER:
    case PAYLOAD_ANY:
        break;
    }
}

/* Records of functions stand with the functions, and what all have in common stands alone. */
static bool
has_place(const struct record_check *check, const struct form *form)
{
    return (form->payload <= LAST_COMMON) == (check->seen != NULL);
}

/* Offset and size: the latter in the upper 14 bits, or in the lower 16, below what the parameter points to. */
static uint64_t
end_of_parameter(const struct info_record *record)
{
    enum { SIZE_SHIFT = 18, LARGE_SIZE = 0xffff };
    uint32_t size = read_u32(record->payload.at + SIZE_AT);

    return (uint64_t)read_u16(record->payload.at + OFFSET_AT) +
           (record->attribute == EIATTR_KPARAM_INFO ? size >> SIZE_SHIFT : size & LARGE_SIZE);
}

static void
check_known(struct record_check *check, const struct form *form)
{
    const struct info_record *record = &check->record;

    if (form->payload == PAYLOAD_NEVER)
        REFUSE_RECORD(check, "record 0x%x is none of this architecture", record->attribute);
    if (!has_place(check, form) || !has_form(record, form)) {
        check_format(check);
        if (!has_place(check, form))
            REFUSE_RECORD(check, "record 0x%x belongs elsewhere", record->attribute);
        REFUSE_RECORD(check, "record 0x%x has format %u, value 0x%x and 0x%zx bytes",
                      record->attribute, record->format, record->value, record->payload.size);
    }
    if (!check->seen && !form->repeats)
        check_own(check);
    if (form->payload != PAYLOAD_ANY)
        check_payload(check, form->payload);
    if (record->attribute == EIATTR_CBANK_PARAM_SIZE)
        check->parameters = record->value;
    if (record->attribute == EIATTR_PARAM_CBANK)
        check->in_bank = read_u16(record->payload.at + 6);
    if (form->payload == PAYLOAD_PARAMETER && !is_image_parameter(record))
        check->end_of_parameters = max_u64(check->end_of_parameters, end_of_parameter(record));
}

/* Where mercury is, nvlink makes the records of all parameters from those of each. */
static void
check_parameters(const struct record_check *check)
{
    const struct elf_view *view = check->door->view;
    bool is_sass = view->sections[check->section].sh_type == SHT_CUDA_INFO;

    if (check->parameters != check->in_bank)
        REFUSE_RECORD(check, "0x%x bytes of parameters, and 0x%x in their bank", check->parameters,
                      check->in_bank);
    if (is_sass && check->end_of_parameters != check->in_bank)
        REFUSE_RECORD(check, "parameters up to 0x%llx, and 0x%x bytes in their bank",
                      (unsigned long long)check->end_of_parameters, check->in_bank);
}

/* Releases from 13.0 on say of each function for which version of mercury it is. */
static void
check_version(const struct record_check *check)
{
    if (!check->seen && check->door->view->is_of_known_release && !check->has_version)
        REFUSE_RECORD(check, "the version of mercury is missing");
}

/* Only weak code of unknown compilers could do without. */
static bool
may_lack_registers(const struct elf_view *view, uint32_t text)
{
    const Elf64_Sym *function = &view->symbols[elf_text_function(view, text)];

    return ELF64_ST_BIND(function->st_info) == STB_WEAK && !is_of_known_compiler(view);
}

/* Each text says how many registers it needs. The compiler that is known says how large its frame is,
   too. */
static void
require_records(const struct record_check *check)
{
    const struct elf_view *view = check->door->view;

    for (uint32_t i = 1; i < view->section_count; i++) {
        uint32_t function = elf_text_function(view, i);
        bool is_text =
            view->sections[i].sh_type == SHT_PROGBITS && view->sections[i].sh_flags & SHF_EXECINSTR;

        if (!is_text)
            continue;
        if (!may_lack_registers(view, i) &&
            !(check->seen[function] & (uint64_t)1 << EIATTR_REGCOUNT))
            REFUSE_RECORD(check, "the register count of '%s' is missing",
                          elf_symbol_name(view, function));
        if (is_of_known_compiler(view) &&
            !(check->seen[function] & (uint64_t)1 << EIATTR_FRAME_SIZE))
            REFUSE_RECORD(check, "the frame of '%s' is missing", elf_symbol_name(view, function));
    }
}

/* Where there is mercury, nvlink makes the places of SASS from those of mercury. */
static bool
names_translated_places(const struct record_check *check)
{
    uint8_t words = info_words_per_place(check->record.attribute);

    return has_mercury(check) && words && words != INFO_PLACES_OTHERWISE &&
           check->record.attribute != EIATTR_INSTR_REG_MAP;
}

static void
check_unknown(const struct record_check *check)
{
    check_format(check);
    if (!info_has_symbol(&check->record))
        REFUSE_RECORD(check, "the record does not fit");
    if (names_translated_places(check))
        check_offsets(check, info_words_per_place(check->record.attribute) * sizeof(uint32_t));
}

static void
check_any(struct record_check *check)
{
    const struct form *form = &forms[check->record.attribute];

    check->has_version |= check->record.attribute == EIATTR_MERCURY_ISA_VERSION;
    if (form->mask)
        check_known(check, form);
    else
        check_unknown(check);
}

void
check_record(const struct door *door, uint32_t section, const struct info_record *record, size_t at)
{
    check_any(
        &(struct record_check){.door = door, .section = section, .at = at, .record = *record});
}

/* ---- records as compilers write most ---- */

/* Of a form of the section that all have in common, with all its bytes. */
static bool
passes_function(struct record_check *check, const struct form *form, const uint8_t *at)
{
    const struct elf_view *view = check->door->view;
    uint32_t symbol = read_u32(at + INFO_HEADER_SIZE);
    uint32_t number = read_u32(at + INFO_HEADER_SIZE + sizeof symbol);
    uint64_t bit = (uint64_t)1 << at[1] % 64;
    bool is_number = form->payload == PAYLOAD_REGISTERS  ? number != 0
                     : form->payload == PAYLOAD_NO_LIMIT ? number == 0
                                                         : form->payload == PAYLOAD_FUNCTION;

    if (!is_number || symbol >= view->symbol_count ||
        ELF64_ST_TYPE(view->symbols[symbol].st_info) != STT_FUNC || check->seen[symbol] & bit ||
        (!view->is_of_linker && !elf_symbol_section(view, symbol)))
        return false;
    check->seen[symbol] |= bit;
    return true;
}

/* Of a form of a function's own section: no more is known of it than that. */
static bool
passes_own(struct record_check *check, const struct form *form, uint8_t attribute)
{
    uint64_t *seen = &check->own[attribute / 64], bit = (uint64_t)1 << attribute % 64;

    if (form->payload != PAYLOAD_ANY || form->is_list || attribute == EIATTR_CBANK_PARAM_SIZE ||
        (*seen & bit && !form->repeats))
        return false;
    *seen |= bit;
    return true;
}

/* The size of the record that begins there, if it is as it has to be; 0: a closer look is needed. */
static size_t
pass_record(struct record_check *check, const uint8_t *at, size_t left)
{
    uint32_t word = read_u32(at);
    uint8_t attribute = (uint8_t)(word >> 8);
    const struct form *form = &forms[attribute];
    size_t size = INFO_HEADER_SIZE + ((uint8_t)word == EIFMT_SVAL ? word >> 16 : 0);

    if (!form->mask || (word & form->mask) != form->bits || size > left)
        return 0;
    bool passes =
        check->seen ? passes_function(check, form, at) : passes_own(check, form, attribute);
    return passes ? size : 0;
}

void
check_records(const struct door *door, uint32_t section)
{
    struct bytes contents = elf_contents(door->view, section);
    struct record_check check = {.door = door, .section = section};
    size_t offset = 0;

    if (!(door->view->sections[section].sh_flags & SHF_INFO_LINK))
        check.seen = arena_array(door->arena, door->view->symbol_count, sizeof *check.seen);
    while (contents.size - offset >= INFO_HEADER_SIZE) {
        size_t passed = pass_record(&check, contents.at + offset, contents.size - offset);
        check.at = offset;
        offset += passed;
        if (passed)
            continue;
        if (!info_next(contents, &offset, &check.record))
            break;
        check_any(&check);
    }
    check.at = offset;
    if (has_mercury(&check)) {
        check_parameters(&check);
        check_version(&check);
    }
    if (check.seen && door->view->sections[section].sh_type == SHT_CUDA_INFO)
        require_records(&check);
    if (offset != contents.size)
        REFUSE_RECORD(&check, "the record does not fit");
}
