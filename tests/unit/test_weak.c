/*
 * test_weak.c: which of several weak definitions of a function wins, and what goes with the
 * loser. Fewer registers win, then the newer virtual architecture, then the first.
 */
#include "link_state.h"

#include "cubin/reloc_table.h"
#include "cubin_builder.h"
#include "merge/merge.h"

#include "cubin_builder.c"
#include "link_state.c"

/* One definition of f; its code is filled with the number of its input. */
struct definition {
    uint8_t header;  /* register count in the header of .text.f, 0: none */
    uint32_t record; /* in the REGCOUNT record, 0: none */
    uint16_t virtual_arch;
    bool is_strong;
};

static struct bytes
image_of(struct link_state *link, const struct definition *definition, uint8_t fill)
{
    struct cubin *cubin = cubin_new(&link->arena, 86);

    cubin->virtual_arch = definition->virtual_arch ? definition->virtual_arch : 75;
    cubin_function(cubin, &(struct cubin_function){
                              "f", definition->is_strong ? STB_GLOBAL : STB_WEAK, .fill = fill,
                              .size = 128u * fill, .header_registers = definition->header,
                              .registers = definition->record});
    return cubin_image(cubin);
}

static void
merge(struct link_state *link, const struct definition *definition)
{
    uint8_t number = (uint8_t)link->elfw->objects.count;

    merge_elf(link->elfw, arena_format(&link->arena, "%c.cubin", 'a' + number - 1),
              image_of(link, definition, number));
}

/* The number of the input whose definition is in force; checks that all traces of it agree. */
static uint32_t
winner(const struct link_state *link)
{
    const struct elfw *elfw = link->elfw;
    const struct symbol_record *symbol = named_symbol(link, "f");
    const struct function *function = elfw_function(elfw, symbol_function(symbol));
    const struct section *text = elfw_section(elfw, function->text);
    const struct piece *piece = &elfw->pieces.at[text->first_piece];

    assert_int_equal(text->first_piece, text->last_piece);
    assert_int_equal(piece->bytes[0], function->object);
    assert_int_equal(text->size, 128 * function->object);
    assert_int_equal(symbol->st_size, text->size);
    for (uint32_t i = 1; i < elfw->objects.count; i++) {
        assert_int_equal(elfw->objects.at[i]->symbols[1], symbol->sym_index);
        if (i > function->object)
            assert_int_equal(elfw->objects.at[i]->fates[1], SYMBOL_LOST);
    }
    return function->object;
}

static uint32_t
winner_of(const struct definition *definitions, size_t count)
{
    struct link_state *link = link_state_open("sm_86", 0);

    for (size_t i = 0; i < count; i++)
        merge(link, &definitions[i]);
    uint32_t number = winner(link);
    assert_int_equal(link->message_count, 0);
    assert_int_equal(elfw_find_symbol(link->elfw, "f") > 0,
                     symbol_binding(named_symbol(link, "f")) == STB_WEAK ||
                         !definitions[0].is_strong);
    link_state_close(link);
    return number;
}

#define WINNER(...)                                                                                \
    winner_of((const struct definition[]){__VA_ARGS__},                                            \
              COUNT_OF(((const struct definition[]){__VA_ARGS__})))

static void
test_fewer_registers_win(void **state)
{
    (void)state;
    assert_int_equal(WINNER({.header = 32}, {.header = 31}), 2);
    assert_int_equal(WINNER({.header = 31}, {.header = 32}), 1);
    assert_int_equal(WINNER({.header = 255}, {.header = 1}), 2);
    assert_int_equal(WINNER({.header = 40}, {.header = 30}, {.header = 20}), 3);
    assert_int_equal(WINNER({.header = 40}, {.header = 20}, {.header = 30}), 2);
    /* Registers come before the architecture. */
    assert_int_equal(WINNER({.header = 32, .virtual_arch = 80}, {.header = 31, .virtual_arch = 75}),
                     2);
    assert_int_equal(WINNER({.header = 31, .virtual_arch = 75}, {.header = 32, .virtual_arch = 86}),
                     1);
}

