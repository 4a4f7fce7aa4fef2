#include "elfw/syscalls.h"

#include "elfw/elfw.h"

const char *const syscall_names[] = {
    "vprintf",
    "vfprintf",
    "malloc",
    "free",
    "__assertfail",
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

bool
is_unified_table(const char *name)
{
    static const char *const ends[] = {"", "_END", "_OFFSET", "_CANONICAL"};

    if (!text_begins(name, "__UFT") && !text_begins(name, "__UDT"))
        return false;
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (!strcmp(name + strlen("__UFT"), ends[i]))
            return true;
    return false;
}

bool
is_loader_object(const char *name)
{
    static const char prefix[] = ".nv.reservedSmem.";
    static const char *const ends[] = {"begin", "cap", "end", "offset0", "offset1"};

    if (is_unified_table(name))
        return true;
    for (size_t i = 0; text_begins(name, prefix) && i < sizeof ends / sizeof *ends; i++)
        if (!strcmp(name + sizeof prefix - 1, ends[i]))
            return true;
    return false;
}

uint64_t
elfw_loader_value(const struct elfw *elfw, const char *name)
{
    if (!strcmp(name, RESERVED_CAPACITY))
        return 0x400;
    return strcmp(name, ".nv.reservedSmem.offset0") ? 0 : elfw->arch->generation->reserved_offset;
}
