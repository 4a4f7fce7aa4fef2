#include "base/parallel.h"
#include "driver/phases.h"
#include "driver/time_table.h"

static void
add_timing(void *user, const char *input, bool is_file, double milliseconds)
{
    time_table_add(user, is_file ? input : "ptx", "ptxas", input, is_file ? "" : "cubin",
                   milliseconds);
}

static unsigned
threads_for(void *user, uint64_t bytes)
{
    return link_threads(user, bytes);
}

static void
settle_compilations(void *user)
{
    culd_link *link = user;
    inputs_finish(&link->inputs);
}

/* What a link's options say about its inputs, and about compiling those that are PTX. */
static void
prepare_inputs(culd_link *link)
{
    const struct options *options = &link->options;
    struct compiler_options compiler = options_for_compiler(&link->arena, options);

    link->inputs.settings = (struct input_settings){
        .arena = &link->arena,
        .arch = &link->arch,
        .is_virtual_target = link->target_kind == ARCH_VIRTUAL,
        .prefer_lto = options->link_time_opt || options->dlto,
        .suppress_arch_warning = options->suppress_arch_warning,
        .threads_for = threads_for,
        .user = link,
        .crew = &link->crew,
    };
    link->inputs.unpacker.arena = &link->arena;
    link->inputs.ptx = (struct ptx_compiler){
        .arena = &link->arena,
        .arch = &link->arch,
        .ptxas = options->ptxas_path,
        .options = compiler.list.at,
        .option_count = compiler.list.count,
        .refusal = compiler.refusal,
        .most_at_once = options->time_file ? 1 : parallel_processors(),
        .on_timing = add_timing,
        .user = link,
    };
    link->diag.settle = settle_compilations;
    link->diag.settle_user = link;
}

/* Opening a file costs as much as reading this many bytes, or more. */
enum { COST_OF_A_FILE = 16 * 1024 };

static void
preload_inputs(culd_link *link)
{
    uint32_t count = link->options.inputs.count;
    unsigned threads = link_waiting_threads(link, (uint64_t)count * COST_OF_A_FILE);

    link->inputs.preload =
        (struct preload){.paths = link->options.inputs.at, .count = count, .crew = &link->crew};
    preload_files(&link->inputs.preload, threads);
    inputs_unpack_ahead(&link->inputs);
}

void
read_inputs(culd_link *link)
{
    prepare_inputs(link);
    find_libraries(&link->arena, &link->options, &link->libraries);
    preload_inputs(link);
    for (uint32_t i = 0; i < link->options.inputs.count; i++)
        inputs_add_file(&link->inputs, link->options.inputs.at[i], i);
    for (uint32_t i = 0; i < link->memory_inputs.count; i++)
        inputs_add_image(&link->inputs, link->memory_inputs.at[i].name,
                         link->memory_inputs.at[i].image);
    for (uint32_t i = 0; i < link->libraries.count; i++)
        inputs_add_library(&link->inputs, &link->libraries.at[i]);
    inputs_finish(&link->inputs);
}
