#include "toolkit/find_cuda.h"

#include "base/file.h"
#include "toolkit/nvcc.h"
#include "toolkit/paths.h"
#include "toolkit/record.h"

#include <stdlib.h>
#include <string.h>

static const char *const usual_places[] = {"/usr/local/cuda", "/opt/cuda"};

/* What nvcc says of itself counts, not where it was found: distributions put a script on PATH that
   starts the true one. One that was started through a link has no profile beside it. */
static bool
take_nvcc(struct arena *arena, const char *nvcc, struct cuda_toolkit *out)
{
    struct toolkit_record record;
    const char *bin = nvcc_tool_folder(arena, nvcc);

    if (!bin)
        return false;
    if (!file_exists(path_join(arena, bin, "nvcc.profile"))) {
        const char *behind_link = path_real(arena, path_join(arena, bin, "nvcc"));
        bin = path_parent(arena, behind_link ? behind_link : nvcc);
    }
    if (record_read(arena, path_parent(arena, bin), &record))
        bin = record.bin;
    *out = (struct cuda_toolkit){path_parent(arena, bin), bin, true};
    return path_is_program(path_join(arena, bin, "nvcc"));
}

static bool
take_folder(struct arena *arena, const char *folder, struct cuda_toolkit *out)
{
    const char *nvcc = path_join(arena, folder, "bin/nvcc");
    struct toolkit_record record;

    if (path_is_program(nvcc))
        return take_nvcc(arena, nvcc, out);
    if (record_read(arena, folder, &record))
        folder = record.root;
    if (!path_is_program(path_join(arena, folder, "bin/ptxas")))
        return false;
    const char *bin = path_real(arena, path_join(arena, folder, "bin"));
    *out = (struct cuda_toolkit){path_real(arena, folder), bin, false};
    return out->root && out->bin;
}

/* Every nvcc on PATH is tried: the first may be a leftover that does not run. */
static bool
take_from_path(struct arena *arena, struct cuda_toolkit *out)
{
    const char *path = getenv("PATH");

    for (const char *at = path ? path : ""; *at;) {
        size_t length = strcspn(at, ":");
        const char *folder = length ? arena_text(arena, at, length) : ".";
        const char *nvcc = path_join(arena, folder, "nvcc");

        if (path_is_program(nvcc) && take_nvcc(arena, nvcc, out))
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

static bool
take_anything(struct arena *arena, struct cuda_toolkit *out)
{
    static const char *const variables[] = {"CUDA_PATH", "CUDA_HOME"};

    for (size_t i = 0; i < COUNT_OF(variables); i++) {
        const char *folder = getenv(variables[i]);
        if (folder && *folder && take_folder(arena, folder, out))
            return true;
    }
    if (take_from_path(arena, out))
        return true;
    for (size_t i = 0; i < COUNT_OF(usual_places); i++)
        if (take_folder(arena, usual_places[i], out))
            return true;
    return false;
}

struct cuda_toolkit
find_cuda(struct arena *arena, struct diag *diag, const char *given)
{
    struct cuda_toolkit toolkit = {0};

    if (given && !take_folder(arena, given, &toolkit))
        diag_fatal(diag, "No CUDA toolkit in '%s': it has no bin/nvcc or bin/ptxas that runs",
                   given);
    if (!given && !take_anything(arena, &toolkit))
        diag_fatal(diag, "No CUDA toolkit found by CUDA_PATH, CUDA_HOME or PATH nor in "
                         "/usr/local/cuda or /opt/cuda; name it with --cuda");
    return toolkit;
}
