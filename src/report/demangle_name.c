/*
 * demangle_name.c: names of entities, also those that are local in a function.
 */
#include "demangle_internal.h"

static const struct {
    char code[4];
    const char *suffix;
} structors[] = {
    {"C1", NULL},
    {"C2", " [subobject]"},
    {"C3", " [allocating]"},
    {"C8", " [static]"},
    {"C9", " [delegation]"},
    {"D0", " [deleting]"},
    {"D1", NULL},
    {"D2", " [subobject]"},
    {"D9", " [delegation]"},
    {"CI1", " [complete inheriting]"},
    {"CI2", " [base inheriting]"},
};

static bool
starts_with(const char *text, size_t length, const char *prefix)
{
    size_t n = strlen(prefix);

    return length >= n && memcmp(text, prefix, n) == 0;
}

static bool
is_identifier_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$';
}

/* The text may end before; other characters, UTF-8 too, nvlink does not take. */
static bool
is_identifier(const char *text, uint64_t length)
{
    while (length > 0 && is_identifier_char(*text)) {
        text++;
        length--;
    }
    return length == 0;
}

/* <length> <identifier>; two kinds of identifiers have no name of their own. */
struct dm_node *
dm_read_source_name(struct dm_reader *r)
{
    uint64_t length;

    if (!dm_read_decimal(r, &length) || length == 0 || !is_identifier(r->at, length))
        return NULL;
    const char *text = r->at;
    r->at += length;
    if (starts_with(text, length, "_GLOBAL__N_"))
        return dm_string(r, "<unnamed>");
    if (starts_with(text, length, "_INTERNAL"))
        return dm_node_new(r, DM_INTERNAL);
    return dm_text(r, text, length);
}

/* B <source name>, any number of them: name[abi:x,y] */
static struct dm_node *
read_tags(struct dm_reader *r, struct dm_node *name)
{
    if (name == NULL || *r->at != 'B')
        return name;
    struct dm_node *list = dm_node_new(r, DM_LIST);
    if (list == NULL)
        return NULL;
    list->text = ",";
    list->length = 1;
    for (struct dm_node **tail = &list->left; dm_skip(r, "B");) {
        struct dm_node *tag = dm_read_source_name(r);
        if (tag == NULL)
            return NULL;
        *tail = tag;
        tail = &tag->next;
    }
    return dm_infix(r, name, "[abi:", list, "]");
}

static struct dm_node *
numbered(struct dm_reader *r, const char *head, struct dm_node *middle, const char *text)
{
    uint64_t number;

    if (middle == NULL || !dm_read_ordinal(r, &number))
        return NULL;
    struct dm_node *n = dm_infix(r, middle, text, dm_number(r, number), ")]");
    if (n != NULL)
        n->head = head;
    return n;
}

/* Ul <parameters> E [n] _ and Ut [n] _ */
static struct dm_node *
read_unnamed(struct dm_reader *r)
{
    if (dm_skip(r, "Ut"))
        return numbered(r, "[", dm_string(r, "unnamed type"), " (instance ");
    if (!dm_skip(r, "Ul"))
        return NULL;
    struct dm_node *parameters = dm_read_parameters(r);
    if (parameters == NULL || !dm_skip(r, "E"))
        return NULL;
    return numbered(r, "[lambda(", parameters, ") (instance ");
}

static struct dm_node *
read_unqualified(struct dm_reader *r)
{
    struct dm_node *n;

    if (*r->at >= '0' && *r->at <= '9')
        n = dm_read_source_name(r);
    else if (*r->at == 'U')
        n = read_unnamed(r);
    else
        n = dm_read_operator_name(r);
    return read_tags(r, n);
}

/* The part of a class's name that its constructor repeats. */
static struct dm_node *
last_part(struct dm_node *n)
{
    for (;;) {
        switch (n->kind) {
        case DM_TEMPLATE:
        case DM_SUBSTITUTE:
        case DM_ABBREVIATION:
        case DM_CONSTRUCTOR:
        case DM_DESTRUCTOR:
            n = n->left;
            break;
        case DM_NESTED:
            n = n->right;
            break;
        default:
            return n;
        }
    }
}

/* CI1 <type>: a constructor inherited from that type, by the type's name. */
static struct dm_node *
read_inherited(struct dm_reader *r)
{
    struct dm_node *base = dm_read_type(r);

    if (base != NULL && base->kind == DM_TEMPLATE && base->left->kind == DM_TEXT)
        return base->left;
    return base;
}

static struct dm_node *
read_structor(struct dm_reader *r, struct dm_node *prefix, struct dm_name_facts *facts)
{
    size_t count = COUNT_OF(structors);

    for (size_t i = 0; prefix != NULL && i < count; i++) {
        const char *code = structors[i].code;
        struct dm_node *n;

        if (!dm_skip(r, code))
            continue;
        facts->suffix = structors[i].suffix;
        if (code[1] == 'I')
            n = dm_pair(r, DM_CONSTRUCTOR, read_inherited(r), NULL);
        else
            n = dm_pair(r, *code == 'C' ? DM_CONSTRUCTOR : DM_DESTRUCTOR, last_part(prefix), NULL);
        return read_tags(r, n);
    }
    return NULL;
}

/* What the loop over a nested name has found so far. */
struct nested {
    struct dm_node *prefix;
    bool complete;      /* may end here */
    bool after_args;    /* no second argument list */
    bool is_candidate;  /* the prefix, if it goes on */
    bool has_no_result; /* constructor or conversion */
};

