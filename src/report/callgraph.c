#include "base/text.h"
#include "report/demangle.h"
#include "report/report.h"

/*
 * Calls through a prototype stand before the direct ones. Each row of the call graph brings the
 * functions of its prototype, and every one of them goes to the head of the list; so the list is
 * the rows from the last to the first, each with its functions by descending number.
 */
struct dump {
    struct elfw *elfw;
    struct text text;
    struct demangle_buffer names;
    struct taken_functions taken;
    ARRAY(uint32_t) rows;
};

static void
put_indirect_callees(struct dump *dump, uint32_t first_row)
{
    struct elfw *elfw = dump->elfw;

    dump->rows.count = 0;
    for (uint32_t e = first_row; e; e = elfw->edges.at[e].next)
        array_push(&dump->rows, elfw->arena, elfw->edges.at[e].to);
    for (uint32_t i = dump->rows.count; i-- > 0;) {
        uint32_t prototype = dump->rows.at[i];
        if (name_at(&elfw->prototypes, prototype)->length == 0)
            continue;
        for (uint32_t t = dump->taken.start[prototype + 1]; t-- > dump->taken.start[prototype];)
            text_add(&dump->text, " %u", dump->taken.at[t]);
    }
}

/* What counts as a kernel; an entry that is not defined would, unless --kernels-used leaves it out. */
static bool
is_shown_as_entry(const struct elfw *elfw, uint32_t ordinal)
{
    const struct symbol_record *symbol = elfw_function_symbol(elfw, ordinal);

    if (elfw_function_is_entry(elfw, ordinal))
        return true;
    return symbol_is_entry(symbol) && symbol->st_shndx == SHN_UNDEF &&
           (elfw_kernel_is_used(elfw, symbol->name_str) || elfw->named_kernel_count != 1);
}

static void
put_function(struct dump *dump, uint32_t ordinal)
{
    struct elfw *elfw = dump->elfw;
    const struct function *function = elfw_function(elfw, ordinal);

    text_add(&dump->text, "%u: ", ordinal);
    if (!function->is_dead) {
        text_add(&dump->text, "%s%s%s", is_shown_as_entry(elfw, ordinal) ? "^" : "",
                 function->is_address_taken ? "&" : "",
                 demangle_or_same(elfw_function_name(elfw, ordinal), &dump->names));
        if (function->registers && !function->is_alias)
            text_add(&dump->text, " [%u]", function->registers);
        text_add(&dump->text, " ->");
        put_indirect_callees(dump, function->indirect_calls);
        for (uint32_t e = function->callees; e; e = elfw->edges.at[e].next)
            text_add(&dump->text, " %u", elfw->edges.at[e].to);
    }
    text_add(&dump->text, "\n");
}

void
report_callgraph(struct elfw *elfw)
{
    struct dump dump = {
        .elfw = elfw, .text = {.arena = elfw->arena}, .taken = elfw_group_taken(elfw, elfw->arena)};

    if (elfw->objects.count == 1) { /* [0] stands for none */
        elfw->diag->sink(elfw->diag->user, SEVERITY_TEXT,
                         "No relocatable objects found. Did not generate callgraph.");
        return;
    }
    text_add(&dump.text,
             "callgraph for sm_%u:\n"
             "# A: s -> B // s (number A) potentially calls B\n"
             "# s [N]     // s uses N registers\n"
             "# ^s        // s is entry point\n"
             "# &s        // s has address taken\n",
             elfw->arch->sm);
    for (uint32_t f = 1; f < elfw->functions.count; f++)
        put_function(&dump, f);
    dump.text.at[dump.text.size - 1] = '\0';
    elfw->diag->sink(elfw->diag->user, SEVERITY_TEXT, dump.text.at);
    demangle_free(&dump.names);
}
