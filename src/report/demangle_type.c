/*
 * demangle_type.c: types, template arguments and substitutions.
 */
#include "demangle_internal.h"

static const char *const builtin_types[26] = {
    ['a' - 'a'] = "signed char", ['b' - 'a'] = "bool",
    ['c' - 'a'] = "char",        ['d' - 'a'] = "double",
    ['e' - 'a'] = "long double", ['f' - 'a'] = "float",
    ['g' - 'a'] = "__float128",  ['h' - 'a'] = "unsigned char",
    ['i' - 'a'] = "int",         ['j' - 'a'] = "unsigned int",
    ['l' - 'a'] = "long",        ['m' - 'a'] = "unsigned long",
    ['n' - 'a'] = "__int128",    ['o' - 'a'] = "unsigned __int128",
    ['s' - 'a'] = "short",       ['t' - 'a'] = "unsigned short",
    ['v' - 'a'] = "void",        ['w' - 'a'] = "wchar_t",
    ['x' - 'a'] = "long long",   ['y' - 'a'] = "unsigned long long",
};

static const struct {
    const char *code;
    const char *text;
} long_builtin_types[] = {
    {"Da", "auto"},          {"Dc", "decltype(auto)"},
    {"Dh", "__fp16"},        {"DN", "__nullptr"},
    {"Di", "char32_t"},      {"Dn", "std::nullptr_t"},
    {"Ds", "char16_t"},      {"Du", "char8_t"},
    {"DF16_", "_Float16"},   {"DF16b", "std::bfloat16_t"},
    {"DF32_", "_Float32"},   {"DF32x", "_Float32x"},
    {"DF64_", "_Float64"},   {"DF64x", "_Float64x"},
    {"DF128_", "_Float128"},
};

static const struct {
    char code;
    const char *text;
    const char *last; /* how its constructor is called */
} abbreviations[] = {
    {'a', "std::allocator", "allocator"},
    {'b', "std::basic_string", "basic_string"},
    {'s',
     "std::basic_string<char, std::char_traits<char>, "
     "std::allocator<char>>",
     "basic_string"},
    {'i', "std::basic_istream<char, std::char_traits<char>>", "basic_istream"},
    {'o', "std::basic_ostream<char, std::char_traits<char>>", "basic_ostream"},
    {'d', "std::basic_iostream<char, std::char_traits<char>>", "basic_iostream"},
};

/* Any number of qualifiers in any order; printed in one order. */
uint8_t
dm_read_quals(struct dm_reader *r)
{
    static const char codes[] = "KVr";
    uint8_t quals = 0;

    for (const char *c; *r->at && (c = strchr(codes, *r->at)); r->at++)
        quals |= (uint8_t)(1 << (c - codes));
    return quals;
}

/* A letter that stands for nothing is an empty name, as it is in nvlink. */
static struct dm_node *
read_abbreviation(struct dm_reader *r)
{
    const char *text = "", *last = "";

    for (size_t i = 0; i < COUNT_OF(abbreviations); i++) {
        if (abbreviations[i].code == *r->at) {
            text = abbreviations[i].text;
            last = abbreviations[i].last;
        }
    }
    r->at++;
    struct dm_node *n = dm_pair(r, DM_ABBREVIATION, dm_string(r, last), NULL);
    if (n != NULL) {
        n->text = text;
        n->length = (uint32_t)strlen(text);
        n->tight = true;
    }
    return n;
}

/* S_, S0_, ... S9_, SA_, ... or one of the abbreviations but St. */
struct dm_node *
dm_read_substitution(struct dm_reader *r)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    size_t index = 0;

    if (!dm_skip(r, "S"))
        return NULL;
    if (*r->at >= 'a' && *r->at <= 'z')
        return read_abbreviation(r);
    if (*r->at != '_') {
        const char *c;
        for (; *r->at && (c = strchr(digits, *r->at)); r->at++) {
            if (index > r->ncandidates)
                return NULL;
            index = index * 36 + (size_t)(c - digits);
        }
        index++;
    }
    if (!dm_skip(r, "_") || index >= r->ncandidates)
        return NULL;
    struct dm_node *n = dm_pair(r, DM_SUBSTITUTE, r->candidates[index].node, NULL);
    if (n != NULL)
        n->tight = !r->candidates[index].whole_type;
    return n;
}