/* The byte in the section header is asked first, the record only where that is 0. */
static void
test_header_before_record(void **state)
{
    (void)state;
    assert_int_equal(WINNER({.header = 30, .record = 10}, {.header = 20, .record = 99}), 2);
    assert_int_equal(WINNER({.header = 20, .record = 99}, {.header = 30, .record = 10}), 1);
    assert_int_equal(WINNER({.record = 30}, {.record = 29}), 2);
    assert_int_equal(WINNER({.record = 29}, {.record = 30}), 1);
    assert_int_equal(WINNER({.record = 30}, {.header = 29, .record = 31}), 2);
    assert_int_equal(WINNER({.header = 30, .record = 40}, {.record = 35}), 1);
    assert_int_equal(WINNER({.record = 300}, {.record = 299}), 2); /* more than a byte */
}

/* The document has the version of PTX here; nvlink compares virtual architectures. */
static void
test_newer_architecture_wins_a_tie(void **state)
{
    (void)state;
    assert_int_equal(WINNER({.header = 24, .virtual_arch = 75}, {.header = 24, .virtual_arch = 80}),
                     2);
    assert_int_equal(WINNER({.header = 24, .virtual_arch = 80}, {.header = 24, .virtual_arch = 75}),
                     1);
    assert_int_equal(WINNER({.header = 24, .virtual_arch = 80}, {.header = 24, .virtual_arch = 80}),
                     1);
}

/* A replacement takes over the registers, not the architecture: that of the first stays. */
static void
test_architecture_of_the_first_counts(void **state)
{
    (void)state;
    assert_int_equal(WINNER({.header = 24, .virtual_arch = 75}, {.header = 24, .virtual_arch = 86},
                            {.header = 24, .virtual_arch = 80}),
                     3);
    assert_int_equal(WINNER({.header = 24, .virtual_arch = 80}, {.header = 20, .virtual_arch = 75},
                            {.header = 20, .virtual_arch = 80}),
                     2);
    assert_int_equal(WINNER({.header = 24, .virtual_arch = 80}, {.header = 20, .virtual_arch = 75},
                            {.header = 20, .virtual_arch = 86}),
                     3);
}

static void
test_registers_of_the_winner_count(void **state)
{
    (void)state;
    assert_int_equal(WINNER({.header = 30}, {.header = 20}, {.header = 25}), 2);
    assert_int_equal(WINNER({.record = 30}, {.header = 20}, {.record = 25}), 2);
    assert_int_equal(WINNER({.header = 30}, {.record = 20}, {.header = 25}), 2);
    assert_int_equal(WINNER({.header = 30}, {.record = 20}, {.header = 19}), 3);
}

/* No comparison where a strong definition takes part, so no count is needed. */
static void
test_strong_beats_weak(void **state)
{
    (void)state;
    assert_int_equal(WINNER({.header = 8}, {.header = 99, .is_strong = true}), 2);
    assert_int_equal(WINNER({.header = 99, .is_strong = true}, {.header = 8}), 1);
    assert_int_equal(WINNER({0}, {.is_strong = true}), 2);
    assert_int_equal(WINNER({.is_strong = true}, {0}), 1);
    assert_int_equal(WINNER({.header = 9}, {.header = 99, .is_strong = true}, {.header = 8}), 2);
}

static void
test_missing_counts_are_fatal(void **state)
{
    static const struct definition with = {.header = 24}, without = {0};
    struct link_state *link = link_state_open("sm_86", 0);

    (void)state;
    merge(link, &with);
    EXPECT_FATAL(link, "Internal error: no such new reg count", merge(link, &without));
    link_state_close(link);

    link = link_state_open("sm_86", 0);
    merge(link, &without); /* alone it is no problem */
    EXPECT_FATAL(link, "Internal error: no such original reg count", merge(link, &with));
    link_state_close(link);

    link = link_state_open("sm_86", 0);
    merge(link, &without);
    EXPECT_FATAL(link, "Internal error: no such new reg count", merge(link, &without));
    link_state_close(link);
}

/* ---- What goes with the loser ---- */

struct parts {
    uint32_t symbol, text, constants;
};

