#include "finalize/finalize.h"
#include "finalize/fragments.h"
#include "finalize/record_writer.h"
#include "mercury/mercury.h"

#include <stdlib.h>

/* What a kernel's own records hold, met while they are written. */
struct kernel_records {
    uint32_t present;    /* bit per inheritable */
    uint8_t *call_stack; /* payload of its CRS_STACK_SIZE record */
    uint8_t *externs;    /* its EXTERNS record */
};

/* EXTERNS of the function at hand; the room serves one after the other. */
struct extern_list {
    uint32_t *at;
    uint32_t count;
    uint32_t *stamps; /* per output symbol */
    uint32_t stamp;
};

struct info_maker {
    struct record_writer writer;
    struct extern_list *externs;
    const struct reached *counted; /* what the kernel takes part in */
    struct inherited inherited;    /* from that */
    const struct reached *reached;
    bool is_kernel;
    bool is_only_kernel;
    bool has_listed_reached; /* EXTERNS were written with what the kernel reaches */
    struct fragments fragments;
    bool keeps_own_mask;  /* the only kernel of a program in which every mask is known */
    uint32_t mask_wanted; /* bit of the mask if any function of the program has one */
    const struct function *function;
};

/* A list of output numbers, each once; a stamp per number says which list had it last. */
static void
list_once(struct extern_list *list, uint32_t number)
{
    if (list->stamps[number] == list->stamp)
        return;
    list->stamps[number] = list->stamp;
    list->at[list->count++] = number;
}

/* The function's own externals that stay, in input order. */
static void
own_externals(struct info_maker *maker, struct bytes payload)
{
    const struct elfw *elfw = maker->writer.elfw;
    const struct object *object = elfw->objects.at[maker->function->object];

    for (size_t at = 0; at + sizeof(uint32_t) <= payload.size; at += sizeof(uint32_t)) {
        int32_t symbol = map_info_symbol(elfw, object, read_u32(payload.at + at));

        if (!symbol || !is_external(elfw, symbol))
            continue;
        uint32_t number = elfw_remap_symbol(elfw, symbol);
        if (maker->is_kernel)
            list_once(maker->externs, number);
        else
            maker->externs->at[maker->externs->count++] = number;
    }
}

