/*
 * demangle_expr.c: expressions and literals, as they occur in template
 * arguments, array bounds and decltype. nvlink writes them without regard to
 * precedence, so there is no parenthesis here that the mangled form lacks.
 */
#include "demangle_internal.h"

/* Expressions that are a word around one type or one expression. */
static const struct {
    char code[3];
    bool of_type;
    const char *head;
    const char *tail;
} wrappers[] = {
    {"st", true, "sizeof(", ")"},    {"sz", false, "sizeof(", ")"},
    {"at", true, "alignof(", ")"},   {"az", false, "alignof(", ")"},
    {"ti", true, "typeid(", ")"},    {"te", false, "typeid(", ")"},
    {"nx", false, "noexcept(", ")"}, {"sZ", false, "sizeof...(", ")"},
    {"sp", false, NULL, "..."},      {"tw", false, "throw ", NULL},
    {"dl", false, "delete ", NULL},  {"da", false, "delete[] ", NULL},
};

static const struct {
    char code[3];
    const char *head;
} named_casts[] = {
    {"dc", "dynamic_cast<"},
    {"sc", "static_cast<"},
    {"cc", "const_cast<"},
    {"rc", "reinterpret_cast<"},
};

static struct dm_node *
with_head(struct dm_node *n, const char *head)
{
    if (n != NULL)
        n->head = head;
    return n;
}

/* What a name or an operator may carry: <template arguments> */
static struct dm_node *
read_optional_args(struct dm_reader *r, struct dm_node *name)
{
    if (name == NULL || *r->at != 'I')
        return name;
    struct dm_node *args = dm_read_template_args(r);
    return args == NULL ? NULL : dm_pair(r, DM_TEMPLATE, name, args);
}

static struct dm_node *
read_simple_id(struct dm_reader *r)
{
    return read_optional_args(r, dm_read_source_name(r));
}

static bool
at_digit(const struct dm_reader *r)
{
    return *r->at >= '0' && *r->at <= '9';
}

/* <name>, on <operator name>, dn <destructor name> */
static struct dm_node *
read_base_name(struct dm_reader *r)
{
    if (dm_skip(r, "on"))
        return read_optional_args(r, dm_read_operator_name(r));
    if (dm_skip(r, "dn")) {
        struct dm_node *n = at_digit(r) ? read_simple_id(r) : dm_read_type(r);
        return dm_wrap(r, "~", n, NULL);
    }
    return at_digit(r) ? read_simple_id(r) : NULL;
}

/* sr <type> <name> and sr <name>+ E <name> */
static struct dm_node *
read_scoped_name(struct dm_reader *r)
{
    struct dm_node *scope;

    if (!at_digit(r)) {
        scope = dm_read_type(r);
    } else {
        scope = read_simple_id(r);
        while (scope != NULL && !dm_skip(r, "E"))
            scope = dm_infix(r, scope, "::", read_simple_id(r), NULL);
    }
    if (scope == NULL)
        return NULL;
    return dm_infix(r, scope, "::", read_base_name(r), NULL);
}

/* [gs] then a scoped name or a plain one. */
static struct dm_node *
read_unresolved_name(struct dm_reader *r)
{
    return dm_skip(r, "sr") ? read_scoped_name(r) : read_base_name(r);
}

/* fp <qualifiers> [n] _, fL <level> p <qualifiers> [n] _, fpT */
static struct dm_node *
read_function_param(struct dm_reader *r)
{
    uint64_t level = 0;
    uint64_t number;
    bool outer = dm_skip(r, "fL");

    if (outer) {
        if (!dm_read_decimal(r, &level) || !dm_skip(r, "p"))
            return NULL;
    } else {
        r->at += 2;
        if (dm_skip(r, "T"))
            return dm_string(r, "this");
    }
    uint8_t quals = dm_read_quals(r);
    if (!dm_read_ordinal(r, &number))
        return NULL;
    struct dm_node *n = dm_wrap(r, "param#", dm_number(r, number), NULL);
    if (outer)
        n = dm_infix(r, n, "[up ", dm_number(r, level + 1), level == 0 ? " level]" : " levels]");
    if (quals == 0)
        return n;
    n = dm_pair(r, DM_QUALIFIED, n, NULL);
    if (n != NULL)
        n->quals = quals;
    return n;
}

