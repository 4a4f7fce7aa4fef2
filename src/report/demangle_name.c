/*
 * demangle_name.c: names of entities, local names, and whole encodings.
 */
#include "demangle_internal.h"

static const struct dm_operator operators[] = {
    {"aN", DM_BINARY, "&="},
    {"aS", DM_BINARY, "="},
    {"aa", DM_BINARY, "&&"},
    {"ad", DM_UNARY, "&"},
    {"an", DM_BINARY, "&"},
    {"aw", DM_UNARY, "co_await"},
    {"cl", DM_NAME_ONLY, "()"},
    {"cm", DM_BINARY, ","},
    {"co", DM_UNARY, "~"},
    {"dV", DM_BINARY, "/="},
    {"da", DM_NAME_ONLY, "delete[] "},
    {"de", DM_UNARY, "*"},
    {"dl", DM_NAME_ONLY, "delete "},
    {"ds", DM_BINARY, ".*"},
    {"dv", DM_BINARY, "/"},
    {"eO", DM_BINARY, "^="},
    {"eo", DM_BINARY, "^"},
    {"eq", DM_BINARY, "=="},
    {"ge", DM_BINARY, ">="},
    {"gt", DM_BINARY, ">"},
    {"ix", DM_NAME_ONLY, "[]"},
    {"lS", DM_BINARY, "<<="},
    {"le", DM_BINARY, "<="},
    {"ls", DM_BINARY, "<<"},
    {"lt", DM_BINARY, "<"},
    {"mI", DM_BINARY, "-="},
    {"mL", DM_BINARY, "*="},
    {"mi", DM_BINARY, "-"},
    {"ml", DM_BINARY, "*"},
    {"mm", DM_STEP, "--"},
    {"na", DM_NAME_ONLY, "new[] "},
    {"ne", DM_BINARY, "!="},
    {"ng", DM_UNARY, "-"},
    {"nt", DM_UNARY, "!"},
    {"nw", DM_NAME_ONLY, "new "},
    {"oR", DM_BINARY, "|="},
    {"oo", DM_BINARY, "||"},
    {"or", DM_BINARY, "|"},
    {"pL", DM_BINARY, "+="},
    {"pl", DM_BINARY, "+"},
    {"pm", DM_BINARY, "->*"},
    {"pp", DM_STEP, "++"},
    {"ps", DM_UNARY, "+"},
    {"pt", DM_NAME_ONLY, "->"},
    {"qu", DM_TERNARY, "?"},
    {"rM", DM_BINARY, "%="},
    {"rS", DM_BINARY, ">>="},
    {"rm", DM_BINARY, "%"},
    {"rs", DM_BINARY, ">>"},
    {"ss", DM_BINARY, "<=>"},

    /* No compiler makes functions of these, but nvlink has names for them. */
    {"at", DM_NAME_ONLY, "alignof()"},
    {"az", DM_NAME_ONLY, "alignof()"},
    {"cc", DM_NAME_ONLY, "const_cast"},
    {"dc", DM_NAME_ONLY, "dynamic_cast"},
    {"nx", DM_NAME_ONLY, "noexcept()"},
    {"rc", DM_NAME_ONLY, "reinterpret_cast"},
    {"sc", DM_NAME_ONLY, "static_cast"},
    {"st", DM_NAME_ONLY, "sizeof()"},
    {"sz", DM_NAME_ONLY, "sizeof()"},
    {"te", DM_NAME_ONLY, "typeid()"},
    {"ti", DM_NAME_ONLY, "typeid()"},
    {"tr", DM_NAME_ONLY, "throw"},
    {"tw", DM_NAME_ONLY, "throw "},
};

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

const struct dm_operator *
dm_peek_operator(const struct dm_reader *r)
{
    for (size_t i = 0; i < COUNT_OF(operators); i++)
        if (strncmp(r->at, operators[i].code, 2) == 0)
            return &operators[i];
    return NULL;
}

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

struct dm_node *
dm_read_operator_name(struct dm_reader *r)
{
    if (dm_skip(r, "cv")) {
        bool outer = r->in_conversion;
        r->in_conversion = true;
        struct dm_node *type = dm_read_type(r);
        r->in_conversion = outer;
        return dm_wrap(r, "operator ", type, NULL);
    }
    if (dm_skip(r, "li"))
        return dm_wrap(r, "operator \"\"", dm_read_source_name(r), NULL);

    const struct dm_operator *op = dm_peek_operator(r);
    if (op == NULL)
        return NULL;
    r->at += 2;
    return dm_wrap(r, "operator ", dm_string(r, op->text), NULL);
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
