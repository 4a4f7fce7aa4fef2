#include "toolkit/toolkit.h"

#include "toolkit/find_cuda.h"
#include "toolkit/mirror.h"
#include "toolkit/nvcc.h"
#include "toolkit/paths.h"

bool
toolkit_is_wanted(const culd_link *link)
{
    return link->options.make_toolkit && !link->options.help && !link->options.version;
}

/* The running program's file, whatever name it was started by. */
static const char *
own_path(culd_link *link)
{
    const char *path = path_link_target(&link->arena, "/proc/self/exe");

    if (!path || !path_is_program(path))
        diag_fatal(&link->diag, "Could not find out where culd itself is");
    return path;
}

/* An nvcc that is a script may start another one, elsewhere. */
static void
check_nvcc(culd_link *link, const char *folder)
{
    const char *bin = path_join(&link->arena, folder, "bin");
    const char *nvcc = path_join(&link->arena, bin, "nvcc");
    const char *used = nvcc_tool_folder(&link->arena, nvcc);

    if (!used)
        diag_fatal(&link->diag, "'%s' does not run", nvcc);
    if (strcmp(used, bin) != 0)
        diag_fatal(&link->diag,
                   "'%s' takes its tools from '%s', not from its own folder, and so does not "
                   "use culd",
                   nvcc, used);
}

enum culd_status
toolkit_make(culd_link *link)
{
    const struct options *options = &link->options;

    if (setjmp(link->diag.unwind))
        return CULD_FATAL;
    options_end(&link->parser);
    if (options->inputs.count)
        diag_fatal(&link->diag, "Input files are not allowed with --make-toolkit");
    struct cuda_toolkit cuda = find_cuda(&link->arena, &link->diag, options->cuda_path);
    struct mirror mirror = {
        .arena = &link->arena, .diag = &link->diag, .now = {cuda.root, cuda.bin, own_path(link)}};

    mirror_open(&mirror, options->make_toolkit);
    mirror_fill(&mirror);
    if (cuda.has_nvcc)
        check_nvcc(link, mirror.folder);
    link->text = arena_format(&link->arena, "%s: the CUDA toolkit of %s with culd as nvlink\n",
                              mirror.folder, cuda.root);
    return CULD_OK;
}