/* fl <op> <pack>, fr, and fL, fR <op> <expression> <expression> */
static struct dm_node *
read_fold(struct dm_reader *r)
{
    char form = r->at[1];
    struct dm_node *first;

    r->at += 2;
    const struct dm_operator *op = dm_peek_operator(r);
    if (op == NULL)
        return NULL;
    r->at += 2;
    first = dm_read_expression(r);
    if (first == NULL)
        return NULL;
    if (form == 'l')
        return dm_infix(r, dm_string(r, "(..."), op->text, first, ")");
    struct dm_node *dots = dm_string(r, "...");
    if (form == 'r')
        return with_head(dm_infix(r, first, op->text, dots, ")"), "(");
    dots = dm_infix(r, dots, op->text, dm_read_expression(r), ")");
    return with_head(dm_infix(r, first, op->text, dots, NULL), "(");
}

static struct dm_node *
read_call(struct dm_reader *r, bool parenthesized)
{
    struct dm_node *callee = dm_read_expression(r);

    if (callee == NULL)
        return NULL;
    struct dm_node *args = dm_read_list(r, 'E', dm_read_expression);
    struct dm_node *n = dm_infix(r, callee, parenthesized ? ")(" : "(", args, ")");
    return parenthesized ? with_head(n, "(") : n;
}

/* cv <type> <expression> and cv <type> _ <expression>* E */
static struct dm_node *
read_conversion(struct dm_reader *r)
{
    struct dm_node *type = dm_read_type(r);

    if (type == NULL)
        return NULL;
    if (dm_skip(r, "_"))
        return dm_infix(r, type, "(", dm_read_list(r, 'E', dm_read_expression), ")");
    return with_head(dm_infix(r, type, ")", dm_read_expression(r), NULL), "(");
}

/* Inside of braces: .x=..., [i]=..., [i ... j]=..., or a plain expression. */
static struct dm_node *
read_braced_item(struct dm_reader *r)
{
    struct dm_node *what;

    if (dm_skip(r, "di")) {
        what = dm_wrap(r, ".", dm_read_source_name(r), NULL);
    } else if (dm_skip(r, "dx")) {
        what = dm_wrap(r, "[", dm_read_expression(r), "]");
    } else if (dm_skip(r, "dX")) {
        what = dm_read_expression(r);
        if (what != NULL)
            what = with_head(dm_infix(r, what, " ... ", dm_read_expression(r), "]"), "[");
    } else {
        return dm_read_expression(r);
    }
    if (what == NULL || !dm_enter(r))
        return NULL;
    what = dm_infix(r, what, "=", read_braced_item(r), NULL);
    r->depth--;
    return what;
}

static struct dm_node *
read_braces(struct dm_reader *r)
{
    return dm_wrap(r, "{", dm_read_list(r, 'E', read_braced_item), "}");
}

static struct dm_node *
read_typed_braces(struct dm_reader *r)
{
    struct dm_node *type = dm_read_type(r);

    return type == NULL ? NULL : dm_infix(r, type, "", read_braces(r), NULL);
}

/* nw <placement>* _ <type> (E | pi <expression>* E | il <expression>* E) */
static struct dm_node *
read_new(struct dm_reader *r)
{
    const char *word = r->at[1] == 'w' ? "new " : "new[] ";

    r->at += 2;
    struct dm_node *placement = dm_read_list(r, '_', dm_read_expression);
    struct dm_node *type = placement == NULL ? NULL : dm_read_type(r);
    if (type == NULL)
        return NULL;
    if (dm_skip(r, "pi"))
        type = dm_infix(r, type, "(", dm_read_list(r, 'E', dm_read_expression), ")");
    else if (dm_skip(r, "il"))
        type = dm_infix(r, type, "", read_braces(r), NULL);
    else if (!dm_skip(r, "E"))
        return NULL;
    if (placement->left != NULL)
        type = with_head(dm_infix(r, placement, ") ", type, NULL), "(");
    return dm_wrap(r, word, type, NULL);
}

