/*
 * demangle_encoding.c: whole encodings: functions with their parameters, variables, and what compilers
 * make by themselves.
 */
#include "demangle_internal.h"

enum special_operand { OF_TYPE, OF_NAME, OF_ARGUMENT };

static const struct {
    char code[3];
    uint8_t operand;
    const char *text;
} specials[] = {
    {"TV", OF_TYPE, "Virtual function table for "},
    {"TT", OF_TYPE, "Virtual table table for "},
    {"TI", OF_TYPE, "Typeinfo for "},
    {"TS", OF_TYPE, "Typeinfo name for "},
    {"TW", OF_NAME, "Thread-local wrapper routine for "},
    {"TH", OF_NAME, "Thread-local initialization routine for "},
    {"GV", OF_NAME, "Initialization guard variable for "},
    {"TA", OF_ARGUMENT, "template parameter object for "},
};

static struct dm_node *
read_signed(struct dm_reader *r)
{
    bool negative = dm_skip(r, "n");
    const char *start = r->at;
    uint64_t ignored;

    if (!dm_read_decimal(r, &ignored))
        return NULL;
    struct dm_node *digits = dm_text(r, start, (size_t)(r->at - start));
    if (!dm_skip(r, "_"))
        return NULL;
    return negative ? dm_wrap(r, "-", digits, NULL) : digits;
}

/* h <offset> _ and v <offset> _ <virtual offset> _ */
static struct dm_node *
read_call_offset(struct dm_reader *r)
{
    struct dm_node *offset;

    if (dm_skip(r, "h")) {
        offset = read_signed(r);
    } else if (dm_skip(r, "v")) {
        offset = read_signed(r);
        if (offset != NULL)
            offset = dm_infix(r, offset, ", virtual offset ", read_signed(r), NULL);
    } else {
        return NULL;
    }
    return dm_wrap(r, "(offset ", offset, ")");
}

static struct dm_node *
read_thunk(struct dm_reader *r)
{
    bool covariant = r->at[1] == 'c';

    r->at += covariant ? 2 : 1;
    struct dm_node *offset = read_call_offset(r);
    if (covariant && offset != NULL)
        offset = dm_infix(r, offset, " ", read_call_offset(r), NULL);
    if (offset == NULL)
        return NULL;
    struct dm_node *n = dm_infix(r, offset, " ", dm_read_encoding(r), NULL);
    if (n != NULL)
        n->head = covariant ? "Covariant thunk for " : "Thunk for ";
    return n;
}

static struct dm_node *
read_special(struct dm_reader *r)
{
    struct dm_name_facts ignored = {0};
    struct dm_node *n;

    if (r->at[0] == 'T' && strchr("hvc", r->at[1]) && r->at[1] != '\0')
        return read_thunk(r);
    for (size_t i = 0; i < COUNT_OF(specials); i++) {
        if (!dm_skip(r, specials[i].code))
            continue;
        if (specials[i].operand == OF_TYPE)
            n = dm_read_type(r);
        else if (specials[i].operand == OF_NAME)
            n = dm_read_name(r, &ignored);
        else
            n = dm_read_template_arg(r);
        return dm_wrap(r, specials[i].text, n, NULL);
    }
    return NULL;
}

/*
 * `$` and what follows, a mangled name or any text, is the mark of a copy ptxas
 * made. It reaches to the end of the text, so nothing can be around the
 * function that has it.
 */
static bool
take_clone_suffix(struct dm_reader *r, struct dm_node *function)
{
    r->at++;
    r->clone_count++;
    if (dm_skip(r, "_Z")) {
        function->copy = dm_read_encoding(r);
    } else {
        function->copy = dm_string(r, r->at);
        r->at += strlen(r->at);
    }
    return function->copy != NULL;
}

/* <name>, and for a function [<result>] <parameters> */
static struct dm_node *
read_entity(struct dm_reader *r)
{
    struct dm_name_facts facts = {0};
    struct dm_node *name = dm_read_name(r, &facts);
    struct dm_node *n = dm_pair(r, DM_FUNCTION, name, NULL);

    if (n == NULL)
        return NULL;
    n->tail = facts.suffix;
    n->quals = facts.quals;
    if (*r->at == '\0' || *r->at == 'E')
        return n;
    if (facts.has_result) {
        n->extra = dm_read_type(r);
        if (n->extra == NULL)
            return NULL;
    }
    n->right = dm_read_parameters(r);
    if (n->right == NULL)
        return NULL;
    if (*r->at == '$' && r->at == r->parameters_end && !take_clone_suffix(r, n))
        return NULL;
    return n;
}

struct dm_node *
dm_read_encoding(struct dm_reader *r)
{
    struct dm_node *n;

    if (!dm_enter(r))
        return NULL;
    if (*r->at == 'T' || *r->at == 'G')
        n = read_special(r);
    else
        n = read_entity(r);
    r->depth--;
    return n;
}
