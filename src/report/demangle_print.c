/*
 * demangle_print.c: writes a parsed name.
 *
 * A type is printed in two parts, as C declares: the first before the place
 * where a name would be, the second after it: `void (*` and `)(int)`.
 */
#include "demangle_internal.h"

#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

struct printer {
    struct demangle_buffer *out;
    unsigned depth;
    unsigned steps;
    bool failed; /* a limit is reached; print nothing more */
};

static void print_node(struct printer *p, const struct dm_node *n);
static void print_first(struct printer *p, const struct dm_node *n, bool blank, unsigned quals);
static void print_second(struct printer *p, const struct dm_node *n, unsigned quals);

static bool
append(struct demangle_buffer *b, const char *text, size_t length)
{
    if (length >= DEMANGLE_MAX_OUTPUT - b->length)
        return false;
    if (b->length + length + 1 > b->capacity) {
        size_t capacity = 2 * (b->length + length) + 256;
        char *grown = realloc(b->text, capacity);
        if (grown == NULL)
            return false;
        b->text = grown;
        b->capacity = capacity;
    }
    memcpy(b->text + b->length, text, length);
    b->length += length;
    b->text[b->length] = '\0';
    return true;
}

static void
put(struct printer *p, const char *text, size_t length)
{
    if (!p->failed && length > 0)
        p->failed = !append(p->out, text, length);
}

static void
put_string(struct printer *p, const char *text)
{
    if (text != NULL)
        put(p, text, strlen(text));
}

static bool
enter(struct printer *p)
{
    if (p->depth >= DM_MAX_DEPTH || ++p->steps > DM_MAX_STEPS)
        p->failed = true;
    if (p->failed)
        return false;
    p->depth++;
    return true;
}

static void
put_quals(struct printer *p, unsigned quals, const char *before, const char *after)
{
    static const struct {
        unsigned bit;
        const char *text;
    } words[] = {
        {DM_CONST, "const"}, {DM_VOLATILE, "volatile"}, {DM_RESTRICT, "restrict"},
        {DM_LVALUE, "&"},    {DM_RVALUE, "&&"},
    };

    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if ((quals & words[i].bit) == 0)
            continue;
        put_string(p, before);
        put_string(p, words[i].text);
        put_string(p, after);
    }
}

static void
print_list(struct printer *p, const struct dm_node *list)
{
    for (const struct dm_node *n = list->left; n != NULL; n = n->next) {
        print_node(p, n);
        if (n->next != NULL)
            put(p, list->text, list->length);
    }
}

static void
print_args(struct printer *p, const struct dm_node *list)
{
    put(p, "<", 1);
    print_node(p, list);
    put(p, ">", 1);
}

/* Is it, or does it name, a part that has no text (see DM_INTERNAL)? */
static bool
is_internal(const struct dm_node *n)
{
    if (n->kind == DM_CONSTRUCTOR || n->kind == DM_DESTRUCTOR)
        n = n->left;
    return n->kind == DM_INTERNAL;
}

/*
 * Prints a name that may be the left side of `::`; true if anything but
 * arguments was printed, so that the `::` is wanted.
 */
static bool
print_prefix(struct printer *p, const struct dm_node *n)
{
    bool any = true;

    if (!enter(p))
        return false;
    if (n->kind == DM_NESTED) {
        any = print_prefix(p, n->left);
        if (!is_internal(n->right)) {
            if (any)
                put(p, "::", 2);
            any = true;
        }
        print_node(p, n->right);
    } else if (n->kind == DM_TEMPLATE && !n->tight) {
        any = print_prefix(p, n->left);
        print_args(p, n->right);
    } else if (n->kind == DM_SUBSTITUTE) {
        any = print_prefix(p, n->left);
    } else {
        any = !is_internal(n);
        print_node(p, n);
    }
    p->depth--;
    return any;
}

/* The type behind qualifiers and substitutions. */
static const struct dm_node *
bare_type(struct printer *p, const struct dm_node *n)
{
    while (n->kind == DM_QUALIFIED || (n->kind == DM_SUBSTITUTE && !n->tight)) {
        n = n->left;
        p->steps++;
    }
    return n;
}