/* pt <expression> <name> and dt: parenthesized as a whole. */
static struct dm_node *
read_member(struct dm_reader *r)
{
    const char *op = *r->at == 'p' ? "->" : ".";

    r->at += 2;
    struct dm_node *object = dm_read_expression(r);
    if (object == NULL)
        return NULL;
    bool global = dm_skip(r, "gs");
    struct dm_node *member = read_base_name(r);
    if (global)
        member = dm_wrap(r, "::", member, NULL);
    return with_head(dm_infix(r, object, op, member, ")"), "(");
}

static struct dm_node *
read_operation(struct dm_reader *r, const struct dm_operator *op)
{
    struct dm_node *first, *second;

    r->at += 2;
    bool before = op->use == DM_UNARY || (op->use == DM_STEP && dm_skip(r, "_"));
    first = dm_read_expression(r);
    if (before)
        return dm_wrap(r, op->text, first, NULL);
    if (op->use == DM_STEP)
        return dm_wrap(r, NULL, first, op->text);
    second = first == NULL ? NULL : dm_read_expression(r);
    if (second != NULL && op->use == DM_TERNARY)
        second = dm_infix(r, second, ":", dm_read_expression(r), NULL);
    return dm_infix(r, first, op->text, second, NULL);
}

static struct dm_node *
read_table_expression(struct dm_reader *r)
{
    for (size_t i = 0; i < COUNT_OF(wrappers); i++)
        if (dm_skip(r, wrappers[i].code))
            return dm_wrap(r, wrappers[i].head,
                           wrappers[i].of_type ? dm_read_type(r) : dm_read_expression(r),
                           wrappers[i].tail);
    for (size_t i = 0; i < COUNT_OF(named_casts); i++) {
        if (!dm_skip(r, named_casts[i].code))
            continue;
        struct dm_node *type = dm_read_type(r);
        if (type == NULL)
            return NULL;
        return with_head(dm_infix(r, type, ">(", dm_read_expression(r), ")"), named_casts[i].head);
    }
    const struct dm_operator *op = dm_peek_operator(r);
    if (op != NULL && op->use != DM_NAME_ONLY)
        return read_operation(r, op);
    return read_unresolved_name(r);
}

static struct dm_node *
read_index(struct dm_reader *r)
{
    struct dm_node *array = dm_read_expression(r);

    if (array == NULL)
        return NULL;
    return dm_infix(r, array, "[", dm_read_expression(r), "]");
}

static bool
at_code(const struct dm_reader *r, char first, const char *seconds)
{
    return r->at[0] == first && r->at[1] != '\0' && strchr(seconds, r->at[1]) != NULL;
}

static struct dm_node *
read_any_expression(struct dm_reader *r)
{
    if (*r->at == 'L')
        return dm_read_literal(r);
    if (*r->at == 'T')
        return dm_read_template_param(r);
    if (at_code(r, 'f', "p") || (at_code(r, 'f', "L") && r->at[2] >= '0' && r->at[2] <= '9'))
        return read_function_param(r);
    if (at_code(r, 'f', "lrLR"))
        return read_fold(r);
    if (at_code(r, 'n', "wa"))
        return read_new(r);
    if (at_code(r, 'p', "t") || at_code(r, 'd', "t"))
        return read_member(r);
    if (dm_skip(r, "gs"))
        return dm_wrap(r, "::", dm_read_expression(r), NULL);
    if (dm_skip(r, "cl"))
        return read_call(r, false);
    if (dm_skip(r, "cp"))
        return read_call(r, true);
    if (dm_skip(r, "cv"))
        return read_conversion(r);
    if (dm_skip(r, "tl"))
        return read_typed_braces(r);
    if (dm_skip(r, "il"))
        return read_braces(r);
    if (dm_skip(r, "ix"))
        return read_index(r);
    if (dm_skip(r, "tr"))
        return dm_string(r, "throw");
    return read_table_expression(r);
}

struct dm_node *
dm_read_expression(struct dm_reader *r)
{
    bool outer = r->in_conversion;

    if (!dm_enter(r))
        return NULL;
    r->in_conversion = false;
    struct dm_node *n = read_any_expression(r);
    r->in_conversion = outer;
    r->depth--;
    return n;
}
