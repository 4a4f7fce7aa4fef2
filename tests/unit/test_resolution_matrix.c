/*
 * test_resolution_matrix.c: what a name stands for after a second mention, for every pair of
 * mentions, for functions and for variables.
 *
 * Two inputs mention x. The first one's code and data are all 0xAA, the second one's 0xBB.
 */
#include "link_state.h"

#include "cubin_builder.h"
#include "merge/merge.h"

#include "cubin_builder.c"
#include "link_state.c"

enum mention { NOTHING, LOCAL, STRONG, UNDEFINED, WEAK };

static const char *const mention_names[] = {"nothing", "local", "strong", "undefined", "weak"};

enum slot { NO_SYMBOL, POSITIVE, NEGATIVE };
enum owner { NOBODY, FIRST, SECOND };

struct cell {
    enum mention existing, incoming;
    /* The global or weak x afterwards. */
    enum slot slot;
    uint8_t binding;
    enum owner owner; /* whose definition it is, NOBODY: undefined */
    bool is_error;    /* two strong definitions */
};

/* The same table for functions and variables. */
static const struct cell matrix[] = {
    {NOTHING, LOCAL, NO_SYMBOL, 0, NOBODY, false},
    {NOTHING, STRONG, NEGATIVE, STB_GLOBAL, SECOND, false},
    {NOTHING, UNDEFINED, NEGATIVE, STB_GLOBAL, NOBODY, false},
    {NOTHING, WEAK, POSITIVE, STB_WEAK, SECOND, false},

    {LOCAL, LOCAL, NO_SYMBOL, 0, NOBODY, false},
    {LOCAL, STRONG, NEGATIVE, STB_GLOBAL, SECOND, false},
    {LOCAL, UNDEFINED, NEGATIVE, STB_GLOBAL, NOBODY, false},
    {LOCAL, WEAK, POSITIVE, STB_WEAK, SECOND, false},

    {STRONG, LOCAL, NEGATIVE, STB_GLOBAL, FIRST, false},
    {STRONG, STRONG, NEGATIVE, STB_GLOBAL, FIRST, true},
    {STRONG, UNDEFINED, NEGATIVE, STB_GLOBAL, FIRST, false},
    {STRONG, WEAK, NEGATIVE, STB_GLOBAL, FIRST, false},

    /* A placeholder is filled where it is; a weak definition stays among the globals then. */
    {UNDEFINED, LOCAL, NEGATIVE, STB_GLOBAL, NOBODY, false},
    {UNDEFINED, STRONG, NEGATIVE, STB_GLOBAL, SECOND, false},
    {UNDEFINED, UNDEFINED, NEGATIVE, STB_GLOBAL, NOBODY, false},
    {UNDEFINED, WEAK, NEGATIVE, STB_WEAK, SECOND, false},

    /* The strong definition keeps the slot of the weak one. */
    {WEAK, LOCAL, POSITIVE, STB_WEAK, FIRST, false},
    {WEAK, STRONG, POSITIVE, STB_GLOBAL, SECOND, false},
    {WEAK, UNDEFINED, POSITIVE, STB_WEAK, FIRST, false},
    {WEAK, WEAK, POSITIVE, STB_WEAK, FIRST, false},
};

enum { FIRST_FILL = 0xAA, SECOND_FILL = 0xBB };

static uint8_t
binding_of(enum mention mention)
{
    return mention == LOCAL ? STB_LOCAL : mention == WEAK ? STB_WEAK : STB_GLOBAL;
}

static void
mention_function(struct cubin *cubin, enum mention mention, uint8_t fill)
{
    if (mention == UNDEFINED)
        cubin_reference(cubin, "x", STT_FUNC, STB_GLOBAL, 0, 0);
    else if (mention != NOTHING)
        cubin_function(cubin, &(struct cubin_function){"x", binding_of(mention), .fill = fill,
                                                       .header_registers = 24, .registers = 24});
}

static void
mention_variable(struct cubin *cubin, enum mention mention, uint8_t fill)
{
    if (mention == UNDEFINED)
        cubin_reference(cubin, "x", STT_CUDA_OBJECT, STB_GLOBAL, STO_CUDA_GLOBAL, 8);
    else if (mention != NOTHING)
        cubin_variable(cubin, "x", binding_of(mention), SPACE_INITIALISED, fill, 8);
}

typedef void (*mention_fn)(struct cubin *cubin, enum mention mention, uint8_t fill);

static struct bytes
image_with(struct link_state *link, mention_fn add, enum mention mention, uint8_t fill)
{
    struct cubin *cubin = cubin_new(&link->arena, 75);

    add(cubin, mention, fill);
    return cubin_image(cubin);
}

