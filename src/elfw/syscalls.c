#include "elfw/syscalls.h"

#include "elfw/elfw.h"

const char *const syscall_names[] = {
    "vprintf",
    "vfprintf",
    "malloc",
    "free",
    "__assertfail",
    "__profile",
    "cudaGraphLaunch",
    "cudaGraphSetConditional",
    "cudaGraphKernelNodeSetParam",
    "cudaGraphKernelNodeSetEnabled",
    "cudaGraphKernelNodeSetGridDim",
    "cudaGraphKernelNodeUpdatesApply",
    "cnpCtxSynchronize",
    "cnpDeviceGetAttribute",
    "cnpEventCreate",
    "cnpEventDestroy",
    "cnpEventRecord",
    "cnpFuncGetAttribute",
    "cnpGetCacheConfig",
    "cnpGetDevice",
    "cnpGetDeviceCount",
    "cnpGetLastError",
    "cnpGetLimit",
    "cnpGetParameterBuffer",
    "cnpGetParameterBufferV2",
    "cnpGetSharedMemConfig",
    "cnpLaunchDevice",
    "cnpLaunchDeviceV2",
    "cnpSetLastError",
    "cnpStreamCreate",
    "cnpStreamDestroy",
    "cnpStreamWaitEvent",
    NULL,
};

bool
elfw_is_syscall(const struct elfw *elfw, const char *name)
{
    if (name[0] == '_' && name[1] != '_') /* as C++ names do */
        return false;
    return text_begins(name, SYSCALL_PREFIX) || name_map_find(&elfw->syscall_names, name) != 0;
}

bool
elfw_wants_functions(const struct elfw *elfw)
{
    for (uint32_t f = 1; f < elfw->functions.count; f++)
        if (elfw_function_is_undefined(elfw, f) &&
            !elfw_is_syscall(elfw, elfw_function_name(elfw, f)))
            return true;
    return false;
}

/* The text is the prefix and one of the ends. */
static bool
is_made_of(const char *text, const char *prefix, const char *const *ends, size_t count)
{
    if (!text_begins(text, prefix))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!strcmp(text + strlen(prefix), ends[i]))
            return true;
    return false;
}

bool
is_unified_table(const char *name)
{
    static const char *const ends[] = {"", "_END", "_OFFSET", "_CANONICAL"};

    return is_made_of(name, "__UFT", ends, COUNT_OF(ends)) ||
           is_made_of(name, "__UDT", ends, COUNT_OF(ends));
}

bool
is_reserved_symbol(const char *name)
{
    static const char *const ends[MOST_RESERVED_SYMBOLS] = {"begin", "cap", "end", "offset0",
                                                            "offset1"};

    return is_made_of(name, ".nv.reservedSmem.", ends, COUNT_OF(ends));
}

/* How large descriptors of images are. */
static bool
is_descriptor_size(const char *name)
{
    static const char *const ends[] = {"unified.texrefDescSize", "independent.texrefDescSize",
                                       "independent.samplerrefDescSize", "surfrefDescSize"};

    return is_made_of(name, ".nv.", ends, COUNT_OF(ends));
}

bool
is_loader_object(const char *name)
{
    return is_unified_table(name) || is_descriptor_size(name) || is_reserved_symbol(name);
}

uint64_t
elfw_loader_value(const struct elfw *elfw, const char *name)
{
    if (!strcmp(name, RESERVED_CAPACITY))
        return 0x400;
    return strcmp(name, RESERVED_OFFSET) ? 0 : elfw->arch->generation->reserved_offset;
}
