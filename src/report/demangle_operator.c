/*
 * demangle_operator.c: operators, in expressions and as names of functions.
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

const struct dm_operator *
dm_peek_operator(const struct dm_reader *r)
{
    for (size_t i = 0; i < COUNT_OF(operators); i++)
        if (strncmp(r->at, operators[i].code, 2) == 0)
            return &operators[i];
    return NULL;
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