static uint8_t
byte_of_section(const struct elfw *elfw, uint32_t section, uint64_t at)
{
    uint32_t p = elfw_section(elfw, section)->first_piece;

    for (; p; p = elfw->pieces.at[p].next) {
        const struct piece *piece = &elfw->pieces.at[p];
        if (at >= piece->base && at - piece->base < piece->size)
            return piece->bytes[at - piece->base];
    }
    fail_msg("byte 0x%llx of the section comes from nowhere", (unsigned long long)at);
    return 0;
}

static void
assert_definition(const struct link_state *link, enum owner owner)
{
    const struct symbol_record *symbol = named_symbol(link, "x");
    uint32_t section = elfw_symbol_section(link->elfw, symbol);

    if (owner == NOBODY) {
        assert_int_equal(section, SHN_UNDEF);
        return;
    }
    assert_int_not_equal(section, SHN_UNDEF);
    assert_int_equal(byte_of_section(link->elfw, section, symbol->st_value),
                     owner == FIRST ? FIRST_FILL : SECOND_FILL);
}

static void
assert_cell(const struct link_state *link, const struct cell *cell)
{
    int32_t index = elfw_find_symbol(link->elfw, "x");

    if (cell->slot == NO_SYMBOL) {
        assert_int_equal(index, 0);
        return;
    }
    if (cell->slot == POSITIVE)
        assert_true(index > 0);
    else
        assert_int_equal(index, -1); /* the only global there is */
    assert_int_equal(symbol_binding(named_symbol(link, "x")), cell->binding);
    assert_definition(link, cell->owner);
}

static void
merge_second(struct link_state *link, mention_fn add, const struct cell *cell)
{
    struct bytes image = image_with(link, add, cell->incoming, SECOND_FILL);

    if (!cell->is_error) {
        merge_elf(link->elfw, "b.cubin", image);
        assert_int_equal(link->message_count, 0);
        return;
    }
    EXPECT_FATAL(link, "merge_elf failed", merge_elf(link->elfw, "b.cubin", image));
    assert_int_equal(link->message_count, 2);
    assert_int_equal(link->messages[0].severity, SEVERITY_ERROR);
    assert_string_equal(link->messages[0].text,
                        "Multiple definition of 'x' in 'b.cubin', first defined in 'a.cubin'");
}

static void
check_matrix(const char *what, mention_fn add)
{
    for (size_t i = 0; i < COUNT_OF(matrix); i++) {
        const struct cell *cell = &matrix[i];
        struct link_state *link = link_state_open("sm_75", 0);

        print_message("    %s: %s, then %s\n", what, mention_names[cell->existing],
                      mention_names[cell->incoming]);
        merge_elf(link->elfw, "a.cubin", image_with(link, add, cell->existing, FIRST_FILL));
        int32_t before = elfw_find_symbol(link->elfw, "x");
        merge_second(link, add, cell);
        assert_cell(link, cell);
        if (before) /* a symbol never moves */
            assert_int_equal(elfw_find_symbol(link->elfw, "x"), before);
        link_state_close(link);
    }
}

static void
test_functions(void **state)
{
    (void)state;
    check_matrix("function", mention_function);
}

static void
test_variables(void **state)
{
    (void)state;
    check_matrix("variable", mention_variable);
}

/* Local symbols of both inputs are there beside the global one. */
static void
test_locals_stay(void **state)
{
    static const enum mention others[] = {LOCAL, STRONG, WEAK};
    static const mention_fn adds[] = {mention_function, mention_variable};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(others) * COUNT_OF(adds); i++) {
        struct link_state *link = link_state_open("sm_75", 0);
        mention_fn add = adds[i % COUNT_OF(adds)];

        merge_elf(link->elfw, "a.cubin", image_with(link, add, LOCAL, FIRST_FILL));
        merge_elf(link->elfw, "b.cubin",
                  image_with(link, add, others[i / COUNT_OF(adds)], SECOND_FILL));
        int32_t first = link->elfw->objects.at[1]->symbols[1];
        int32_t second = link->elfw->objects.at[2]->symbols[1];
        const struct symbol_record *local = elfw_get_symbol(link->elfw, first);
        assert_int_not_equal(first, second);
        assert_int_equal(symbol_binding(local), STB_LOCAL);
        assert_int_equal(
            byte_of_section(link->elfw, elfw_symbol_section(link->elfw, local), local->st_value),
            FIRST_FILL);
        link_state_close(link);
    }
}

