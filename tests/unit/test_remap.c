/*
 * test_remap.c: the numbers that symbols and sections get in the output, and the checks on them.
 */
#include "link_state.h"

#include "finalize/finalize.h"

#include "link_state.c"

struct sample {
    struct link_state *link;
    int32_t live, dead, local, internal, global;
};

static int32_t
add(struct link_state *link, const char *name, uint8_t type, uint8_t binding, uint8_t other)
{
    return elfw_add_symbol(
        link->elfw,
        &(struct new_symbol){.name = name, .type = type, .binding = binding, .other = other});
}

static struct sample
open_sample(uint32_t merge_flags)
{
    struct link_state *link = link_state_open("sm_75", merge_flags);
    struct sample sample = {
        .link = link,
        .live = add(link, "live", STT_FUNC, STB_GLOBAL, 0),
        .dead = add(link, "dead", STT_FUNC, STB_GLOBAL, 0),
        .local = add(link, "local", STT_FUNC, STB_LOCAL, 0),
        .internal =
            add(link, "_param", STT_CUDA_OBJECT, STB_LOCAL, STO_CUDA_CONSTANT | STV_INTERNAL),
        .global = add(link, "variable", STT_CUDA_OBJECT, STB_GLOBAL, STO_CUDA_GLOBAL),
    };
    uint32_t ordinal = symbol_function(elfw_get_symbol(link->elfw, sample.dead));

    elfw_function(link->elfw, ordinal)->is_dead = true;
    return sample;
}

/* Before there are tables nothing has a number, and nothing is wrong about that. */
static void
test_no_numbers_before_finalize(void **state)
{
    struct sample sample = open_sample(0);

    (void)state;
    assert_int_equal(elfw_remap_symbol(sample.link->elfw, sample.live), 0);
    assert_int_equal(elfw_remap_symbol(sample.link->elfw, sample.dead), 0);
    link_state_close(sample.link);
}

/* Null, the positive array, the negative array, without those that go. */
static void
test_positives_come_before_negatives(void **state)
{
    struct sample sample = open_sample(0);
    struct elfw *elfw = sample.link->elfw;

    (void)state;
    number_symbols(elfw);
    assert_int_equal(elfw_remap_symbol(elfw, 0), 0);
    assert_int_equal(elfw_remap_symbol(elfw, sample.local), 1);
    assert_int_equal(elfw_remap_symbol(elfw, sample.live), 2);
    assert_int_equal(elfw_remap_symbol(elfw, sample.global), 3);
    assert_int_equal(elfw_section(elfw, elfw->symtab)->info, 2);
    assert_int_equal(elfw_section(elfw, elfw->symtab)->size, 4 * sizeof(Elf64_Sym));
    assert_false(elfw_symbol_is_deleted(elfw, 0));
    assert_false(elfw_symbol_is_deleted(elfw, sample.live));
    link_state_close(sample.link);
}

static void
test_deleted_symbols(void **state)
{
    struct sample sample = open_sample(0);
    struct elfw *elfw = sample.link->elfw;

    (void)state;
    number_symbols(elfw);
    assert_true(elfw_symbol_is_deleted(elfw, sample.dead));
    assert_true(elfw_symbol_is_deleted(elfw, sample.internal));
    EXPECT_FATAL(sample.link, "Internal error: reference to deleted symbol",
                 elfw_remap_symbol(elfw, sample.dead));
    EXPECT_FATAL(sample.link, "Internal error: reference to deleted symbol",
                 elfw_remap_symbol(elfw, sample.internal));
    /* The symbol of a section that is not written has no number either. */
    EXPECT_FATAL(sample.link, "Internal error: reference to deleted symbol",
                 elfw_remap_symbol(elfw, elfw_section(elfw, elfw->strtab)->symbol));
    link_state_close(sample.link);
}

/* A relocatable output keeps the compiler's own objects. */
static void
test_relocatable_output_keeps_internal_objects(void **state)
{
    struct sample sample = open_sample(MERGE_RELOCATABLE);

    (void)state;
    number_symbols(sample.link->elfw);
    assert_int_equal(elfw_remap_symbol(sample.link->elfw, sample.local), 1);
    assert_int_equal(elfw_remap_symbol(sample.link->elfw, sample.internal), 2);
    link_state_close(sample.link);
}

/* ---- Sections ---- */

static struct link_state *
open_with_sections(void)
{
    static const struct new_section sections[] = {
        {.name = ".nv.global", .type = SHT_CUDA_GLOBAL, .flags = SHF_WRITE | SHF_ALLOC},
        {.name = ".text.f", .type = SHT_PROGBITS, .flags = SHF_ALLOC | SHF_EXECINSTR},
        {.name = ".rel.text.f", .type = SHT_REL},
        {.name = ".debug_frame", .type = SHT_PROGBITS},
        {.name = ".text.g", .type = SHT_PROGBITS, .flags = SHF_ALLOC | SHF_EXECINSTR},
    };
    struct link_state *link = link_state_open("sm_75", 0);

    for (size_t i = 0; i < COUNT_OF(sections); i++)
        elfw_add_section(link->elfw, &sections[i]);
    return link;
}

/* Both tables are inverse to each other; a section that is not written has the number 0. */
static void
test_sections_are_numbered_by_group(void **state)
{
    static const char *const order[] = {
        ".shstrtab",       ".strtab", ".symtab", ".debug_frame", ".note.nv.tkinfo",
        ".note.nv.cuinfo", ".text.f", ".text.g", ".nv.global",
    };
    struct link_state *link = open_with_sections();
    struct elfw *elfw = link->elfw;

    (void)state;
    number_sections(elfw);
    assert_int_equal(elfw->output_section_count, 1 + COUNT_OF(order));
    for (uint32_t n = 1; n <= COUNT_OF(order); n++) {
        uint32_t section = elfw->section_order[n];
        assert_string_equal(elfw_section_name(elfw, elfw_section(elfw, section)), order[n - 1]);
        assert_int_equal(elfw->section_virtual[section], n);
    }
    assert_int_equal(elfw->section_virtual[elfw_find_section(elfw, ".rel.text.f")], 0);
    assert_int_equal(elfw->section_virtual[elfw->symtab_shndx], 0);
    assert_int_equal(elfw->section_virtual[elfw->nvinfo], 0);
    link_state_close(link);
}

static void
test_broken_numbering_is_noticed(void **state)
{
    struct link_state *link = open_with_sections();
    struct elfw *elfw = link->elfw;
    uint32_t f = elfw_find_section(elfw, ".text.f"), g = elfw_find_section(elfw, ".text.g");
    uint32_t unwritten = elfw_find_section(elfw, ".rel.text.f");

    (void)state;
    number_sections(elfw);
    elfw->section_order[elfw->section_virtual[f]] = g;
    assert_ptr_equal(elfw_section(elfw, g), &elfw->sections.at[g]);
    assert_ptr_equal(elfw_section(elfw, unwritten), &elfw->sections.at[unwritten]);
    EXPECT_FATAL(link, "Internal error: secidx not virtual", elfw_section(elfw, f));
    link_state_close(link);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_numbers_before_finalize),
        cmocka_unit_test(test_positives_come_before_negatives),
        cmocka_unit_test(test_deleted_symbols),
        cmocka_unit_test(test_relocatable_output_keeps_internal_objects),
        cmocka_unit_test(test_sections_are_numbered_by_group),
        cmocka_unit_test(test_broken_numbering_is_noticed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
