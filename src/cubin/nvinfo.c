#include "cubin/nvinfo.h"

#include "base/array.h"

static const bool names_symbol[UINT8_MAX + 1] = {
    [EIATTR_IMAGE_SLOT] = true,
    [EIATTR_IMAGE_OFFSET] = true,
    [EIATTR_IMAGE_SIZE] = true,
    [EIATTR_TEXTURE_NORMALIZED] = true,
    [EIATTR_SAMPLER_INIT] = true,
    [EIATTR_PARAM_CBANK] = true,
    [EIATTR_FRAME_SIZE] = true,
    [EIATTR_MIN_STACK_SIZE] = true,
    [EIATTR_SAMPLER_FORCE_UNNORMALIZED] = true,
    [EIATTR_BINDLESS_IMAGE_OFFSETS] = true,
    [EIATTR_MAX_STACK_SIZE] = true,
    [EIATTR_LOAD_CACHE_REQUEST] = true,
    [EIATTR_REGCOUNT] = true,
    [EIATTR_SAM_REGION_STACK_SIZE] = true,
};

bool
info_names_symbol(uint8_t attribute)
{
    return names_symbol[attribute];
}

/*
 * Attributes that name places in the code, of which each view has its own: how many words a record
 * has for each place, which is the first of them.
 */
static const uint8_t words_per_place[UINT8_MAX + 1] = {
    [EIATTR_EXIT_INSTR_OFFSETS] = 1,
    [EIATTR_S2RCTAID_INSTR_OFFSETS] = 1,
    [EIATTR_LD_CACHEMOD_INSTR_OFFSETS] = 1,
    [EIATTR_ATOM_SYS_INSTR_OFFSETS] = 1,
    [EIATTR_COOP_GROUP_INSTR_OFFSETS] = 1,
    [EIATTR_ATOMF16_EMUL_INSTR_OFFSETS] = 1,
    [EIATTR_ATOM16_EMUL_INSTR_REG_MAP] = 2,
    [EIATTR_INT_WARP_WIDE_INSTR_OFFSETS] = 1,
    [EIATTR_INDIRECT_BRANCH_TARGETS] = INFO_PLACES_OTHERWISE,
    [EIATTR_MBARRIER_INSTR_OFFSETS] = 4,
    [EIATTR_COROUTINE_RESUME_ID_OFFSETS] = 1,
    [EIATTR_INSTR_REG_MAP] = 2,
    [EIATTR_UNUSED_LOAD_BYTE_OFFSET] = 2,
    [EIATTR_SYSCALL_OFFSETS] = 1,
    [EIATTR_SW_WAR_MEMBAR_SYS_INSTR_OFFSETS] = 1,
    [EIATTR_ANNOTATIONS] = INFO_PLACES_OTHERWISE,
    [EIATTR_STACK_CANARY_TRAP_OFFSETS] = 1,
    [EIATTR_LOCAL_CTA_ASYNC_STORE_OFFSETS] = 1,
};

uint8_t
info_words_per_place(uint8_t attribute)
{
    return words_per_place[attribute];
}

/* What an annotation has behind its kind. */
static const struct {
    bool has_place, has_text;
} annotations[] = {
    [1] = {.has_place = true},
    [2] = {.has_place = true, .has_text = true}, /* of a loop: why it was not unrolled */
    [3] = {.has_text = true},                    /* of the function: its size and registers */
};

bool
info_next_annotation(struct bytes list, size_t *offset, size_t *place)
{
    enum { WORD = sizeof(uint32_t) };
    size_t at = *offset, left = list.size - at;
    uint32_t kind = left >= WORD ? read_u32(list.at + at) : 0;

    if (kind >= COUNT_OF(annotations))
        return false;
    bool has_place = annotations[kind].has_place, has_text = annotations[kind].has_text;
    size_t size = WORD + has_place * WORD + has_text * WORD;
    if (size == WORD || size > left)
        return false;
    if (has_text) {
        size_t length = ((size_t)read_u32(list.at + at + size - WORD) + WORD - 1) / WORD * WORD;
        if (length > left - size)
            return false;
        size += length;
    }
    *place = has_place ? at + WORD : 0;
    *offset = at + size;
    return true;
}