/* References of the second input lead to the definition of the first and the other way round. */
static void
test_inputs_share_the_symbol(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);

    (void)state;
    merge_elf(link->elfw, "a.cubin", image_with(link, mention_function, UNDEFINED, 0));
    merge_elf(link->elfw, "b.cubin", image_with(link, mention_function, STRONG, SECOND_FILL));
    merge_elf(link->elfw, "c.cubin", image_with(link, mention_function, UNDEFINED, 0));
    for (uint32_t i = 1; i <= 3; i++)
        assert_int_equal(link->elfw->objects.at[i]->symbols[1], -1);
    assert_int_equal(link->elfw->functions.count, 2);
    link_state_close(link);
}

/* All errors of an input are reported before the merge gives up. */
static void
test_all_errors_of_an_input(void **state)
{
    static const char *const expected[] = {
        "Multiple definition of 'f' in 'b.cubin', first defined in 'a.cubin'",
        "Size doesn't match for 'v' in 'b.cubin', first specified in 'a.cubin'",
        "Multiple definition of 'v' in 'b.cubin', first defined in 'a.cubin'",
        "Memory space doesn't match for 'w' in 'b.cubin', first specified in 'a.cubin'",
        "Multiple definition of 'w' in 'b.cubin', first defined in 'a.cubin'",
        "merge_elf failed",
    };
    struct link_state *link = link_state_open("sm_75", 0);
    struct bytes images[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct cubin *cubin = cubin_new(&link->arena, 75);

        cubin_variable(cubin, "v", STB_GLOBAL, SPACE_INITIALISED, 1, i ? 16 : 8);
        cubin_variable(cubin, "w", STB_GLOBAL, i ? SPACE_CONSTANT : SPACE_ZERO, 1, 8);
        cubin_function(cubin, &(struct cubin_function){"f", STB_GLOBAL, .registers = 8});
        images[i] = cubin_image(cubin);
    }
    merge_elf(link->elfw, "a.cubin", images[0]);
    EXPECT_FATAL(link, "merge_elf failed", merge_elf(link->elfw, "b.cubin", images[1]));
    assert_int_equal(link->message_count, COUNT_OF(expected));
    for (size_t i = 0; i < COUNT_OF(expected); i++)
        assert_string_equal(link->messages[i].text, expected[i]);
    link_state_close(link);
}

static void
test_kernels_are_kernels_everywhere(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);
    struct cubin *a = cubin_new(&link->arena, 75), *b = cubin_new(&link->arena, 75);

    (void)state;
    cubin_reference(a, "x", STT_FUNC, STB_GLOBAL, 0, 0);
    cubin_function(b, &(struct cubin_function){"x", STB_GLOBAL, .is_entry = true, .registers = 8});
    merge_elf(link->elfw, "a.cubin", cubin_image(a));
    EXPECT_FATAL(link, "merge_elf failed", merge_elf(link->elfw, "b.cubin", cubin_image(b)));
    assert_int_equal(link->message_count, 2);
    assert_string_equal(link->messages[0].text,
                        "Function 'x' not declared __global__ in all source files");
    link_state_close(link);
}

/* A second name of a function: a function of its own in the call graph, without a section. */
static void
test_aliases(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);
    struct elfw *elfw = link->elfw;
    struct cubin *cubin = cubin_new(&link->arena, 75);

    (void)state;
    cubin_alias(cubin, "early", STB_WEAK, 0);
    uint32_t f = cubin_function(cubin, &(struct cubin_function){"f", STB_GLOBAL, .registers = 8});
    cubin->symbols.at[1].st_shndx = cubin->symbols.at[f].st_shndx;
    cubin_alias(cubin, "late", STB_GLOBAL, f);
    merge_elf(elfw, "a.cubin", cubin_image(cubin));

    const struct symbol_record *function = named_symbol(link, "f");
    const struct symbol_record *early = named_symbol(link, "early");
    const struct symbol_record *late = named_symbol(link, "late");
    uint32_t text = elfw_function(elfw, symbol_function(function))->text;
    assert_int_equal(elfw_symbol_section(elfw, early), text);
    assert_int_equal(elfw_symbol_section(elfw, late), text);
    assert_int_equal(elfw_function(elfw, symbol_function(early))->text, 0);
    assert_int_equal(elfw_alias_owner(elfw, symbol_function(late)), symbol_function(function));
    assert_int_equal(elfw_find_section(elfw, ".text.early"), 0);
    assert_int_equal(function->alias_chain, late->sym_index);
    assert_int_equal(late->alias_chain, early->sym_index);
    link_state_close(link);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_variables),
        cmocka_unit_test(test_locals_stay),
        cmocka_unit_test(test_inputs_share_the_symbol),
        cmocka_unit_test(test_all_errors_of_an_input),
        cmocka_unit_test(test_kernels_are_kernels_everywhere),
        cmocka_unit_test(test_aliases),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
