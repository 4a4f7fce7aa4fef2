#include "cubin/nvinfo.h"

size_t
info_check(struct bytes section)
{
    struct info_record record;
    size_t offset = 0;

    while (info_next(section, &offset, &record)) {
        size_t needed = info_names_symbol(record.attribute) ? sizeof(uint32_t) : 0;

        /* nvlink crashes on these attributes in another format. */
        if (record.payload.size < needed)
            return (size_t)(record.whole.at - section.at);
    }
    return offset;
}

bool
info_names_symbol(uint8_t attribute)
{
    switch (attribute) {
    case EIATTR_IMAGE_SLOT:
    case EIATTR_IMAGE_OFFSET:
    case EIATTR_IMAGE_SIZE:
    case EIATTR_TEXTURE_NORMALIZED:
    case EIATTR_SAMPLER_INIT:
    case EIATTR_PARAM_CBANK:
    case EIATTR_FRAME_SIZE:
    case EIATTR_MIN_STACK_SIZE:
    case EIATTR_SAMPLER_FORCE_UNNORMALIZED:
    case EIATTR_BINDLESS_IMAGE_OFFSETS:
    case EIATTR_MAX_STACK_SIZE:
    case EIATTR_LOAD_CACHE_REQUEST:
    case EIATTR_REGCOUNT:
    case EIATTR_SAM_REGION_STACK_SIZE:
        return true;
    }
    return false;
}