/* T_, T0_, ... are printed as T1, T2, ...: arguments are not put in. */
struct dm_node *
dm_read_template_param(struct dm_reader *r)
{
    uint64_t number;

    if (!dm_skip(r, "T") || !dm_read_ordinal(r, &number))
        return NULL;
    return dm_wrap(r, "T", dm_number(r, number), NULL);
}

struct dm_node *
dm_read_template_arg(struct dm_reader *r)
{
    struct dm_node *n = NULL;

    if (!dm_enter(r))
        return NULL;
    if (dm_skip(r, "X")) {
        n = dm_read_expression(r);
        if (!dm_skip(r, "E"))
            n = NULL;
    } else if (*r->at == 'L') {
        n = dm_read_literal(r);
    } else if (dm_skip(r, "J")) {
        n = dm_read_list(r, 'E', dm_read_template_arg);
    } else {
        n = dm_read_type(r);
    }
    r->depth--;
    return n;
}

/* At `I`; the list is without the angle brackets. */
struct dm_node *
dm_read_template_args(struct dm_reader *r)
{
    bool outer = r->in_conversion;

    r->in_conversion = false;
    struct dm_node *args = NULL;
    if (dm_skip(r, "I"))
        args = dm_read_list(r, 'E', dm_read_template_arg);
    r->in_conversion = outer;
    return args;
}

static struct dm_node *
read_with_args(struct dm_reader *r, struct dm_node *name)
{
    struct dm_node *args = dm_read_template_args(r);

    return args == NULL ? NULL : dm_pair(r, DM_TEMPLATE, name, args);
}

static struct dm_node *
read_parameter_type(struct dm_reader *r)
{
    return dm_skip(r, "z") ? dm_string(r, "...") : dm_read_type(r);
}

static bool
is_void(const struct dm_node *n)
{
    return n->kind == DM_TEXT && n->length == 4 && memcmp(n->text, "void", 4) == 0;
}

/* `$` and digits after the parameters tell copies apart; they are not shown. */
static bool
skip_copy_number(struct dm_reader *r)
{
    uint64_t number;

    if (r->at[0] != '$' || r->at[1] < '0' || r->at[1] > '9')
        return false;
    r->at++;
    return dm_read_decimal(r, &number);
}

/* A parameter list may end here; & and && of a function type are behind it. */
static bool
ends_parameters(const struct dm_reader *r)
{
    return *r->at == '\0' || *r->at == 'E' || *r->at == '$' ||
           ((*r->at == 'R' || *r->at == 'O') && r->at[1] == 'E');
}

struct dm_node *
dm_read_parameters(struct dm_reader *r)
{
    struct dm_node *list = dm_node_new(r, DM_LIST);

    if (list == NULL)
        return NULL;
    list->text = ", ";
    list->length = 2;
    struct dm_node **tail = &list->left;
    do {
        bool ellipsis = *r->at == 'z';
        struct dm_node *type = read_parameter_type(r);
        if (type == NULL)
            return NULL;
        *tail = type;
        tail = &type->next;
        if (ellipsis && !ends_parameters(r))
            return NULL;
    } while (!ends_parameters(r));
    r->parameters_end = skip_copy_number(r) ? NULL : r->at;
    if (is_void(list->left) && list->left->next == NULL)
        list->left = NULL;
    return list;
}

/* F [Y] <result> <parameters> [R|O] E */
static struct dm_node *
read_function_type(struct dm_reader *r, struct dm_node *exception)
{
    if (!dm_skip(r, "F"))
        return NULL;
    (void)dm_skip(r, "Y");
    struct dm_node *result = dm_read_type(r);
    struct dm_node *parameters = result == NULL ? NULL : dm_read_parameters(r);
    if (parameters == NULL)
        return NULL;

    struct dm_node *n = dm_pair(r, DM_FUNCTION_TYPE, result, parameters);
    if (n == NULL)
        return NULL;
    n->extra = exception;
    if (dm_skip(r, "R"))
        n->quals = DM_LVALUE;
    else if (dm_skip(r, "O"))
        n->quals = DM_RVALUE;
    return dm_skip(r, "E") ? n : NULL;
}