/* Does a pointer to this type need parentheses? */
static bool
has_second_part(struct printer *p, const struct dm_node *n)
{
    n = bare_type(p, n);
    return n->kind == DM_ARRAY || n->kind == DM_FUNCTION_TYPE;
}

/* Qualifiers of a pointer are behind it, with a blank after each. */
static void
print_declarator(struct printer *p, const struct dm_node *n, unsigned quals)
{
    print_first(p, n->left, true, 0);
    if (has_second_part(p, n->left))
        put(p, "(", 1);
    if (n->kind == DM_MEMBER_POINTER) {
        put(p, " :: ", 4);
        print_node(p, n->right);
        put(p, "::*", 3);
    } else {
        put(p, n->text, n->length);
    }
    put_quals(p, quals, NULL, " ");
}

/*
 * A type that is no declarator: qualifiers, text, and a blank if something is
 * to follow, except that there is no blank after a substituted prefix
 * (`A&`, but `A &` when A is spelled out).
 */
static void
print_plain_first(struct printer *p, const struct dm_node *n, bool blank, unsigned quals)
{
    put_quals(p, quals, NULL, " ");
    if (n->kind == DM_TEMPLATE && n->tight) {
        print_first(p, n->left, blank, 0);
        print_args(p, n->right);
    } else {
        print_node(p, n);
    }
    if (blank && !n->tight)
        put(p, " ", 1);
}

/* `blank`: a blank separates this type from what follows. */
static void
print_first(struct printer *p, const struct dm_node *n, bool blank, unsigned quals)
{
    if (!enter(p))
        return;
    switch (n->kind) {
    case DM_QUALIFIED:
        print_first(p, n->left, blank, quals | n->quals);
        break;
    case DM_SUBSTITUTE:
        if (n->tight)
            print_plain_first(p, n, blank, quals);
        else
            print_first(p, n->left, blank, quals);
        break;
    case DM_POINTER:
    case DM_MEMBER_POINTER:
        print_declarator(p, n, quals);
        break;
    case DM_COMPLEX:
        put_string(p, "_Complex ");
        print_first(p, n->left, true, 0);
        put_quals(p, quals, NULL, " ");
        break;
    case DM_PACK:
        print_first(p, n->left, false, quals);
        put_string(p, "...");
        print_second(p, n->left, quals);
        put_string(p, blank ? " " : NULL);
        break;
    case DM_ARRAY: /* qualifiers of an array get lost */
    case DM_FUNCTION_TYPE:
        print_first(p, n->left, true, 0);
        break;
    default:
        print_plain_first(p, n, blank, quals);
        break;
    }
    p->depth--;
}

static void
print_second(struct printer *p, const struct dm_node *n, unsigned quals)
{
    if (!enter(p))
        return;
    switch (n->kind) {
    case DM_QUALIFIED:
        print_second(p, n->left, quals | n->quals);
        break;
    case DM_SUBSTITUTE:
        if (!n->tight)
            print_second(p, n->left, quals);
        break;
    case DM_POINTER:
    case DM_MEMBER_POINTER:
        if (has_second_part(p, n->left))
            put(p, ")", 1);
        print_second(p, n->left, 0);
        break;
    case DM_COMPLEX:
        print_second(p, n->left, 0);
        break;
    case DM_ARRAY:
        put(p, "[", 1);
        if (n->right != NULL)
            print_node(p, n->right);
        put(p, "]", 1);
        print_second(p, n->left, 0);
        break;
    case DM_FUNCTION_TYPE:
        put(p, "(", 1);
        print_node(p, n->right);
        put(p, ")", 1);
        put_quals(p, quals | n->quals, " ", NULL);
        print_second(p, n->left, 0);
        if (n->extra != NULL)
            print_node(p, n->extra);
        break;
    default:
        break;
    }
    p->depth--;
}

