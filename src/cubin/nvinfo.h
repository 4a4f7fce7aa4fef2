/*
 * nvinfo.h: the records of .nv.info, .nv.info.F and .nv.compat sections.
 *
 * A record is a format byte, an attribute byte and 16 bits that hold the value or, in the sized
 * format, the number of payload bytes that follow.
 */
#ifndef CULD_CUBIN_NVINFO_H
#define CULD_CUBIN_NVINFO_H

#include "base/bytes.h"

enum info_format {
    EIFMT_NVAL = 1, /* no value */
    EIFMT_BVAL = 2, /* 8-bit value */
    EIFMT_HVAL = 3, /* 16-bit value */
    EIFMT_SVAL = 4, /* payload */
};

enum info_attribute {
    EIATTR_ERROR = 0x00,
    EIATTR_IMAGE_SLOT = 0x02,
    EIATTR_CTAIDZ_USED = 0x04,
    EIATTR_IMAGE_OFFSET = 0x06,
    EIATTR_IMAGE_SIZE = 0x07,
    EIATTR_TEXTURE_NORMALIZED = 0x08,
    EIATTR_SAMPLER_INIT = 0x09,
    EIATTR_PARAM_CBANK = 0x0a,
    EIATTR_SYNC_STACK = 0x0d,
    EIATTR_EXTERNS = 0x0f,
    EIATTR_FRAME_SIZE = 0x11,
    EIATTR_MIN_STACK_SIZE = 0x12,
    EIATTR_SAMPLER_FORCE_UNNORMALIZED = 0x13,
    EIATTR_BINDLESS_IMAGE_OFFSETS = 0x14,
    EIATTR_BINDLESS_TEXTURE_BANK = 0x15,
    EIATTR_BINDLESS_SURFACE_BANK = 0x16,
    EIATTR_KPARAM_INFO = 0x17,
    EIATTR_CBANK_PARAM_SIZE = 0x19,
    EIATTR_MAXREG_COUNT = 0x1b,
    EIATTR_EXIT_INSTR_OFFSETS = 0x1c,
    EIATTR_S2RCTAID_INSTR_OFFSETS = 0x1d,
    EIATTR_CRS_STACK_SIZE = 0x1e,
    EIATTR_MAX_STACK_SIZE = 0x23,
    EIATTR_LD_CACHEMOD_INSTR_OFFSETS = 0x25,
    EIATTR_LOAD_CACHE_REQUEST = 0x26,
    EIATTR_ATOM_SYS_INSTR_OFFSETS = 0x27,
    EIATTR_COOP_GROUP_INSTR_OFFSETS = 0x28,
    EIATTR_ATOMF16_EMUL_INSTR_OFFSETS = 0x2d,
    EIATTR_ATOM16_EMUL_INSTR_REG_MAP = 0x2e,
    EIATTR_REGCOUNT = 0x2f,
    EIATTR_INT_WARP_WIDE_INSTR_OFFSETS = 0x31,
    EIATTR_INDIRECT_BRANCH_TARGETS = 0x34,
    EIATTR_SW_WAR = 0x36,
    EIATTR_CUDA_API_VERSION = 0x37,
    EIATTR_NUM_MBARRIERS = 0x38,
    EIATTR_MBARRIER_INSTR_OFFSETS = 0x39,
    EIATTR_COROUTINE_RESUME_ID_OFFSETS = 0x3a,
    EIATTR_SAM_REGION_STACK_SIZE = 0x3b,
    EIATTR_INSTR_REG_MAP = 0x40,
    EIATTR_RESERVED_SMEM_USED = 0x41,
    EIATTR_UNUSED_LOAD_BYTE_OFFSET = 0x44,
    EIATTR_KPARAM_INFO_V2 = 0x45,
    EIATTR_SYSCALL_OFFSETS = 0x46,
    EIATTR_SW_WAR_MEMBAR_SYS_INSTR_OFFSETS = 0x47,
    EIATTR_VRC_CTA_INIT_COUNT = 0x4a,
    EIATTR_NUM_BARRIERS = 0x4c,
    EIATTR_AT_ENTRY_FRAGMENTS = 0x4f,
    EIATTR_SPARSE_MMA_MASK = 0x50,
    EIATTR_TCGEN05_1CTA_USED = 0x51,
    EIATTR_TCGEN05_2CTA_USED = 0x52,
    EIATTR_GEN_ERRBAR_AT_EXIT = 0x53,
    EIATTR_REG_RECONFIG = 0x54,
    EIATTR_ANNOTATIONS = 0x55,
    EIATTR_STACK_CANARY_TRAP_OFFSETS = 0x57,
    EIATTR_LOCAL_CTA_ASYNC_STORE_OFFSETS = 0x59,
    EIATTR_MERCURY_FINALIZER_OPTIONS = 0x5a,
    EIATTR_MERCURY_ISA_VERSION = 0x5f,
    EIATTR_LAST_KNOWN = EIATTR_MERCURY_ISA_VERSION,
};

/* The stack of a function that may recurse. */
#define STACK_UNKNOWN UINT32_MAX

enum { INFO_HEADER_SIZE = 4 };

struct info_record {
    uint8_t format;
    uint8_t attribute;
    uint16_t value;       /* of the formats without payload */
    struct bytes payload; /* of EIFMT_SVAL */
    struct bytes whole;   /* header and payload as they stand in the section */
};

/* Walks the records: false at the end of the section, or where a record does not fit. Start with
 *offset = 0. */
static inline bool
info_next(struct bytes section, size_t *offset, struct info_record *record)
{
    if (section.size - *offset < INFO_HEADER_SIZE)
        return false;
    const uint8_t *at = section.at + *offset;
    uint16_t value = read_u16(at + 2);
    size_t payload = at[0] == EIFMT_SVAL ? value : 0;

    if (section.size - *offset - INFO_HEADER_SIZE < payload)
        return false;
    *record = (struct info_record){
        .format = at[0],
        .attribute = at[1],
        .value = value,
        .payload = {at + INFO_HEADER_SIZE, payload},
        .whole = {at, INFO_HEADER_SIZE + payload},
    };
    *offset += record->whole.size;
    return true;
}

/* Which banks the slots of textures and surfaces are in. */
static inline bool
info_is_of_slots(uint8_t attribute)
{
    return attribute == EIATTR_BINDLESS_TEXTURE_BANK || attribute == EIATTR_BINDLESS_SURFACE_BANK;
}

/* Records that files with two views have for their SASS alone. */
static inline bool
info_is_of_sass_alone(uint8_t attribute)
{
    return attribute == EIATTR_CBANK_PARAM_SIZE || attribute == EIATTR_PARAM_CBANK ||
           attribute == EIATTR_SW_WAR || info_is_of_slots(attribute);
}

/* Attributes that name places in the code, of which each view of a file has its own: how many words a
   record has for each place, which is the first of them; 0: it names none. */
enum { INFO_PLACES_OTHERWISE = UINT8_MAX }; /* there is more to it */
uint8_t info_words_per_place(uint8_t attribute);

/* Steps behind the next of a list of annotations, and says where in the list its place stands; 0: it has
   none. False at the end, or where one is of another kind than is known. Start with *offset = 0. */
bool info_next_annotation(struct bytes list, size_t *offset, size_t *place);

/* Does the payload of this attribute begin with a symbol index? */
bool info_names_symbol(uint8_t attribute);

/* ... and is there room for it? nvlink crashes on these attributes in another format. */
static inline bool
info_has_symbol(const struct info_record *record)
{
    return record->payload.size >= sizeof(uint32_t) || !info_names_symbol(record->attribute);
}

#endif