/* DT <expression> E and Dt <expression> E */
static struct dm_node *
read_decltype(struct dm_reader *r)
{
    bool parenthesized = r->at[1] == 'T';

    r->at += 2;
    struct dm_node *e = dm_read_expression(r);
    if (e == NULL || !dm_skip(r, "E"))
        return NULL;
    return parenthesized ? dm_wrap(r, "decltype((", e, "))") : dm_wrap(r, "decltype(", e, ")");
}

/* Dy <type> E and DY <expression> E: the C operator. */
static struct dm_node *
read_typeof(struct dm_reader *r)
{
    bool of_type = r->at[1] == 'y';

    r->at += 2;
    struct dm_node *n = of_type ? dm_read_type(r) : dm_read_expression(r);
    return dm_skip(r, "E") ? dm_wrap(r, "typeof(", n, ")") : NULL;
}

/* Dv <number> _ <type> */
static struct dm_node *
read_vector(struct dm_reader *r)
{
    const char *digits = r->at + 2;
    uint64_t ignored;

    r->at = digits;
    if (!dm_read_decimal(r, &ignored))
        return NULL;
    struct dm_node *count = dm_text(r, digits, (size_t)(r->at - digits));
    if (!dm_skip(r, "_"))
        return NULL;
    struct dm_node *element = dm_read_type(r);
    struct dm_node *size = dm_infix(r, count, "*sizeof(", element, ")))) ");
    return dm_infix(r, element, " __attribute((vector_size(", size, NULL);
}

static struct dm_node *
read_array(struct dm_reader *r)
{
    struct dm_node *bound = NULL;
    const char *start = ++r->at;
    uint64_t ignored;

    if (dm_read_decimal(r, &ignored)) {
        bound = dm_text(r, start, (size_t)(r->at - start));
        if (bound == NULL)
            return NULL;
    } else if (*r->at != '_') {
        bound = dm_read_expression(r);
        if (bound == NULL)
            return NULL;
    }
    if (!dm_skip(r, "_"))
        return NULL;
    return dm_pair(r, DM_ARRAY, dm_read_type(r), bound);
}

static struct dm_node *
read_pointer(struct dm_reader *r, const char *text)
{
    r->at++;
    struct dm_node *n = dm_pair(r, DM_POINTER, dm_read_type(r), NULL);

    if (n != NULL) {
        n->text = text;
        n->length = (uint32_t)strlen(text);
    }
    return n;
}

static struct dm_node *
read_member_pointer(struct dm_reader *r)
{
    r->at++;
    struct dm_node *class_type = dm_read_type(r);

    if (class_type == NULL)
        return NULL;
    return dm_pair(r, DM_MEMBER_POINTER, dm_read_type(r), class_type);
}

/* U <source name> <type>: a vendor's word behind the type. */
static struct dm_node *
read_vendor_qualified(struct dm_reader *r)
{
    r->at++;
    struct dm_node *word = dm_read_source_name(r);
    struct dm_node *type = word == NULL ? NULL : dm_read_type(r);

    if (type == NULL || word->kind != DM_TEXT)
        return NULL;
    if (word->length == 8 && memcmp(word->text, "__vector", 8) == 0)
        return dm_wrap(r, "__attribute__((vector_size(?))) ", type, NULL);
    struct dm_node *n = dm_pair(r, DM_POINTER, type, NULL);
    if (n != NULL) {
        n->text = word->text;
        n->length = word->length;
    }
    return n;
}

/* A class or enumeration by name. All but the last step is a candidate. */
static struct dm_node *
read_named_type(struct dm_reader *r)
{
    struct dm_name_facts facts = {0};

    if (*r->at == 'N' || *r->at == 'Z' || *r->at == 'S' || (*r->at >= '0' && *r->at <= '9'))
        return dm_read_name(r, &facts);
    return NULL;
}

static struct dm_node *
read_vendor_type(struct dm_reader *r)
{
    r->at++;
    struct dm_node *n = dm_read_source_name(r);

    return n != NULL && *r->at == 'I' ? read_with_args(r, n) : n;
}

static struct dm_node *
read_param_type(struct dm_reader *r)
{
    struct dm_node *n = dm_read_template_param(r);

    if (n == NULL || *r->at != 'I' || r->in_conversion)
        return n;
    return dm_add_candidate(r, n, false) ? read_with_args(r, n) : NULL;
}