static void
print_function(struct printer *p, const struct dm_node *n)
{
    if (n->extra != NULL) {
        print_node(p, n->extra);
        put(p, " ", 1);
    }
    print_node(p, n->left);
    if (n->right != NULL) {
        put(p, "(", 1);
        print_node(p, n->right);
        put(p, ")", 1);
        if (n->copy != NULL) {
            put(p, "] ", 2);
            print_node(p, n->copy);
        }
        put_quals(p, n->quals, " ", NULL);
    }
    put_string(p, n->tail);
}

/* An entity that is an argument is there by its name alone. */
static void
print_entity(struct printer *p, const struct dm_node *n)
{
    if (n->left->kind != DM_FUNCTION) {
        print_node(p, n->left);
        return;
    }
    print_node(p, n->left->left);
    put_string(p, n->left->tail);
}

static void
print_number(struct printer *p, const struct dm_node *n)
{
    char text[40];

    snprintf(text, sizeof text, "%" PRIu64, n->number);
    put_string(p, text);
}

static void
print_float(struct printer *p, const struct dm_node *n)
{
    char text[40];
    double value;
    float single;
    uint32_t low = (uint32_t)n->number;

    memcpy(&value, &n->number, sizeof value);
    memcpy(&single, &low, sizeof single);
    if (n->kind == DM_FLOAT)
        snprintf(text, sizeof text, "%.*g", FLT_DIG, (double)single);
    else
        snprintf(text, sizeof text, "%.*g", DBL_DIG, value);
    put_string(p, text);
    if (text[strspn(text, "-0123456789")] == '\0')
        put(p, ".0", 2);
}

static void
print_sequence(struct printer *p, const struct dm_node *n)
{
    put_string(p, n->head);
    print_node(p, n->left);
    put(p, n->text, n->length);
    if (n->right != NULL)
        print_node(p, n->right);
    put_string(p, n->tail);
}

static void
print_text(struct printer *p, const struct dm_node *n)
{
    put(p, n->text, n->length);
}

static void
print_nothing(struct printer *p, const struct dm_node *n)
{
    (void)p;
    (void)n;
}

static void
print_left(struct printer *p, const struct dm_node *n)
{
    print_node(p, n->left);
}

static void
print_nested(struct printer *p, const struct dm_node *n)
{
    print_prefix(p, n);
}

static void
print_template(struct printer *p, const struct dm_node *n)
{
    if (n->tight)
        print_first(p, n, false, 0);
    else
        print_prefix(p, n);
}

static void
print_destructor(struct printer *p, const struct dm_node *n)
{
    put(p, "~", 1);
    print_node(p, n->left);
}

static void
print_type(struct printer *p, const struct dm_node *n)
{
    print_first(p, n, false, 0);
    print_second(p, n, 0);
}

static void
print_node(struct printer *p, const struct dm_node *n)
{
    /* All others are types in two parts. */
    static void (*const printers[])(struct printer *, const struct dm_node *) = {
        [DM_TEXT] = print_text,         [DM_NUMBER] = print_number,
        [DM_FLOAT] = print_float,       [DM_DOUBLE] = print_float,
        [DM_SEQUENCE] = print_sequence, [DM_LIST] = print_list,
        [DM_INTERNAL] = print_nothing,  [DM_ABBREVIATION] = print_text,
        [DM_NESTED] = print_nested,     [DM_TEMPLATE] = print_template,
        [DM_CONSTRUCTOR] = print_left,  [DM_DESTRUCTOR] = print_destructor,
        [DM_SUBSTITUTE] = print_left,   [DM_FUNCTION] = print_function,
        [DM_ENTITY] = print_entity,
    };

    if (!enter(p))
        return;
    if (n->kind < COUNT_OF(printers) && printers[n->kind])
        printers[n->kind](p, n);
    else
        print_type(p, n);
    p->depth--;
}

bool
dm_print(struct demangle_buffer *buffer, const struct dm_node *node)
{
    struct printer p = {.out = buffer};

    print_node(&p, node);
    if (!p.failed) /* there is a text even for an empty name */
        p.failed = !append(buffer, "", 0);
    return !p.failed;
}
