#include "finalize/reached.h"

#include "cubin/nvinfo.h"

#include <stdlib.h>

const struct inheritable inheritables[INHERITABLE_COUNT] = {
    {EIATTR_SPARSE_MMA_MASK, EIFMT_HVAL, INHERIT_MASK},
    {EIATTR_CTAIDZ_USED, EIFMT_NVAL, INHERIT_FLAG},
    {EIATTR_RESERVED_SMEM_USED, EIFMT_NVAL, INHERIT_FLAG},
    {EIATTR_VRC_CTA_INIT_COUNT, EIFMT_BVAL, INHERIT_MAX_OR_OWN},
    {EIATTR_TCGEN05_1CTA_USED, EIFMT_NVAL, INHERIT_FLAG},
    {EIATTR_TCGEN05_2CTA_USED, EIFMT_NVAL, INHERIT_FLAG},
    {EIATTR_NUM_BARRIERS, EIFMT_BVAL, INHERIT_MAX},
    {EIATTR_REG_RECONFIG, EIFMT_NVAL, INHERIT_FLAG},
    {EIATTR_NUM_MBARRIERS, EIFMT_HVAL, INHERIT_SUM},
};

int
inheritable_index(uint8_t attribute)
{
    for (int i = 0; i < INHERITABLE_COUNT; i++)
        if (inheritables[i].attribute == attribute)
            return i;
    return -1;
}

bool
is_external(const struct elfw *elfw, int32_t index)
{
    const struct symbol_record *symbol = elfw_get_symbol(elfw, index);
    uint32_t function = symbol_function(symbol);

    if (!index || !function || elfw_function(elfw, function)->is_dead)
        return false;
    return symbol->st_shndx == SHN_UNDEF || symbol_is_entry(symbol);
}

static void
init_reached(struct reached *reached)
{
    for (int i = 0; i < INHERIT_KEYS; i++)
        reached->keys[i] = UINT64_MAX;
}

static void
add_value(struct reached *into, int index, uint16_t value)
{
    uint16_t *old = &into->values[index];

    switch (inheritables[index].rule) {
    case INHERIT_MAX:
    case INHERIT_MAX_OR_OWN:
        *old = value > *old ? value : *old;
        break;
    case INHERIT_MASK:
        *old |= value;
        break;
    case INHERIT_SUM:
        *old = (uint16_t)(*old + value);
        break;
    }
    into->present |= 1u << index;
}

static void
note_key(struct reached *into, int index, uint64_t key)
{
    if (key < into->keys[index])
        into->keys[index] = key;
}

/* Union of two lists ordered by symbol; of a symbol in both the earlier key counts. */
static void
add_externals(struct arena *arena, struct reached *into, const struct external *list,
              uint32_t count)
{
    if (!count || list == into->externals)
        return;
    if (!into->external_count) {
        into->externals = list;
        into->external_count = count;
        return;
    }
    struct external *all = arena_array(arena, (size_t)into->external_count + count, sizeof *all);
    const struct external *old = into->externals;
    uint32_t a = 0, b = 0, n = 0;

    while (a < into->external_count || b < count) {
        bool take_old = b == count || (a < into->external_count && old[a].symbol <= list[b].symbol);
        struct external next = take_old ? old[a++] : list[b++];

        if (n && all[n - 1].symbol == next.symbol) {
            if (next.key < all[n - 1].key)
                all[n - 1].key = next.key;
        } else {
            all[n++] = next;
        }
    }
    into->externals = all;
    into->external_count = n;
}

static int
compare_externals(const void *a, const void *b)
{
    const struct external *x = a, *y = b;

    if (x->symbol != y->symbol)
        return x->symbol < y->symbol ? -1 : 1;
    return x->key < y->key ? -1 : x->key > y->key;
}

/* Orders a list by symbol and leaves the first mention of each; returns how many are left. */
static uint32_t
sort_externals(struct external *list, uint32_t count)
{
    uint32_t left = 0;

    if (count)
        qsort(list, count, sizeof *list, compare_externals);
    for (uint32_t i = 0; i < count; i++)
        if (!left || list[left - 1].symbol != list[i].symbol)
            list[left++] = list[i];
    return left;
}

typedef ARRAY(struct external) external_list;