/*
 * A type that starts with a substitution. With arguments behind it, it is a
 * type of its own; without, it was a candidate before and is not added again.
 */
static struct dm_node *
read_substituted_type(struct dm_reader *r)
{
    struct dm_node *n = dm_read_substitution(r);

    if (n == NULL || *r->at != 'I' || r->in_conversion)
        return n;
    n = read_with_args(r, n);
    if (n != NULL)
        n->tight = true;
    return dm_add_candidate(r, n, true) ? n : NULL;
}

/* Do noexcept, DO <expression> E noexcept(...): a function type follows. */
static struct dm_node *
read_noexcept_function(struct dm_reader *r)
{
    struct dm_node *exception;

    if (dm_skip(r, "Do")) {
        exception = dm_string(r, " noexcept");
    } else {
        r->at += 2;
        exception = dm_wrap(r, " noexcept(", dm_read_expression(r), ")");
        if (!dm_skip(r, "E"))
            return NULL;
    }
    return exception == NULL ? NULL : read_function_type(r, exception);
}

static struct dm_node *
read_qualified(struct dm_reader *r)
{
    uint8_t quals = dm_read_quals(r);
    struct dm_node *n = dm_pair(r, DM_QUALIFIED, dm_read_type(r), NULL);

    if (n != NULL)
        n->quals = quals;
    return n;
}

/* The types whose code starts with D and that can be substituted. */
static struct dm_node *
read_d_type(struct dm_reader *r)
{
    switch (r->at[1]) {
    case 'T':
    case 't':
        return read_decltype(r);
    case 'o':
    case 'O':
        return read_noexcept_function(r);
    case 'v':
        return read_vector(r);
    case 'y':
    case 'Y':
        return read_typeof(r);
    case 'p':
        r->at += 2;
        return dm_pair(r, DM_PACK, dm_read_type(r), NULL);
    default:
        return NULL;
    }
}

/* The types that later S_ can refer to. */
static struct dm_node *
read_compound_type(struct dm_reader *r)
{
    switch (*r->at) {
    case 'K':
    case 'V':
    case 'r':
        return read_qualified(r);
    case 'P':
        return read_pointer(r, "*");
    case 'R':
        return read_pointer(r, "&");
    case 'O':
        return read_pointer(r, "&&");
    case 'C':
        r->at++;
        return dm_pair(r, DM_COMPLEX, dm_read_type(r), NULL);
    case 'F':
        return read_function_type(r, NULL);
    case 'A':
        return read_array(r);
    case 'M':
        return read_member_pointer(r);
    case 'T':
        return read_param_type(r);
    case 'U':
        return read_vendor_qualified(r);
    case 'u':
        return read_vendor_type(r);
    case 'D':
        return read_d_type(r);
    default:
        return read_named_type(r);
    }
}

static struct dm_node *
read_builtin(struct dm_reader *r)
{
    char c = *r->at;

    if (c >= 'a' && c <= 'z' && builtin_types[c - 'a'] != NULL) {
        r->at++;
        return dm_string(r, builtin_types[c - 'a']);
    }
    size_t count = COUNT_OF(long_builtin_types);
    for (size_t i = 0; i < count; i++)
        if (dm_skip(r, long_builtin_types[i].code))
            return dm_string(r, long_builtin_types[i].text);
    return NULL;
}

/*
 * The qualifiers of a function type are part of it, so there is one candidate
 * and not two; it is the function type without them.
 */
static bool
is_candidate(const struct dm_node *n)
{
    return n->kind != DM_QUALIFIED || n->left->kind != DM_FUNCTION_TYPE;
}

struct dm_node *
dm_read_type(struct dm_reader *r)
{
    struct dm_node *n = NULL;

    if (!dm_enter(r))
        return NULL;
    if (r->at[0] == 'S' && r->at[1] != 't') {
        n = read_substituted_type(r);
    } else if ((n = read_builtin(r)) == NULL) {
        n = read_compound_type(r);
        if (n != NULL && is_candidate(n) && !dm_add_candidate(r, n, true))
            n = NULL;
    }
    r->depth--;
    return n;
}
