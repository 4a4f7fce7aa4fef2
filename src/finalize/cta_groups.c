#include "cubin/nvinfo.h"
#include "finalize/finalize.h"

#include <stdlib.h>

/*
 * Tensor core instructions work on one CTA or on a pair. nvlink objects where it adds a record of
 * one kind to a kernel that has one of the other: it goes through the records of functions as they
 * arrived, and for each through the kernels that reach it, the last first. An only kernel is given
 * both at once, so that its own record alone can be at odds with them. A kernel that has both
 * itself is let pass.
 */
struct offender {
    uint64_t key; /* of the record that was one too many */
    uint32_t kernel;
};

static int
compare_offenders(const void *a, const void *b)
{
    const struct offender *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->kernel > y->kernel ? -1 : x->kernel < y->kernel;
}

/* The kinds that the function's own records name, a bit for each. */
static uint32_t
own_kinds(const struct elfw *elfw, uint32_t function, uint32_t kinds)
{
    struct bytes records = elfw_function(elfw, function)->records;
    struct info_record record;
    size_t offset = 0;
    uint32_t own = 0;

    while (info_next(records, &offset, &record)) {
        int index = inheritable_index(record.attribute);
        if (index >= 0)
            own |= 1u << index & kinds;
    }
    return own;
}

/* True if the kernel is given a kind that does not go with what it has. */
static bool
mixes_kinds(const struct elfw *elfw, uint32_t kernel, const struct inherited *inherited,
            bool is_only, struct offender *offender)
{
    int one = inheritable_index(EIATTR_TCGEN05_1CTA_USED);
    int two = inheritable_index(EIATTR_TCGEN05_2CTA_USED);
    uint32_t kinds = 1u << one | 1u << two;

    if ((inherited->present & kinds) != kinds)
        return false;
    uint32_t own = own_kinds(elfw, kernel, kinds);
    if (own == kinds || (is_only && !own))
        return false;
    uint64_t first = own & 1u << one ? 0 : inherited->keys[one];
    uint64_t second = own & 1u << two ? 0 : inherited->keys[two];
    *offender = (struct offender){max_u64(first, second), kernel};
    return true;
}

void
check_cta_groups(struct elfw *elfw, const struct call_graph *graph,
                 const struct reach_summary *summary)
{
    bool is_only = call_graph_has_one_kernel(elfw, graph);
    struct arena_mark before = arena_mark(&elfw->scratch);
    ARRAY(struct offender) offenders = {0};

    if (elfw_flag(elfw, MERGE_RELOCATABLE))
        return;
    for (uint32_t k = 0; k < graph->kernel_count; k++) {
        uint32_t kernel = graph->kernels[k];
        struct inherited inherited =
            is_only ? summary->of_program
                    : inherited_by(summary, reached_by(summary, graph, kernel));
        struct offender offender;

        if (mixes_kinds(elfw, kernel, &inherited, is_only, &offender))
            array_push(&offenders, &elfw->scratch, offender);
    }
    if (offenders.count)
        qsort(offenders.at, offenders.count, sizeof *offenders.at, compare_offenders);
    for (uint32_t i = 0; i < offenders.count; i++)
        diag_error(elfw->diag,
                   "Function '%s' uses single CTA(.cta_group::1) and CTA pair "
                   "granularity(.cta_group::2) and that is not allowed.",
                   elfw_function_name(elfw, offenders.at[i].kernel));
    arena_release(&elfw->scratch, before);
}