static void
collect_externals(struct elfw *elfw, external_list *list, const struct object *object,
                  struct bytes payload, uint64_t key)
{
    for (size_t at = 0; at + sizeof(uint32_t) <= payload.size; at += sizeof(uint32_t)) {
        uint32_t input = read_u32(payload.at + at);
        int32_t symbol = input < object->elf.symbol_count ? object->symbols[input] : 0;

        if (is_external(elfw, symbol))
            array_push(list, elfw->arena, ((struct external){symbol, key + at / sizeof(uint32_t)}));
    }
}

/* Keys order records as they were read. */
static uint64_t
record_key(uint32_t read_order, size_t offset)
{
    return (uint64_t)read_order << 32 | (uint32_t)offset;
}

/* Second names have no records of their own: what they lack counts as the function's. */
static bool
has_live_alias(const struct elfw *elfw, const struct function *function)
{
    int32_t alias = elfw_get_symbol(elfw, function->symbol)->alias_chain;

    for (; alias; alias = elfw_get_symbol(elfw, alias)->alias_chain) {
        const struct function *second =
            elfw_function(elfw, symbol_function(elfw_get_symbol(elfw, alias)));
        if (!second->is_dead && !second->is_inner)
            return true;
    }
    return false;
}

/* What the function's own records say. Returns its call stack. */
static uint64_t
add_own(struct elfw *elfw, struct reached *into, uint32_t ordinal, external_list *externals)
{
    const struct function *function = elfw_function(elfw, ordinal);
    struct info_record record;
    uint64_t call_stack = 0;
    size_t offset = 0;
    bool has_mask = false;

    if (function->registers > into->registers)
        into->registers = function->registers;
    while (info_next(function->records, &offset, &record)) {
        uint64_t key = record_key(function->read_order, offset - record.whole.size);
        int index = inheritable_index(record.attribute);

        if ((record.attribute == EIATTR_CRS_STACK_SIZE || record.attribute == EIATTR_SYNC_STACK) &&
            record.payload.size >= sizeof(uint32_t))
            call_stack += read_u32(record.payload.at);
        if (record.attribute == EIATTR_EXTERNS && function->object) {
            collect_externals(elfw, externals, elfw->objects.at[function->object], record.payload,
                              key);
            note_key(into, INHERIT_EXTERNS, key); /* even where no symbol of the list is left */
        }
        if (index < 0)
            continue;
        add_value(into, index, record.value);
        note_key(into, index, key);
        has_mask |= inheritables[index].rule == INHERIT_MASK;
    }
    if (function->is_inner)
        return call_stack;
    if ((!has_mask && function->info) || function->is_alias || has_live_alias(elfw, function))
        into->values[INHERIT_MASK_INDEX] |= MASK_UNKNOWN;
    return call_stack;
}

static void
add_reached(struct elfw *elfw, struct reached *into, const struct reached *from)
{
    if (from->registers > into->registers)
        into->registers = from->registers;
    into->values[INHERIT_MASK_INDEX] |= from->values[INHERIT_MASK_INDEX];
    for (int i = 0; i < INHERITABLE_COUNT && from->present; i++) {
        if (!(from->present & 1u << i))
            continue;
        if (inheritables[i].rule == INHERIT_SUM)
            into->present |= 1u << i; /* a sum over a set: see sum_over_reached */
        else
            add_value(into, i, from->values[i]);
        note_key(into, i, from->keys[i]);
    }
    note_key(into, INHERIT_EXTERNS, from->keys[INHERIT_EXTERNS]);
    add_externals(elfw->arena, into, from->externals, from->external_count);
}

static void
summarise_node(struct elfw *elfw, const struct call_graph *graph, struct reached *components,
               uint32_t node)
{
    uint32_t component = graph->component[node];
    struct reached *into = &components[component];
    uint64_t stack = 0, call_stack = 0, own_call_stack = 0, frame = 0;
    external_list own = {0};

    for (uint32_t e = graph->callees.start[node]; e < graph->callees.start[node + 1]; e++) {
        uint32_t callee = graph->component[graph->callees.to[e]];

        if (callee == component)
            continue;
        add_reached(elfw, into, &components[callee]);
        stack = max_u64(stack, components[callee].stack);
        call_stack = max_u64(call_stack, components[callee].call_stack);
    }
    if (node < graph->function_count) {
        own_call_stack = add_own(elfw, into, node, &own);
        own.count = sort_externals(own.at, own.count);
        add_externals(elfw->arena, into, own.at, own.count);
        frame = elfw_function(elfw, node)->frame_size;
        into->is_recursive |=
            elfw_function_is_entry(elfw, node) && elfw_function(elfw, node)->has_unknown_stack;
    }
    into->stack = max_u64(into->stack, frame + stack);
    into->call_stack = max_u64(into->call_stack, own_call_stack + call_stack);
    into->is_recursive |= graph->reaches_cycle[component];
}

