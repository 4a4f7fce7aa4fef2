#include "report/demangle.h"
#include "report/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

/* A text that grows on the heap: lines can be long and the graph large. */
struct text {
    char *at;
    size_t size, capacity;
    struct diag *diag;
};

__attribute__((format(printf, 2, 3))) static void
put(struct text *text, const char *format, ...)
{
    va_list arguments, again;

    va_start(arguments, format);
    va_copy(again, arguments);
    size_t length = (size_t)vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    if (text->size + length + 1 > text->capacity) {
        size_t capacity = (text->capacity + length + 1) * 2;
        char *grown = realloc(text->at, capacity);
        if (!grown) {
            free(text->at);
            va_end(again);
            diag_fatal(text->diag, "Out of memory");
        }
        text->at = grown;
        text->capacity = capacity;
    }
    vsnprintf(text->at + text->size, length + 1, format, again);
    va_end(again);
    text->size += length;
}

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
            put(&dump->text, " %u", dump->taken.at[t]);
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

    put(&dump->text, "%u: ", ordinal);
    if (!function->is_dead) {
        put(&dump->text, "%s%s%s", is_shown_as_entry(elfw, ordinal) ? "^" : "",
            function->is_address_taken ? "&" : "",
            demangle_or_same(elfw_function_name(elfw, ordinal), &dump->names));
        if (function->registers && !function->is_alias)
            put(&dump->text, " [%u]", function->registers);
        put(&dump->text, " ->");
        put_indirect_callees(dump, function->indirect_calls);
        for (uint32_t e = function->callees; e; e = elfw->edges.at[e].next)
            put(&dump->text, " %u", elfw->edges.at[e].to);
    }
    put(&dump->text, "\n");
}

void
report_callgraph(struct elfw *elfw)
{
    struct dump dump = {
        .elfw = elfw, .text = {.diag = elfw->diag}, .taken = elfw_group_taken(elfw)};

    put(&dump.text,
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
    free(dump.text.at);
    demangle_free(&dump.names);
}
