#include "cubin/nvinfo.h"
#include "finalize/finalize.h"

#include <stdlib.h>

static bool
uses_reserved_memory(const struct function *function)
{
    struct bytes records = function->records;
    struct info_record record;
    size_t offset = 0;

    while (info_next(records, &offset, &record))
        if (record.attribute == EIATTR_RESERVED_SMEM_USED)
            return true;
    return false;
}

struct user {
    uint32_t read_order;
    uint32_t function;
};

static int
by_read_order(const void *a, const void *b)
{
    const struct user *x = a, *y = b;
    return x->read_order < y->read_order ? -1 : x->read_order > y->read_order;
}

/* The functions that say so themselves, in the order in which their records were read. */
static uint32_t
collect_users(struct elfw *elfw, uint32_t *functions, bool *is_listed)
{
    struct user *users = arena_array(elfw->arena, elfw->functions.count, sizeof *users);
    uint32_t count = 0;

    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        const struct function *function = elfw_function(elfw, f);
        is_listed[f] = !function->is_dead && uses_reserved_memory(function);
        if (is_listed[f])
            users[count++] = (struct user){function->read_order, f};
    }
    qsort(users, count, sizeof *users, by_read_order);
    for (uint32_t i = 0; i < count; i++)
        functions[i] = users[i].function;
    return count;
}

static void
report(struct elfw *elfw, uint32_t function)
{
    diag_error(elfw->diag, "Function '%s' uses reserved shared memory when not allowed.",
               elfw_function_name(elfw, function));
}

/*
 * --disable-smem-reservation. Kernels inherit the use from what they reach, and are named before:
 * those of the function that was read last first.
 */
void
check_reserved_shared(struct elfw *elfw, const struct call_graph *graph)
{
    struct arena *arena = elfw->arena;
    uint32_t *users = arena_array(arena, elfw->functions.count, sizeof *users);
    bool *is_listed = arena_array(arena, elfw->functions.count, sizeof *is_listed);
    uint32_t count = collect_users(elfw, users, is_listed);
    ARRAY(uint32_t) heirs = {0};

    if (!elfw_flag(elfw, MERGE_RELOCATABLE)) {
        struct kernel_lists lists = call_graph_kernels_reaching(elfw, graph, users, count);
        for (uint32_t i = 0; i < count; i++)
            for (uint32_t k = lists.start[i + 1]; k-- > lists.start[i];) {
                if (!is_listed[lists.kernels[k]])
                    array_push(&heirs, arena, lists.kernels[k]);
                is_listed[lists.kernels[k]] = true;
            }
    }
    for (uint32_t i = heirs.count; i-- > 0;)
        report(elfw, heirs.at[i]);
    for (uint32_t i = 0; i < count; i++)
        report(elfw, users[i]);
}
