/*
 * demangle_literal.c: literals: (int)-3, (float)1.5, &function, nullptr.
 */
#include "demangle_internal.h"

/* Lower-case hexadecimal digits: whole bytes, at most `max` of them. */
static bool
read_bytes(struct dm_reader *r, size_t max, uint64_t *value)
{
    static const char digits[] = "0123456789abcdef";
    size_t count = strspn(r->at, digits);

    if (count > 2 * max || count % 2 != 0)
        return false;
    for (*value = 0; count > 0; count--)
        *value = *value << 4 | (uint64_t)(strchr(digits, *r->at++) - digits);
    return true;
}

/* The digits of every floating type but float are those of a double. */
static struct dm_node *
read_float(struct dm_reader *r, bool is_single)
{
    struct dm_node *n = dm_node_new(r, is_single ? DM_FLOAT : DM_DOUBLE);

    return n != NULL && read_bytes(r, is_single ? 4 : 8, &n->number) ? n : NULL;
}

static struct dm_node *
read_complex_float(struct dm_reader *r, bool is_single)
{
    struct dm_node *real = read_float(r, is_single);

    if (real == NULL || !dm_skip(r, "_"))
        return NULL;
    struct dm_node *n = dm_infix(r, real, "+", read_float(r, is_single), "i)");
    if (n != NULL)
        n->head = "(";
    return n;
}

static struct dm_node *
read_integer(struct dm_reader *r)
{
    bool negative = dm_skip(r, "n");
    const char *start = r->at;
    uint64_t ignored;

    if (!dm_read_decimal(r, &ignored))
        return NULL;
    struct dm_node *n = dm_text(r, start, (size_t)(r->at - start));
    return negative ? dm_wrap(r, "-", n, NULL) : n;
}

/* The value of a literal of the type that starts at `type`. */
static struct dm_node *
read_value(struct dm_reader *r, const char *type)
{
    bool is_complex = *type == 'C';
    char c = type[is_complex];

    if (c == 'f' || c == 'd' || c == 'e' || c == 'g')
        return is_complex ? read_complex_float(r, c == 'f') : read_float(r, c == 'f');
    if (*r->at == 'E') /* only the type of a string is known */
        return dm_string(r, "\"...\"");
    return read_integer(r);
}

/* L <type> <value> E and L _Z <encoding> E */
struct dm_node *
dm_read_literal(struct dm_reader *r)
{
    struct dm_node *n;

    r->at++;
    if (dm_skip(r, "_Z")) {
        n = dm_pair(r, DM_ENTITY, dm_read_encoding(r), NULL);
    } else if (dm_skip(r, "DnE")) {
        return dm_string(r, "nullptr");
    } else {
        const char *start = r->at;
        struct dm_node *type = dm_read_type(r);
        if (type == NULL)
            return NULL;
        n = dm_infix(r, type, ")", read_value(r, start), NULL);
        if (n != NULL)
            n->head = "(";
    }
    return dm_skip(r, "E") ? n : NULL;
}