/* f with a call of g, constants of its own, a frame and a row in the call graph. */
static struct parts
add_full_definition(struct cubin *cubin, uint8_t binding, uint8_t registers, uint8_t fill)
{
    struct parts parts = {
        .symbol = cubin_function(cubin, &(struct cubin_function){"f", binding, .fill = fill,
                                                                 .header_registers = registers,
                                                                 .registers = registers,
                                                                 .frame_size = 16u * fill}),
    };
    uint32_t g = cubin_reference(cubin, "g", STT_FUNC, STB_GLOBAL, 0, 0);

    parts.text = cubin->symbols.at[parts.symbol].st_shndx;
    parts.constants =
        cubin_add_section(cubin, &(struct cubin_section){.name = ".nv.constant2.f",
                                                         .type = SHT_CUDA_CONSTANT0 + 2,
                                                         .flags = SHF_ALLOC | SHF_INFO_LINK,
                                                         .align = 4,
                                                         .info = parts.text,
                                                         .size = 8u * fill});
    cubin_add_symbol(cubin, fill == 1 ? "f.const_opt.0.8" : "f.const_opt.0.16",
                     &(Elf64_Sym){.st_info = ELF64_ST_INFO(STB_LOCAL, STT_CUDA_OBJECT),
                                  .st_other = STO_CUDA_CONSTANT | STV_INTERNAL,
                                  .st_shndx = (uint16_t)parts.constants,
                                  .st_size = 8u * fill});
    cubin_relocation(cubin, parts.text, 16, R_CUDA_ABS32_LO_32, g, fill);
    cubin_call(cubin, parts.symbol, g);
    return parts;
}

static void
merge_full(struct link_state *link, uint8_t binding, uint8_t registers, uint8_t fill)
{
    struct cubin *cubin = cubin_new(&link->arena, 86);

    add_full_definition(cubin, binding, registers, fill);
    merge_elf(link->elfw, fill == 1 ? "a.cubin" : "b.cubin", cubin_image(cubin));
}

static uint32_t
count_edges(const struct elfw *elfw, uint32_t list)
{
    uint32_t count = 0;

    for (; list; list = elfw->edges.at[list].next)
        count++;
    return count;
}

static void
assert_parts(const struct link_state *link, uint32_t from, uint32_t edges, uint64_t constants)
{
    const struct elfw *elfw = link->elfw;
    uint32_t ordinal = symbol_function(named_symbol(link, "f"));
    const struct function *function = elfw_function(elfw, ordinal);
    uint32_t table = elfw_owned_by_name(elfw, ordinal, ".rela.text.f");
    uint32_t bank = elfw_owned_by_name(elfw, ordinal, ".nv.constant2.f");

    assert_int_equal(function->object, from);
    assert_int_equal(function->frame_size, 16 * from);
    assert_int_equal(count_edges(elfw, function->callees), edges);
    assert_int_not_equal(table, 0);
    const struct reloc_piece *piece =
        &elfw->reloc_pieces.at[elfw_section(elfw, table)->first_piece];
    assert_int_equal(piece->object, from);
    assert_int_equal(piece->next, 0);
    assert_int_not_equal(bank, 0);
    assert_int_equal(elfw_section(elfw, bank)->size, constants);
}

/* Relocations, records and constants of the old definition go; its calls stay, as nvlink has it. */
static void
test_replacement_cleans_up(void **state)
{
    static const struct {
        uint8_t binding, registers;
    } winners[] = {{STB_GLOBAL, 99}, {STB_WEAK, 10}};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(winners); i++) {
        struct link_state *link = link_state_open("sm_86", 0);

        merge_full(link, STB_WEAK, 20, 1);
        assert_parts(link, 1, 1, 8);
        merge_full(link, winners[i].binding, winners[i].registers, 2);
        assert_parts(link, 2, 2, 16);
        link_state_close(link);
    }
}

/* A loser leaves nothing but its constants, behind those of the winner. */
static void
test_loser_leaves_constants(void **state)
{
    struct link_state *link = link_state_open("sm_86", 0);

    (void)state;
    merge_full(link, STB_WEAK, 20, 1);
    merge_full(link, STB_WEAK, 21, 2);
    assert_parts(link, 1, 1, 8 + 16);
    assert_int_equal(link->elfw->objects.at[2]->fates[1], SYMBOL_LOST);
    link_state_close(link);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fewer_registers_win),
        cmocka_unit_test(test_header_before_record),
        cmocka_unit_test(test_newer_architecture_wins_a_tie),
        cmocka_unit_test(test_architecture_of_the_first_counts),
        cmocka_unit_test(test_registers_of_the_winner_count),
        cmocka_unit_test(test_strong_beats_weak),
        cmocka_unit_test(test_missing_counts_are_fatal),
        cmocka_unit_test(test_replacement_cleans_up),
        cmocka_unit_test(test_loser_leaves_constants),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
