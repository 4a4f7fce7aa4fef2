#include "finalize/reached.h"

#include "cubin/nvinfo.h"

#include <assert.h>

/* In the order in which a program of one kernel appends them. */
#define INHERITABLES(X)                                                                            \
    X(SPARSE_MMA_MASK, HVAL, MASK)                                                                 \
    X(CTAIDZ_USED, NVAL, FLAG)                                                                     \
    X(RESERVED_SMEM_USED, NVAL, FLAG)                                                              \
    X(VRC_CTA_INIT_COUNT, BVAL, MAX_OR_OWN)                                                        \
    X(TCGEN05_1CTA_USED, NVAL, FLAG)                                                               \
    X(TCGEN05_2CTA_USED, NVAL, FLAG)                                                               \
    X(NUM_BARRIERS, BVAL, MAX)                                                                     \
    X(REG_RECONFIG, NVAL, FLAG)                                                                    \
    X(NUM_MBARRIERS, HVAL, SUM)

#define AS_ROW(name, format, rule) {EIATTR_##name, EIFMT_##format, INHERIT_##rule},
#define AS_INDEX(name, format, rule) INDEX_##name,
#define AS_ENTRY(name, format, rule) [EIATTR_##name] = INDEX_##name + 1,

const struct inheritable inheritables[INHERITABLE_COUNT] = {INHERITABLES(AS_ROW)};

enum { INHERITABLES(AS_INDEX) };

int
inheritable_index(uint8_t attribute)
{
    static const uint8_t numbers[UINT8_MAX + 1] = {INHERITABLES(AS_ENTRY)};
    return numbers[attribute] - 1;
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

static const struct inherited nothing = {
    .keys = {UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
             UINT64_MAX, UINT64_MAX, UINT64_MAX},
};
static_assert(INHERIT_KEYS == 10, "as many keys as there are");

static void
add_value(struct inherited *into, int index, uint16_t value)
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
}

/* Where it is met; those of the inheritables are present then. */
static void
note_key(struct inherited *into, int index, uint64_t key)
{
    if (index != INHERIT_EXTERNS)
        into->present |= 1u << index;
    if (key < into->keys[index])
        into->keys[index] = key;
}

/* What is gathered before it is stored: of a component, of a function, of all. */
struct gathered {
    struct reached *reached; /* where it stays */
    struct inherited inherited;
};

struct summariser {
    struct elfw *elfw;
    const struct call_graph *graph;
    struct reach_summary *summary;
    struct gathered program;
    struct external_union of_component, of_program;
    struct external_union fragments_of_component, fragments_of_program;
};

static void
collect_externals(struct summariser *s, const struct object *object, struct bytes payload,
                  uint64_t key)
{
    for (size_t at = 0; at + sizeof(uint32_t) <= payload.size; at += sizeof(uint32_t)) {
        uint32_t input = read_u32(payload.at + at);
        int32_t symbol = input < object->elf.symbol_count ? object->symbols[input] : 0;

        if (!is_external(s->elfw, symbol))
            continue;
        struct external external = {symbol, key + at / sizeof(uint32_t)};
        externals_add(&s->of_component, external);
        externals_add(&s->of_program, external);
    }
}

/* Compilers know a handful. A bound on the kinds is one on the sets of all functions together. */
static void
limit_fragments(struct summariser *s)
{
    enum { MOST_FRAGMENTS = 256 };

    if (s->fragments_of_program.ordered > MOST_FRAGMENTS)
        diag_fatal(s->elfw->diag, "The program has too many kinds of entry fragments");
}