static int
compare_keys(const void *a, const void *b)
{
    const struct external *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

static int
compare_keys_descending(const void *a, const void *b)
{
    return compare_keys(b, a);
}

/* Own externals first, then those of what is reached, in the order of their records. */
static void
add_reached_externals(struct info_maker *maker)
{
    const struct elfw *elfw = maker->writer.elfw;
    uint32_t total = maker->reached->external_count;
    struct external *ordered = arena_array(elfw->arena, (size_t)total + 1, sizeof *ordered);

    if (total)
        memcpy(ordered, maker->reached->externals, total * sizeof *ordered);
    qsort(ordered, total, sizeof *ordered, compare_keys);
    for (uint32_t i = 0; i < total; i++)
        list_once(maker->externs, elfw_remap_symbol(elfw, ordered[i].symbol));
}

/* A program of one kernel: what any function lists, the last met first, unless the kernel's own
   list has it all. Returns true if it replaced the list. */
static bool
take_program_externals(struct info_maker *maker)
{
    const struct elfw *elfw = maker->writer.elfw;
    struct extern_list *list = maker->externs;
    uint32_t total = maker->counted->external_count;
    struct external *ordered = arena_array(elfw->arena, (size_t)total + 1, sizeof *ordered);
    bool has_all = true;

    for (uint32_t i = 0; i < total; i++) {
        ordered[i] = maker->counted->externals[i];
        has_all &= list->stamps[elfw_remap_symbol(elfw, ordered[i].symbol)] == list->stamp;
    }
    if (has_all)
        return false;
    qsort(ordered, total, sizeof *ordered, compare_keys_descending);
    list->count = 0;
    for (uint32_t i = 0; i < total; i++)
        list->at[list->count++] = elfw_remap_symbol(elfw, ordered[i].symbol);
    return true;
}

static void
put_externs(struct record_writer *writer, bool at_head, const struct extern_list *list)
{
    size_t size = list->count * sizeof *list->at;

    if (!list->count)
        return;
    if (size > UINT16_MAX)
        diag_fatal(writer->elfw->diag, "A kernel refers to %u system calls and kernels: too many",
                   list->count);
    memcpy(at_head ? prepend_record(writer, EIATTR_EXTERNS, (uint16_t)size)
                   : append_record(writer, EIFMT_SVAL, EIATTR_EXTERNS, (uint16_t)size),
           list->at, size);
}

/*
 * The list of a function; `payload` is empty where it has no record of its own. False if the list
 * has to stand among the appended records instead.
 */
static bool
make_externs(struct info_maker *maker, struct bytes payload, bool has_record)
{
    bool moved = false;

    maker->externs->count = 0;
    maker->externs->stamp++;
    own_externals(maker, payload);
    /* A second record of a damaged input adds nothing: the first has what is reached. */
    bool adds_reached = maker->is_kernel && !maker->has_listed_reached;
    if (adds_reached && maker->is_only_kernel)
        moved = take_program_externals(maker);
    else if (adds_reached)
        add_reached_externals(maker);
    if (has_record && moved)
        return false;
    maker->has_listed_reached |= adds_reached;
    put_externs(&maker->writer, has_record, maker->externs);
    return true;
}

/* Barriers count wherever they are told of; nvlink forgets the kernel's own that have no record where
   it calls a function with one. */
static uint16_t
inherited_barriers(const struct info_maker *maker)
{
    uint16_t told = maker->inherited.values[inheritable_index(EIATTR_NUM_BARRIERS)];
    return told > maker->reached->barriers ? told : maker->reached->barriers;
}

static uint16_t
inherited_value(const struct info_maker *maker, int index, uint16_t own)
{
    if (inheritables[index].attribute == EIATTR_NUM_BARRIERS)
        return inherited_barriers(maker);
    switch (inheritables[index].rule) {
    case INHERIT_FLAG:
        return own;
    case INHERIT_MAX_OR_OWN:
        return maker->is_only_kernel ? own : maker->inherited.values[index];
    case INHERIT_MASK:
        return maker->keeps_own_mask ? own : maker->inherited.values[index];
    default:
        return maker->inherited.values[index];
    }
}

static void
carry_kernel_record(struct info_maker *maker, const struct info_record *record,
                    struct kernel_records *kernel, uint8_t *copy)
{
    int index = inheritable_index(record->attribute);

    if (record->attribute == EIATTR_CRS_STACK_SIZE && record->payload.size >= sizeof(uint32_t))
        write_u32(copy + INFO_HEADER_SIZE, maker->reached->is_recursive
                                               ? STACK_UNKNOWN
                                               : (uint32_t)maker->reached->call_stack);
    if (record->attribute == EIATTR_CRS_STACK_SIZE)
        kernel->call_stack = copy;
    if (index < 0)
        return;
    kernel->present |= 1u << index;
    if (record->format == EIFMT_BVAL)
        copy[2] = (uint8_t)inherited_value(maker, index, record->value);
    else if (record->format == EIFMT_HVAL)
        write_u16(copy + 2, inherited_value(maker, index, record->value));
}

struct pending {
    uint64_t key;
    int index;
};

static int
compare_pending(const void *a, const void *b)
{
    const struct pending *x = a, *y = b;

    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->index - y->index;
}

/* With several kernels records are appended as they are first met, else in a fixed order. */
static int
order_missing(const struct info_maker *maker, uint32_t missing, bool needs_externs,
              struct pending *list)
{
    int count = 0;

    if (!maker->fragments.are_written)
        list[count++] = (struct pending){
            maker->is_only_kernel ? 0 : first_fragment(maker->fragments.needed), INHERIT_FRAGMENTS};
    for (int i = 0; i < INHERIT_KEYS; i++) {
        bool wanted = i == INHERIT_EXTERNS ? needs_externs : (missing & 1u << i) != 0;
        if (wanted)
            list[count++] =
                (struct pending){maker->is_only_kernel ? 0 : maker->inherited.keys[i], i};
    }
    qsort(list, (size_t)count, sizeof *list, compare_pending);
    return count;
}

/* A kernel that is alone is not told that there are none of something; others are. */
static bool
is_sum_of_nothing(const struct info_maker *maker, int index)
{
    return maker->is_only_kernel && inheritables[index].rule == INHERIT_SUM &&
           !inherited_value(maker, index, maker->inherited.values[index]);
}

static const char *
function_name(const struct info_maker *maker)
{
    return elfw_get_symbol(maker->writer.elfw, maker->function->symbol)->name_str;
}

static void
append_missing(struct info_maker *maker, const struct kernel_records *kernel, bool has_externs)
{
    const struct inherited *inherited = &maker->inherited;
    uint32_t missing = (inherited->present | maker->mask_wanted) & ~kernel->present;
    struct pending list[INHERIT_KINDS];

    if (!kernel->call_stack && (maker->reached->is_recursive || maker->reached->call_stack))
        write_u32(
            append_record(&maker->writer, EIFMT_SVAL, EIATTR_CRS_STACK_SIZE, sizeof(uint32_t)),
            maker->reached->is_recursive ? STACK_UNKNOWN : (uint32_t)maker->reached->call_stack);
    int count = order_missing(maker, missing, !has_externs, list);
    for (int i = 0; i < count; i++) {
        if (list[i].index == INHERIT_EXTERNS) {
            make_externs(maker, (struct bytes){0}, false);
            continue;
        }
        if (list[i].index == INHERIT_FRAGMENTS) {
            append_fragments(&maker->writer, &maker->fragments, function_name(maker));
            continue;
        }
        if (is_sum_of_nothing(maker, list[i].index))
            continue;
        const struct inheritable *inheritable = &inheritables[list[i].index];
        append_record(
            &maker->writer, inheritable->format, inheritable->attribute,
            inheritable->rule == INHERIT_FLAG
                ? 0
                : inherited_value(maker, list[i].index, inherited->values[list[i].index]));
    }
}

static void
append_unknown_mask(struct info_maker *maker)
{
    const struct inheritable *mask = &inheritables[INHERIT_MASK_INDEX];
    append_record(&maker->writer, mask->format, mask->attribute, MASK_UNKNOWN);
}

/* A second name has no records of its own; what it lacks stands with the function's. */
static void
append_masks_of_aliases(struct info_maker *maker)
{
    const struct elfw *elfw = maker->writer.elfw;
    int32_t alias = elfw_get_symbol(elfw, maker->function->symbol)->alias_chain;

    for (; alias; alias = elfw_get_symbol(elfw, alias)->alias_chain) {
        const struct function *second =
            elfw_function(elfw, symbol_function(elfw_get_symbol(elfw, alias)));
        if (!second->is_dead && !second->is_inner)
            append_unknown_mask(maker);
    }
}

static uint32_t
count_aliases(const struct elfw *elfw, const struct function *function)
{
    uint32_t count = 0;

    for (int32_t at = elfw_get_symbol(elfw, function->symbol)->alias_chain; at;
         at = elfw_get_symbol(elfw, at)->alias_chain)
        count++;
    return count;
}

/* What the flags of texts say becomes a record, behind all others, if there is none. */
static void
append_untold_barriers(struct info_maker *maker)
{
    uint8_t barriers = maker->is_kernel ? maker->reached->barriers : maker->function->barriers;
    unsigned index = (unsigned)inheritable_index(EIATTR_NUM_BARRIERS);
    bool has_record = maker->is_kernel && maker->inherited.present & 1u << index;

    if (barriers && !has_record)
        append_record(&maker->writer, EIFMT_BVAL, EIATTR_NUM_BARRIERS, barriers);
}

static void
make_function_info(struct info_maker *maker)
{
    struct elfw *elfw = maker->writer.elfw;
    const struct object *object = elfw->objects.at[maker->function->object];
    struct bytes records = maker->function->records;
    struct kernel_records kernel = {0};
    struct info_record record;
    size_t offset = 0;
    bool has_externs = false, has_mask = false;
    bool is_relocatable = elfw_flag(elfw, MERGE_RELOCATABLE);

    while (info_next(records, &offset, &record)) {
        if (record.attribute == EIATTR_EXTERNS) {
            has_externs |= make_externs(maker, record.payload, true);
            continue;
        }
        if (record.attribute == EIATTR_AT_ENTRY_FRAGMENTS && !is_relocatable) {
            if (maker->is_kernel)
                write_own_fragments(&maker->writer, &maker->fragments, record.payload,
                                    function_name(maker));
            continue;
        }
        uint8_t *copy = carry_record(&maker->writer, object, &record);
        has_mask |= record.attribute == inheritables[INHERIT_MASK_INDEX].attribute;
        if (copy && maker->is_kernel)
            carry_kernel_record(maker, &record, &kernel, copy);
    }
    if (maker->is_kernel)
        append_missing(maker, &kernel, has_externs);
    else if (maker->mask_wanted && !has_mask)
        append_unknown_mask(maker);
    if (maker->mask_wanted)
        append_masks_of_aliases(maker);
    if (!is_relocatable)
        append_untold_barriers(maker);
}

/* Room for any list: the longest section of records, and all that the program lists. */
static size_t
longest_externs(const struct reach_summary *summary)
{
    return summary->longest_records / sizeof(uint32_t) + summary->program.external_count + 1;
}

/* Own records hold the own list; only a kernel's grows beyond it. */
static void
open_function_writer(struct info_maker *maker, struct elfw *elfw)
{
    size_t fragments = (size_t)maker->fragments.needed.count * sizeof(uint32_t);
    size_t externs = (size_t)maker->counted->external_count * sizeof(uint32_t);
    size_t headers = INHERIT_KINDS + 2 + count_aliases(elfw, maker->function);

    if (!maker->is_kernel)
        fragments = externs = 0;
    open_writer(&maker->writer, elfw, &elfw->scratch,
                maker->function->records.size + externs + fragments,
                externs + sizeof(uint32_t) + fragments + headers * INFO_HEADER_SIZE);
}

/* What is the same for all functions. */
struct function_infos {
    const struct call_graph *graph;
    const struct reach_summary *summary;
    struct extern_list externs;
};

static void
make_info_of(struct function_infos *infos, struct elfw *elfw, uint32_t f)
{
    const struct reach_summary *summary = infos->summary;
    const struct function *function = elfw_function(elfw, f);
    const struct reached *reached = reached_by(summary, infos->graph, f);
    bool inherits = !elfw_flag(elfw, MERGE_RELOCATABLE);
    bool only = call_graph_has_one_kernel(elfw, infos->graph);
    struct arena_mark before = arena_mark(&elfw->scratch);
    struct info_maker maker = {
        .externs = &infos->externs,
        .function = function,
        .reached = reached,
        .is_kernel = inherits && elfw_function_is_entry(elfw, f),
        .counted = only ? &summary->program : reached,
        .mask_wanted = inherits ? summary->of_program.present & 1u << INHERIT_MASK_INDEX : 0,
    };

    maker.is_only_kernel = maker.is_kernel && only;
    if (maker.is_kernel)
        maker.inherited = only ? summary->of_program : inherited_by(summary, reached);
    maker.fragments = (struct fragments){
        .needed =
            only ? summary->fragments_of_program : fragments_reached_by(summary, infos->graph, f),
        .is_only_kernel = maker.is_only_kernel,
    };
    maker.keeps_own_mask = maker.is_only_kernel && summary->has_all_masks;
    open_function_writer(&maker, elfw);
    make_function_info(&maker);
    keep_records(&maker.writer);
    arena_release(&elfw->scratch, before);
    uint32_t twin = elfw_section(elfw, function->info)->twin;
    close_writer(&maker.writer, twin ? twin : function->info);
    if (twin)
        mercury_make_sass_info(elfw, f);
}

struct function_infos *
open_function_infos(struct elfw *elfw, const struct call_graph *graph,
                    const struct reach_summary *summary, struct arena *arena)
{
    size_t symbols = (size_t)elfw->pos_symbols.count + elfw->neg_symbols.count;
    struct function_infos *infos = arena_zero(arena, sizeof *infos);

    *infos = (struct function_infos){
        .graph = graph,
        .summary = summary,
        .externs = {.at = arena_array(arena, longest_externs(summary), sizeof(uint32_t)),
                    .stamps = arena_array(arena, symbols, sizeof(uint32_t))},
    };
    return infos;
}

void
make_function_infos(struct function_infos *infos, struct elfw *elfw, uint32_t from, uint32_t to)
{
    for (uint32_t f = from; f < to; f++)
        if (elfw_function(elfw, f)->info && !elfw_function(elfw, f)->is_dead)
            make_info_of(infos, elfw, f);
}
