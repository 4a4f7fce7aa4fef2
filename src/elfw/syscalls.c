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
    return !strncmp(name, SYSCALL_PREFIX, strlen(SYSCALL_PREFIX)) ||
           name_map_find(&elfw->syscall_names, name) != 0;
}