static void
collect_fragments(struct summariser *s, struct bytes payload, uint64_t key)
{
    if (!s->summary->fragments)
        s->summary->fragments = arena_array(s->elfw->arena, (size_t)s->graph->component_count + 1,
                                            sizeof *s->summary->fragments);
    for (size_t at = 0; at + sizeof(uint32_t) <= payload.size; at += sizeof(uint32_t)) {
        struct external fragment = {(int32_t)read_u32(payload.at + at),
                                    key + at / sizeof(uint32_t)};
        externals_add(&s->fragments_of_component, fragment);
        externals_add(&s->fragments_of_program, fragment);
        limit_fragments(s);
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
read_own(struct summariser *s, struct inherited *into, uint32_t ordinal)
{
    struct elfw *elfw = s->elfw;
    const struct function *function = elfw_function(elfw, ordinal);
    struct bytes records = function->records;
    struct info_record record;
    uint64_t call_stack = 0;
    size_t offset = 0;

    s->summary->longest_records = max_u64(s->summary->longest_records, records.size);
    while (info_next(records, &offset, &record)) {
        uint64_t key = record_key(function->read_order, offset - record.whole.size);
        int index = inheritable_index(record.attribute);

        if ((record.attribute == EIATTR_CRS_STACK_SIZE || record.attribute == EIATTR_SYNC_STACK) &&
            record.payload.size >= sizeof(uint32_t))
            call_stack += read_u32(record.payload.at);
        if (record.attribute == EIATTR_EXTERNS && function->object) {
            collect_externals(s, elfw->objects.at[function->object], record.payload, key);
            note_key(into, INHERIT_EXTERNS, key); /* even where no symbol of the list is left */
        }
        if (record.attribute == EIATTR_AT_ENTRY_FRAGMENTS)
            collect_fragments(s, record.payload, key);
        if (index < 0)
            continue;
        add_value(into, index, record.value);
        note_key(into, index, key);
    }
    bool has_mask = into->present & 1u << INHERIT_MASK_INDEX;
    if (function->is_inner)
        return call_stack;
    if ((!has_mask && function->info) || function->is_alias || has_live_alias(elfw, function))
        into->values[INHERIT_MASK_INDEX] |= MASK_UNKNOWN;
    return call_stack;
}

static void
add_own(struct gathered *into, const struct inherited *own, uint32_t registers)
{
    into->reached->registers =
        registers > into->reached->registers ? registers : into->reached->registers;
    into->inherited.values[INHERIT_MASK_INDEX] |= own->values[INHERIT_MASK_INDEX];
    for (uint32_t bits = own->present; bits; bits &= bits - 1) {
        int i = __builtin_ctz(bits);
        add_value(&into->inherited, i, own->values[i]);
        note_key(&into->inherited, i, own->keys[i]);
    }
    note_key(&into->inherited, INHERIT_EXTERNS, own->keys[INHERIT_EXTERNS]);
}

static void
add_reached(struct summariser *s, struct gathered *into, const struct reached *from)
{
    if (from->registers > into->reached->registers)
        into->reached->registers = from->registers;
    if (from->barriers > into->reached->barriers)
        into->reached->barriers = from->barriers;
    into->inherited.values[INHERIT_MASK_INDEX] |= from->mask;
    for (uint32_t i = 0; i < from->attribute_count; i++) {
        const struct attribute *attribute = &s->summary->attributes.at[from->first_attribute + i];

        /* A sum is one over a set: see sum_over_reached. */
        if (attribute->index != INHERIT_EXTERNS &&
            inheritables[attribute->index].rule != INHERIT_SUM)
            add_value(&into->inherited, attribute->index, attribute->value);
        note_key(&into->inherited, attribute->index, attribute->key);
    }
    externals_add_all(&s->of_component, (struct externals){from->externals, from->external_count});
    if (s->summary->fragments)
        externals_add_all(&s->fragments_of_component,
                          s->summary->fragments[from - s->summary->components]);
}

static void
add_function(struct summariser *s, uint32_t node, struct gathered *into, uint64_t stack,
             uint64_t call_stack)
{
    const struct function *function = elfw_function(s->elfw, node);
    struct inherited own = nothing;
    uint64_t own_call_stack = read_own(s, &own, node);

    add_own(into, &own, function->registers);
    add_own(&s->program, &own, function->registers);
    if (function->barriers > into->reached->barriers)
        into->reached->barriers = function->barriers;
    s->summary->has_all_masks &= function->is_inner || own.present & 1u << INHERIT_MASK_INDEX;
    into->reached->is_recursive |= function->is_kernel && function->has_unknown_stack;
    into->reached->stack = max_u64(into->reached->stack, function->frame_size + stack);
    into->reached->call_stack = max_u64(into->reached->call_stack, own_call_stack + call_stack);
}

static void
add_node(struct summariser *s, uint32_t node, struct gathered *into)
{
    const struct call_graph *graph = s->graph;
    const struct reached *components = s->summary->components;
    uint32_t component = graph->component[node];
    uint64_t stack = 0, call_stack = 0;

    for (uint32_t e = graph->callees.start[node]; e < graph->callees.start[node + 1]; e++) {
        uint32_t callee = graph->component[graph->callees.to[e]];

        if (callee == component)
            continue;
        add_reached(s, into, &components[callee]);
        stack = max_u64(stack, components[callee].stack);
        call_stack = max_u64(call_stack, components[callee].call_stack);
    }
    if (node < graph->function_count) {
        add_function(s, node, into, stack, call_stack);
        return;
    }
    into->reached->stack = max_u64(into->reached->stack, stack);
    into->reached->call_stack = max_u64(into->reached->call_stack, call_stack);
}

/* Of the attributes only those that are there are kept. */
static void
store(struct summariser *s, uint32_t component, struct gathered *gathered)
{
    struct reach_summary *summary = s->summary;
    struct reached *reached = gathered->reached;
    struct externals externals = externals_of(&s->of_component, s->elfw->arena);

    reached->externals = externals.at;
    reached->external_count = externals.count;
    reached->first_attribute = summary->attributes.count;
    for (uint32_t bits = gathered->inherited.present; bits; bits &= bits - 1) {
        int i = __builtin_ctz(bits);
        struct attribute attribute = {gathered->inherited.keys[i], gathered->inherited.values[i],
                                      (uint8_t)i};
        array_push(&summary->attributes, s->elfw->arena, attribute);
    }
    if (gathered->inherited.keys[INHERIT_EXTERNS] != UINT64_MAX)
        array_push(
            &summary->attributes, s->elfw->arena,
            ((struct attribute){gathered->inherited.keys[INHERIT_EXTERNS], 0, INHERIT_EXTERNS}));
    reached->attribute_count = (uint8_t)(summary->attributes.count - reached->first_attribute);
    reached->mask = gathered->inherited.values[INHERIT_MASK_INDEX];
    reached->is_recursive |= s->graph->reaches_cycle[component];
    if (summary->fragments) {
        summary->fragments[component] = externals_of(&s->fragments_of_component, s->elfw->arena);
        externals_clear(&s->fragments_of_component);
    }
}

bool
sets_registers(const struct reach_summary *summary, const struct reached *reached)
{
    for (uint32_t i = 0; i < reached->attribute_count; i++)
        if (summary->attributes.at[reached->first_attribute + i].index == INDEX_REG_RECONFIG)
            return true;
    return false;
}

struct inherited
inherited_by(const struct reach_summary *summary, const struct reached *reached)
{
    struct inherited all = nothing;

    all.values[INHERIT_MASK_INDEX] = reached->mask;
    for (uint32_t i = 0; i < reached->attribute_count; i++) {
        const struct attribute *attribute = &summary->attributes.at[reached->first_attribute + i];
        note_key(&all, attribute->index, attribute->key);
        if (attribute->index != INHERIT_EXTERNS)
            all.values[attribute->index] = attribute->value;
    }
    return all;
}

/*
 * Rare: the sum over the set a kernel reaches does not follow from the sums of its callees. The
 * walk visits what the kernel reaches and nothing else; stamps save clearing between kernels.
 */
struct walk {
    uint16_t *own;    /* per function: what it adds */
    uint32_t *stamps; /* per node: the last kernel that reached it */
    uint32_t *pending;
};

static uint16_t
own_sum(const struct elfw *elfw, uint32_t function, int index)
{
    struct bytes records = elfw_function(elfw, function)->records;
    struct info_record record;
    size_t offset = 0;
    uint16_t sum = 0;

    while (info_next(records, &offset, &record))
        if (record.attribute == inheritables[index].attribute)
            sum = (uint16_t)(sum + record.value);
    return sum;
}

static struct walk
begin_walk(struct elfw *elfw, const struct call_graph *graph)
{
    struct walk walk = {
        .own = arena_array(elfw->arena, graph->function_count, sizeof *walk.own),
        .stamps = arena_array(elfw->arena, graph->node_count, sizeof *walk.stamps),
        .pending = arena_array(elfw->arena, graph->node_count, sizeof *walk.pending),
    };

    for (uint32_t f = 1; f < graph->function_count; f++)
        walk.own[f] = own_sum(elfw, f, INDEX_NUM_MBARRIERS);
    return walk;
}

static uint16_t
sum_over_reached(const struct call_graph *graph, struct walk *walk, uint32_t kernel)
{
    uint32_t count = 1;
    uint16_t sum = 0;

    walk->pending[0] = kernel;
    walk->stamps[kernel] = kernel;
    while (count) {
        uint32_t node = walk->pending[--count];

        if (node < graph->function_count)
            sum = (uint16_t)(sum + walk->own[node]);
        for (uint32_t e = graph->callees.start[node]; e < graph->callees.start[node + 1]; e++) {
            uint32_t to = graph->callees.to[e];
            if (walk->stamps[to] != kernel)
                walk->pending[count++] = to;
            walk->stamps[to] = kernel;
        }
    }
    return sum;
}

/* The kernel's entry of that attribute, NULL: it has none. */
static struct attribute *
find_attribute(const struct reach_summary *summary, const struct reached *reached, int index)
{
    for (uint32_t i = 0; i < reached->attribute_count; i++) {
        struct attribute *attribute = &summary->attributes.at[reached->first_attribute + i];
        if (attribute->index == index)
            return attribute;
    }
    return NULL;
}

/* Only one attribute is summed, so that one stamp per kernel is enough. */
static void
finish_sums(struct elfw *elfw, const struct call_graph *graph, struct reach_summary *summary)
{
    struct walk walk = {0};

    for (uint32_t k = 0; k < graph->kernel_count; k++) {
        uint32_t kernel = graph->kernels[k];
        struct attribute *sum =
            find_attribute(summary, reached_by(summary, graph, kernel), INDEX_NUM_MBARRIERS);

        if (!sum)
            continue;
        if (!walk.stamps)
            walk = begin_walk(elfw, graph);
        sum->value = sum_over_reached(graph, &walk, kernel);
    }
}

/* Every function that stays is a node of the graph. */
struct reach_summary *
reach_summarise(struct elfw *elfw, const struct call_graph *graph)
{
    struct reach_summary *summary = arena_zero(elfw->arena, sizeof *summary);
    struct arena_mark before = arena_mark(&elfw->scratch);
    struct summariser s = {
        .elfw = elfw,
        .graph = graph,
        .summary = summary,
        .program = {&summary->program, nothing},
        .of_component = {.arena = &elfw->scratch},
        .of_program = {.arena = &elfw->scratch},
        .fragments_of_component = {.arena = &elfw->scratch},
        .fragments_of_program = {.arena = &elfw->scratch},
    };

    summary->components =
        arena_array(elfw->arena, (size_t)graph->component_count + 1, sizeof *summary->components);
    summary->has_all_masks = true;
    for (uint32_t f = 1; f < graph->function_count; f++)
        summary->has_all_masks &=
            !elfw_function(elfw, f)->is_dead || elfw_function(elfw, f)->is_inner;
    for (uint32_t i = 0; i < graph->order_count;) {
        uint32_t component = graph->component[graph->order[i]];
        struct gathered gathered = {&summary->components[component], nothing};

        externals_clear(&s.of_component);
        for (; i < graph->order_count && graph->component[graph->order[i]] == component; i++)
            add_node(&s, graph->order[i], &gathered);
        store(&s, component, &gathered);
    }
    finish_sums(elfw, graph, summary);
    summary->of_program = s.program.inherited;
    struct externals externals = externals_of(&s.of_program, elfw->arena);
    summary->program.externals = externals.at;
    summary->program.external_count = externals.count;
    summary->fragments_of_program = externals_of(&s.fragments_of_program, elfw->arena);
    arena_release(&elfw->scratch, before);
    return summary;
}
