#include "finalize/finalize.h"

/* Rows of the output's call graph; dead functions have none. */
struct rows {
    struct elfw *elfw;
    ARRAY(uint32_t) words;
    uint32_t *listed_by; /* relocatable output: the last caller that listed a callee */
};

static void
add_row(struct rows *rows, uint32_t first, uint32_t second)
{
    array_push(&rows->words, &rows->elfw->scratch, first);
    array_push(&rows->words, &rows->elfw->scratch, second);
}

static uint32_t
number_of(const struct elfw *elfw, uint32_t ordinal)
{
    return elfw_remap_symbol(elfw, elfw_function(elfw, ordinal)->symbol);
}

static uint32_t
string_of(const struct elfw *elfw, uint32_t prototype)
{
    return name_at(&elfw->prototypes, prototype)->offset;
}

static void
add_function_edges(struct rows *rows, uint32_t ordinal, uint32_t list)
{
    const struct elfw *elfw = rows->elfw;

    for (uint32_t e = list; e; e = elfw->edges.at[e].next) {
        uint32_t to = elfw->edges.at[e].to;

        if (elfw_function(elfw, to)->is_dead ||
            (elfw_flag(elfw, MERGE_RELOCATABLE) && rows->listed_by[to] == ordinal))
            continue;
        rows->listed_by[to] = ordinal;
        add_row(rows, number_of(elfw, ordinal), number_of(elfw, to));
    }
}

static void
add_part_rows(struct rows *rows, uint32_t part, uint32_t ordinal)
{
    const struct elfw *elfw = rows->elfw;
    const struct function *function = elfw_function(elfw, ordinal);

    if (part == CALLGRAPH_CALLS)
        add_function_edges(rows, ordinal, function->callees);
    else if (part == CALLGRAPH_TAKES_ADDRESS)
        add_function_edges(rows, ordinal, function->taken_addresses);
    else if (part == CALLGRAPH_INDIRECT_CALLS)
        for (uint32_t e = function->indirect_calls; e; e = elfw->edges.at[e].next)
            add_row(rows, number_of(elfw, ordinal), string_of(elfw, elfw->edges.at[e].to));
    else if (function->is_address_taken)
        add_row(rows, number_of(elfw, ordinal),
                string_of(elfw, elfw_pointer_prototype(elfw, ordinal)));
}

static void
keep_rows(const struct rows *rows, uint32_t section)
{
    size_t size = rows->words.count * sizeof *rows->words.at;
    uint8_t *contents = arena_alloc(rows->elfw->arena, size);

    if (size)
        memcpy(contents, rows->words.at, size);
    set_contents(rows->elfw, section, contents, size);
}

static void
make_graph_rows(struct elfw *elfw)
{
    size_t functions = elfw->functions.count;
    struct rows rows = {.elfw = elfw,
                        .listed_by = arena_array(&elfw->scratch, functions, sizeof(uint32_t))};

    for (uint32_t part = CALLGRAPH_CALLS; part >= CALLGRAPH_TAKES_ADDRESS; part--) {
        add_row(&rows, 0, part);
        memset(rows.listed_by, 0, functions * sizeof *rows.listed_by);
        for (uint32_t f = 1; f < elfw->functions.count; f++)
            if (!elfw_function(elfw, f)->is_dead)
                add_part_rows(&rows, part, f);
    }
    keep_rows(&rows, elfw->callgraph);
}

static void
make_prototype_rows(struct elfw *elfw)
{
    struct rows rows = {.elfw = elfw};

    for (uint32_t f = 1; f < elfw->functions.count; f++) {
        const struct function *function = elfw_function(elfw, f);
        if (function_has_prototype_row(function))
            add_row(&rows, number_of(elfw, f), string_of(elfw, function->prototype));
    }
    keep_rows(&rows, elfw->prototype);
}

void
make_callgraph(struct elfw *elfw)
{
    struct arena_mark before = arena_mark(&elfw->scratch);

    make_graph_rows(elfw);
    make_prototype_rows(elfw);
    arena_release(&elfw->scratch, before);
}