static struct dm_node *
read_component(struct dm_reader *r, struct nested *s, struct dm_name_facts *facts)
{
    facts->suffix = NULL;
    s->has_no_result = strncmp(r->at, "cv", 2) == 0;
    if (dm_skip(r, "St")) {
        s->complete = s->is_candidate = false;
        return dm_string(r, "std");
    }
    if (*r->at == 'T')
        return dm_read_template_param(r);
    if (*r->at == 'D' && (r->at[1] == 'T' || r->at[1] == 't'))
        return dm_read_type(r);
    if (*r->at == 'C' || *r->at == 'D') {
        s->has_no_result = true;
        return read_structor(r, s->prefix, facts);
    }
    return read_unqualified(r);
}

/* One step of a nested name: false if there is none. */
static bool
extend_prefix(struct dm_reader *r, struct nested *s, struct dm_name_facts *facts)
{
    struct dm_node *n;

    s->complete = s->is_candidate = true;
    if (*r->at == 'I') {
        if (s->prefix == NULL || s->after_args)
            return false;
        struct dm_node *args = dm_read_template_args(r);
        s->prefix = args ? dm_pair(r, DM_TEMPLATE, s->prefix, args) : NULL;
        s->after_args = true;
        facts->has_result = !s->has_no_result;
        return s->prefix != NULL;
    }
    facts->has_result = false;
    s->after_args = false;
    if (*r->at == 'S' && r->at[1] != 't') {
        n = dm_read_substitution(r);
        s->complete = s->is_candidate = false;
    } else {
        n = read_component(r, s, facts);
    }
    if (n != NULL && s->prefix != NULL)
        n = dm_pair(r, DM_NESTED, s->prefix, n);
    s->prefix = n;
    (void)dm_skip(r, "M"); /* scope of a lambda in a member's initializer */
    return n != NULL;
}

/* N <qualifiers> <prefix> <name> E */
static struct dm_node *
read_nested(struct dm_reader *r, struct dm_name_facts *facts)
{
    struct nested s = {0};

    r->at++;
    facts->quals = dm_read_quals(r);
    if (dm_skip(r, "R"))
        facts->quals |= DM_LVALUE;
    else if (dm_skip(r, "O"))
        facts->quals |= DM_RVALUE;

    while (*r->at != 'E') {
        if (!extend_prefix(r, &s, facts))
            return NULL;
        if (*r->at != 'E' && s.is_candidate && !dm_add_candidate(r, s.prefix, false))
            return NULL;
    }
    r->at++;
    return s.complete ? s.prefix : NULL;
}

/* _ <digit> or __ <number> _, which count from the second one of a name. */
static struct dm_node *
read_discriminator(struct dm_reader *r, struct dm_node *name)
{
    uint64_t number;

    if (name == NULL || !dm_skip(r, "_"))
        return name;
    if (*r->at >= '0' && *r->at <= '9') {
        number = (uint64_t)(*r->at++ - '0');
    } else if (!dm_skip(r, "_") || !dm_read_decimal(r, &number) || !dm_skip(r, "_")) {
        return NULL;
    }
    return dm_infix(r, name, " (instance ", dm_number(r, number + 2), ")");
}

/* Z <function> E, then what is local in it. */
static struct dm_node *
read_local(struct dm_reader *r, struct dm_name_facts *facts)
{
    uint64_t number;

    r->at++;
    struct dm_node *scope = dm_read_encoding(r);
    if (scope == NULL || !dm_skip(r, "E"))
        return NULL;
    if (dm_skip(r, "s")) {
        struct dm_node *string = dm_string(r, "string");
        return read_discriminator(r, dm_infix(r, scope, "::", string, NULL));
    }
    if (dm_skip(r, "d")) {
        if (!dm_read_ordinal(r, &number))
            return NULL;
        scope = dm_infix(r, scope, "::[default argument ", dm_number(r, number), " (from end)]");
    }
    struct dm_node *entity = dm_read_name(r, facts);
    return read_discriminator(r, dm_infix(r, scope, "::", entity, NULL));
}

/* A name outside of any class, but perhaps in std; arguments may follow. */
static struct dm_node *
read_unscoped(struct dm_reader *r, struct dm_name_facts *facts)
{
    bool in_std = dm_skip(r, "St");
    bool is_conversion = strncmp(r->at, "cv", 2) == 0;
    struct dm_node *n = read_unqualified(r);

    if (n != NULL && in_std)
        n = dm_pair(r, DM_NESTED, dm_string(r, "std"), n);
    if (n == NULL || *r->at != 'I')
        return n;
    if (!dm_add_candidate(r, n, false))
        return NULL;
    struct dm_node *args = dm_read_template_args(r);
    facts->has_result = !is_conversion;
    return args == NULL ? NULL : dm_pair(r, DM_TEMPLATE, n, args);
}

struct dm_node *
dm_read_name(struct dm_reader *r, struct dm_name_facts *facts)
{
    struct dm_node *n;

    if (!dm_enter(r))
        return NULL;
    if (*r->at == 'N')
        n = read_nested(r, facts);
    else if (*r->at == 'Z')
        n = read_local(r, facts);
    else
        n = read_unscoped(r, facts);
    r->depth--;
    return n;
}
