#include "cubin/nvinfo.h"

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