/*
 * Rare: the sum over the set a kernel reaches does not follow from the sums of its callees. The
 * walk visits what the kernel reaches and nothing else; stamps save clearing between kernels.
 */
struct walk {
    uint32_t *stamps; /* per node: the last kernel that reached it */
    uint32_t *pending;
};

static uint16_t
own_sum(const struct elfw *elfw, uint32_t function, int index)
{
    struct info_record record;
    size_t offset = 0;
    uint16_t sum = 0;

    while (info_next(elfw_function(elfw, function)->records, &offset, &record))
        if (record.attribute == inheritables[index].attribute)
            sum = (uint16_t)(sum + record.value);
    return sum;
}

static uint16_t
sum_over_reached(const struct elfw *elfw, const struct call_graph *graph, struct walk *walk,
                 uint32_t kernel, int index)
{
    uint32_t count = 1;
    uint16_t sum = 0;

    walk->pending[0] = kernel;
    walk->stamps[kernel] = kernel;
    while (count) {
        uint32_t node = walk->pending[--count];

        if (node < graph->function_count)
            sum = (uint16_t)(sum + own_sum(elfw, node, index));
        for (uint32_t e = graph->callees.start[node]; e < graph->callees.start[node + 1]; e++) {
            uint32_t to = graph->callees.to[e];
            if (walk->stamps[to] != kernel)
                walk->pending[count++] = to;
            walk->stamps[to] = kernel;
        }
    }
    return sum;
}

/* Only one attribute is summed, so that one stamp per kernel is enough. */
static void
finish_sums(struct elfw *elfw, const struct call_graph *graph, struct reach_summary *summary)
{
    int index = inheritable_index(EIATTR_NUM_MBARRIERS);
    struct walk walk = {0};

    for (uint32_t k = 0; k < graph->kernel_count; k++) {
        struct reached *of = &summary->components[graph->component[graph->kernels[k]]];

        if (!(of->present & 1u << index))
            continue;
        if (!walk.stamps) {
            walk.stamps = arena_array(elfw->arena, graph->node_count, sizeof(uint32_t));
            walk.pending = arena_array(elfw->arena, graph->node_count, sizeof(uint32_t));
        }
        of->values[index] = sum_over_reached(elfw, graph, &walk, graph->kernels[k], index);
    }
}

static bool
has_mask_record(const struct elfw *elfw, uint32_t ordinal)
{
    struct info_record record;
    size_t offset = 0;

    while (info_next(elfw_function(elfw, ordinal)->records, &offset, &record))
        if (record.attribute == inheritables[INHERIT_MASK_INDEX].attribute)
            return true;
    return false;
}

struct reach_summary *
reach_summarise(struct elfw *elfw, const struct call_graph *graph)
{
    struct reach_summary *summary = arena_zero(elfw->arena, sizeof *summary);

    summary->components =
        arena_array(elfw->arena, (size_t)graph->component_count + 1, sizeof *summary->components);
    for (uint32_t c = 0; c < graph->component_count; c++)
        init_reached(&summary->components[c]);
    for (uint32_t i = 0; i < graph->order_count; i++)
        summarise_node(elfw, graph, summary->components, graph->order[i]);
    finish_sums(elfw, graph, summary);

    external_list all = {0};
    init_reached(&summary->program);
    for (uint32_t f = 1; f < graph->function_count; f++)
        if (!elfw_function(elfw, f)->is_dead)
            add_own(elfw, &summary->program, f, &all);
    summary->has_all_masks = true;
    for (uint32_t f = 1; f < graph->function_count; f++)
        if (!elfw_function(elfw, f)->is_inner)
            summary->has_all_masks &= !elfw_function(elfw, f)->is_dead && has_mask_record(elfw, f);
    summary->program.externals = all.at;
    summary->program.external_count = sort_externals(all.at, all.count);
    return summary;
}
