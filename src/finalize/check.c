#include "cubin/nvinfo.h"
#include "finalize/finalize.h"

#include <inttypes.h>

/* The callees of a kernel that may recurse, each call counted, calls through pointers included. */
static uint32_t
count_recursive_callees(struct elfw *elfw, const struct call_graph *graph,
                        const uint32_t *recursive_taken, uint32_t kernel)
{
    const struct function *function = elfw_function(elfw, kernel);
    uint32_t count = 0;

    for (uint32_t e = function->callees; e; e = elfw->edges.at[e].next) {
        uint32_t callee = elfw->edges.at[e].to;
        if (!elfw_function(elfw, callee)->is_dead)
            count += graph->reaches_cycle[graph->component[callee]];
    }
    for (uint32_t e = function->indirect_calls; e; e = elfw->edges.at[e].next)
        count += recursive_taken[elfw->edges.at[e].to];
    return count;
}

/* Per prototype: how many functions that may be called through it may recurse. */
static uint32_t *
count_recursive_taken(struct elfw *elfw, const struct call_graph *graph)
{
    uint32_t *counts =
        arena_array(elfw->arena, (size_t)elfw->prototypes.names.count + 1, sizeof *counts);

    for (uint32_t f = 1; f < elfw->functions.count; f++)
        if (!elfw_function(elfw, f)->is_dead && elfw_pointer_prototype(elfw, f))
            counts[elfw_pointer_prototype(elfw, f)] += graph->reaches_cycle[graph->component[f]];
    counts[name_map_find(&elfw->prototypes, "")] = 0;
    return counts;
}

/* nvlink warns once for every call of the kernel that leads into a cycle. */
void
check_stacks(struct elfw *elfw, const struct call_graph *graph)
{
    if (elfw_flag(elfw, MERGE_RELOCATABLE) || elfw_flag(elfw, MERGE_NO_STACK_WARNING))
        return;
    uint32_t *recursive_taken = count_recursive_taken(elfw, graph);
    for (uint32_t k = 0; k < graph->kernel_count; k++)
        for (uint32_t n = count_recursive_callees(elfw, graph, recursive_taken, graph->kernels[k]);
             n > 0; n--)
            diag_warning(elfw->diag,
                         "Stack size for entry function '%s' cannot be statically determined",
                         elfw_function_name(elfw, graph->kernels[k]));
}

/* --extra-warnings: code that is kept for its address alone is likely a mistake. */
void
check_taken_functions(struct elfw *elfw)
{
    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        const struct function *function = elfw_function(elfw, f);
        if (function->is_address_taken && !function->is_reached)
            diag_warning(elfw->diag, "Function '%s' has address taken but no calls to it found",
                         elfw_function_name(elfw, f));
    }
}

void
check_limits(struct elfw *elfw)
{
    uint32_t bank = elfw_user_bank(elfw);
    const struct section *section = elfw_section(elfw, bank);
    uint64_t size = bank ? section->size : 0;

    if (size > CONSTANT_BANK_LIMIT)
        diag_error(elfw->diag,
                   "File uses too much global constant data (0x%" PRIx64 " bytes, 0x%x max)", size,
                   CONSTANT_BANK_LIMIT);
}

/* Functions the driver provides, and objects that only weak references name, may stay open. */
static bool
may_stay_undefined(const struct elfw *elfw, const struct symbol_record *symbol)
{
    uint32_t function = symbol_function(symbol);

    if (name_at(&elfw->names, symbol->name_id)->is_weak)
        return true;
    if (is_loader_object(symbol->name_str))
        return true;
    if (function)
        return elfw_function(elfw, function)->is_dead || elfw_is_syscall(elfw, symbol->name_str);
    if (is_image_type(symbol_type(symbol)))
        return true;
    unsigned space = memory_space(symbol->st_other);
    if (space == STO_CUDA_SHARED && symbol->st_size == 0)
        return true; /* an array of open size */
    return space == STO_CUDA_GLOBAL && elfw_flag(elfw, MERGE_ALLOW_UNDEFINED_GLOBALS);
}

void
check_undefined(struct elfw *elfw)
{
    if (elfw_flag(elfw, MERGE_RELOCATABLE))
        return;
    for (uint32_t i = 1; i < elfw->neg_symbols.count; i++) {
        const struct symbol_record *symbol = &elfw->neg_symbols.at[i];
        uint32_t input = name_at(&elfw->names, symbol->name_id)->input;

        if (symbol->st_shndx == SHN_UNDEF && !may_stay_undefined(elfw, symbol))
            diag_error(elfw->diag, "Undefined reference to '%s' in '%s'", symbol->name_str,
                       input ? elfw->objects.at[input]->name : "<input>");
    }
}
