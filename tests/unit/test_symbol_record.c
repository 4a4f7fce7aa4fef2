/*
 * test_symbol_record.c: the symbol record, its signed index, section numbers past 16 bits, and
 * what the elfw refuses to add.
 */
#include "link_state.h"

#include "link_state.c"

static int32_t
add(struct link_state *link, const char *name, uint8_t type, uint8_t binding, uint32_t section)
{
    return elfw_add_symbol(link->elfw, &(struct new_symbol){.name = name,
                                                            .type = type,
                                                            .binding = binding,
                                                            .other = STO_CUDA_GLOBAL,
                                                            .section = section,
                                                            .value = 0x1122334455667788,
                                                            .size = 24});
}

static void
test_layout(void **state)
{
    (void)state;
    assert_int_equal(sizeof(struct symbol_record), 48);
    assert_int_equal(offsetof(struct symbol_record, st_name), 0);
    assert_int_equal(offsetof(struct symbol_record, st_info), 4);
    assert_int_equal(offsetof(struct symbol_record, st_other), 5);
    assert_int_equal(offsetof(struct symbol_record, st_shndx), 6);
    assert_int_equal(offsetof(struct symbol_record, st_value), 8);
    assert_int_equal(offsetof(struct symbol_record, st_size), 16);
    assert_int_equal(offsetof(struct symbol_record, sym_index), 24);
    assert_int_equal(offsetof(struct symbol_record, func_ordinal), 28);
    assert_int_equal(offsetof(struct symbol_record, data_ordinal), 28);
    assert_int_equal(offsetof(struct symbol_record, name_str), 32);
    assert_int_equal(offsetof(struct symbol_record, alias_chain), 40);
    assert_int_equal(offsetof(struct symbol_record, name_id), 44);
}

/* Writing a symbol is copying 24 bytes. */
static void
test_begins_like_an_elf_symbol(void **state)
{
    struct link_state *link = link_state_open("sm_90", 0);
    int32_t index = add(link, "variable", STT_CUDA_OBJECT, STB_GLOBAL, 7);
    Elf64_Sym symbol;

    (void)state;
    memcpy(&symbol, elfw_get_symbol(link->elfw, index), sizeof symbol);
    assert_int_equal(symbol.st_info, STB_GLOBAL << 4 | STT_CUDA_OBJECT);
    assert_int_equal(symbol.st_other, STO_CUDA_GLOBAL);
    assert_int_equal(symbol.st_shndx, 7);
    assert_int_equal(symbol.st_value, 0x1122334455667788);
    assert_int_equal(symbol.st_size, 24);
    link_state_close(link);
}

static void
test_sentinels(void **state)
{
    struct link_state *link = link_state_open("sm_90", 0);
    struct elfw *elfw = link->elfw;

    (void)state;
    assert_int_equal(elfw->neg_symbols.count, 1);
    assert_ptr_equal(elfw_get_symbol(elfw, 0), &elfw->pos_symbols.at[0]);
    assert_int_equal(elfw_get_symbol(elfw, 0)->st_info, 0);
    assert_int_equal(elfw_get_symbol(elfw, 0)->st_shndx, SHN_UNDEF);
    assert_string_equal(elfw_get_symbol(elfw, 0)->name_str, "");
    assert_string_equal(elfw->neg_symbols.at[0].name_str, "");
    assert_int_equal(elfw_find_symbol(elfw, "nobody"), 0);
    assert_int_equal(elfw->functions.count, 1);
    link_state_close(link);
}

/* The sections that every output begins with, in this order, each with its symbol. */
static void
test_core_sections(void **state)
{
    static const char *const names[] = {
        ".shstrtab",       ".strtab",         ".symtab",  ".symtab_shndx",
        ".note.nv.tkinfo", ".note.nv.cuinfo", ".nv.info", ".nv.compat",
    };
    static const char *const archs[] = {"sm_75", "sm_89", "sm_90", "sm_90a"};

    (void)state;
    for (size_t a = 0; a < COUNT_OF(archs); a++) {
        struct link_state *link = link_state_open(archs[a], 0);
        struct elfw *elfw = link->elfw;
        size_t count = COUNT_OF(names) - (link->arch.sm < 90);

        assert_int_equal(elfw->sections.count, 1 + count);
        assert_int_equal(elfw->pos_symbols.count, 1 + count);
        for (uint32_t i = 0; i < count; i++) {
            const struct symbol_record *symbol = elfw_get_symbol(elfw, (int32_t)i + 1);

            assert_string_equal(elfw_section_name(elfw, elfw_section(elfw, i + 1)), names[i]);
            assert_int_equal(elfw_find_section(elfw, names[i]), i + 1);
            assert_string_equal(symbol->name_str, names[i]);
            assert_int_equal(symbol->st_info, STB_LOCAL << 4 | STT_SECTION);
            assert_int_equal(elfw_symbol_section(elfw, symbol), i + 1);
            assert_int_equal(elfw_section(elfw, i + 1)->symbol, i + 1);
        }
        link_state_close(link);
    }
}

/* Globals have negative numbers, all others positive ones. */
static void
test_signed_access(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);
    struct elfw *elfw = link->elfw;
    int32_t positives = (int32_t)elfw->pos_symbols.count;

    (void)state;
    int32_t global = add(link, "global", STT_CUDA_OBJECT, STB_GLOBAL, 3);
    int32_t weak = add(link, "weak", STT_CUDA_OBJECT, STB_WEAK, 3);
    int32_t local = add(link, "local", STT_CUDA_OBJECT, STB_LOCAL, 3);
    int32_t second = add(link, "second", STT_CUDA_OBJECT, STB_GLOBAL, 3);

    assert_int_equal(global, -1);
    assert_int_equal(second, -2);
    assert_int_equal(weak, positives);
    assert_int_equal(local, positives + 1);
    assert_ptr_equal(elfw_get_symbol(elfw, -2), &elfw->neg_symbols.at[2]);
    assert_ptr_equal(elfw_get_symbol(elfw, local), &elfw->pos_symbols.at[positives + 1]);
    const int32_t all[] = {global, weak, local, second};
    for (size_t i = 0; i < COUNT_OF(all); i++)
        assert_int_equal(elfw_get_symbol(elfw, all[i])->sym_index, all[i]);
    assert_int_equal(elfw_find_symbol(elfw, "global"), global);
    assert_int_equal(elfw_find_symbol(elfw, "weak"), weak);
    link_state_close(link);
}

/* Arrays move when they grow; indices do not. */
static void
test_indices_survive_growth(void **state)
{
    enum { MANY = 5000 };
    struct link_state *link = link_state_open("sm_75", 0);

    (void)state;
    for (int32_t i = 1; i <= MANY; i++) {
        const char *name = arena_format(&link->arena, "v%d", i);
        assert_int_equal(add(link, name, STT_CUDA_OBJECT, STB_GLOBAL, (uint32_t)i), -i);
    }
    for (int32_t i = 1; i <= MANY; i++) {
        const struct symbol_record *symbol = elfw_get_symbol(link->elfw, -i);
        assert_int_equal(symbol->sym_index, -i);
        assert_int_equal(symbol->st_shndx, i);
        assert_int_equal(elfw_find_symbol(link->elfw, symbol->name_str), -i);
    }
    link_state_close(link);
}

static void
assert_section(struct link_state *link, int32_t index, uint16_t direct, uint32_t real)
{
    const struct symbol_record *symbol = elfw_get_symbol(link->elfw, index);

    assert_int_equal(symbol->st_shndx, direct);
    assert_int_equal(elfw_symbol_section(link->elfw, symbol), real);
}

/* Up to 0xFEFF the number stands in the record, above it in an array beside the symbols; common
   symbols always in the record. */
static void
test_extended_section_numbers(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);
    struct elfw *elfw = link->elfw;

    (void)state;
    int32_t last = add(link, "last", STT_CUDA_OBJECT, STB_GLOBAL, 0xFEFF);
    assert_section(link, last, 0xFEFF, 0xFEFF);
    int32_t common = add(link, "common", STT_CUDA_OBJECT, STB_GLOBAL, COMMON_SECTION);
    assert_section(link, common, SHN_COMMON, COMMON_SECTION);
    assert_int_equal(elfw->pos_sections.count, 0);
    assert_int_equal(elfw->neg_sections.count, 0);

    int32_t first = add(link, "first", STT_CUDA_OBJECT, STB_GLOBAL, 0xFF00);
    int32_t local = add(link, "local", STT_CUDA_OBJECT, STB_LOCAL, 0x12345678);
    int32_t weak = add(link, "weak", STT_CUDA_OBJECT, STB_WEAK, 0xFFF1); /* no SHN_ABS here */
    int32_t marker = add(link, "marker", STT_CUDA_OBJECT, STB_GLOBAL, SHN_XINDEX);
    assert_section(link, first, SHN_XINDEX, 0xFF00);
    assert_section(link, local, SHN_XINDEX, 0x12345678);
    assert_section(link, weak, SHN_XINDEX, 0xFFF1);
    assert_section(link, marker, SHN_XINDEX, 0xFFFF);
    assert_section(link, last, 0xFEFF, 0xFEFF);

    /* The number of a symbol may change in both directions. */
    elfw_set_symbol_section(elfw, first, 12);
    assert_section(link, first, 12, 12);
    elfw_set_symbol_section(elfw, last, 0x10000);
    assert_section(link, last, SHN_XINDEX, 0x10000);
    elfw_set_symbol_section(elfw, common, 0x20000);
    assert_section(link, common, SHN_XINDEX, 0x20000);
    elfw_set_symbol_section(elfw, weak, COMMON_SECTION);
    assert_section(link, weak, SHN_COMMON, COMMON_SECTION);
    assert_section(link, local, SHN_XINDEX, 0x12345678);
    link_state_close(link);
}

/* A new alias is put behind its function, before older ones. */
static void
test_alias_chain(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);
    int32_t function = add(link, "f", STT_FUNC, STB_GLOBAL, 3);
    int32_t weak = add(link, "weak_name", STT_FUNC, STB_WEAK, 3);
    int32_t global = add(link, "global_name", STT_FUNC, STB_GLOBAL, 3);

    (void)state;
    assert_int_equal(elfw_get_symbol(link->elfw, function)->alias_chain, 0);
    elfw_add_alias(link->elfw, function, weak);
    elfw_add_alias(link->elfw, function, global);
    assert_int_equal(elfw_get_symbol(link->elfw, function)->alias_chain, global);
    assert_int_equal(elfw_get_symbol(link->elfw, global)->alias_chain, weak);
    assert_int_equal(elfw_get_symbol(link->elfw, weak)->alias_chain, 0);
    link_state_close(link);
}

/* Only functions have ordinals; they count from 1 over both arrays. */
static void
test_function_ordinals(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);
    struct elfw *elfw = link->elfw;

    (void)state;
    int32_t first = add(link, "first", STT_FUNC, STB_GLOBAL, 3);
    int32_t object = add(link, "object", STT_CUDA_OBJECT, STB_GLOBAL, 3);
    int32_t weak = add(link, "weak", STT_FUNC, STB_WEAK, 3);
    int32_t local = add(link, "local", STT_FUNC, STB_LOCAL, 3);
    assert_int_equal(symbol_function(elfw_get_symbol(elfw, first)), 1);
    assert_int_equal(symbol_function(elfw_get_symbol(elfw, object)), 0);
    assert_int_equal(symbol_function(elfw_get_symbol(elfw, weak)), 2);
    assert_int_equal(symbol_function(elfw_get_symbol(elfw, local)), 3);
    assert_int_equal(elfw_function(elfw, 2)->symbol, weak);
    assert_int_equal(elfw_function(elfw, 3)->symbol, local);
    assert_string_equal(elfw_function_name(elfw, 3), "local");
    link_state_close(link);
}

static void
test_no_function_after_the_callgraph(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);

    (void)state;
    link->elfw->callgraph_completed = true;
    EXPECT_FATAL(link, "Internal error: adding function after callgraph completed",
                 add(link, "late", STT_FUNC, STB_LOCAL, 3));
    assert_int_equal(link->elfw->functions.count, 1);
    assert_int_equal(add(link, "object", STT_CUDA_OBJECT, STB_GLOBAL, 3), -1);
    link_state_close(link);
}

static void
test_one_global_of_a_name(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);

    (void)state;
    int32_t weak = add(link, "x", STT_CUDA_OBJECT, STB_WEAK, 3);
    int32_t global = add(link, "x", STT_CUDA_OBJECT, STB_GLOBAL, 4);
    assert_int_equal(elfw_find_symbol(link->elfw, "x"), global);
    assert_string_equal(elfw_get_symbol(link->elfw, weak)->name_str, "x");
    EXPECT_FATAL(link, "Internal error: adding global symbols of same name",
                 add(link, "x", STT_FUNC, STB_GLOBAL, 5));
    assert_int_equal(elfw_find_symbol(link->elfw, "x"), global);
    link_state_close(link);
}

/* Locals share the string of a name and nothing else. */
static void
test_locals_are_independent(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);
    struct elfw *elfw = link->elfw;

    (void)state;
    int32_t first = add(link, "x", STT_CUDA_OBJECT, STB_LOCAL, 3);
    assert_int_equal(elfw_find_symbol(elfw, "x"), 0);
    int32_t global = add(link, "x", STT_CUDA_OBJECT, STB_GLOBAL, 4);
    int32_t second = add(link, "x", STT_CUDA_OBJECT, STB_LOCAL, 5);
    assert_int_equal(elfw_find_symbol(elfw, "x"), global);
    assert_int_not_equal(first, second);
    assert_int_equal(elfw_get_symbol(elfw, first)->st_shndx, 3);
    assert_int_equal(elfw_get_symbol(elfw, second)->st_shndx, 5);
    assert_int_equal(elfw_get_symbol(elfw, first)->name_id, elfw_get_symbol(elfw, global)->name_id);
    assert_int_equal(elfw_get_symbol(elfw, first)->name_id, elfw_get_symbol(elfw, second)->name_id);
    link_state_close(link);
}

/* nvlink keeps STO_CUDA_OBSCURE and never says a word about it. */
static void
test_obscure_bit_is_kept_silently(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);
    int32_t index = elfw_add_symbol(
        link->elfw, &(struct new_symbol){.name = "x",
                                         .type = STT_FUNC,
                                         .binding = STB_GLOBAL,
                                         .other = STO_CUDA_OBSCURE | STV_PROTECTED});

    (void)state;
    assert_int_equal(elfw_get_symbol(link->elfw, index)->st_other, 0x0b);
    assert_int_equal(link->message_count, 0);
    link_state_close(link);
}

static void
test_system_calls(void **state)
{
    static const char *const calls[] = {
        "vprintf",        "malloc",          "free",           "__assertfail",
        "cnpGetDevice",   "cudaGraphLaunch", "__cuda_syscall", "__cuda_syscall_32f3056bbb",
        "__cuda_syscallx"};
    static const char *const others[] = {"printf",       "cnpFoo", "cudaMalloc", "__nv_sqrt",
                                         "__cuda_sysca", "",       "vprintf2",   "x__cuda_syscall"};
    struct link_state *link = link_state_open("sm_75", 0);

    (void)state;
    for (size_t i = 0; i < COUNT_OF(calls); i++)
        assert_true(elfw_is_syscall(link->elfw, calls[i]));
    for (size_t i = 0; i < COUNT_OF(others); i++)
        assert_false(elfw_is_syscall(link->elfw, others[i]));
    link_state_close(link);
}

static void
test_an_elfw_needs_an_architecture(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);
    struct elfw_settings settings = {0};

    (void)state;
    EXPECT_FATAL(link, "couldn't initialize arch state",
                 elfw_create(&link->arena, &link->diag, &settings));
    link_state_close(link);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_layout),
        cmocka_unit_test(test_begins_like_an_elf_symbol),
        cmocka_unit_test(test_sentinels),
        cmocka_unit_test(test_core_sections),
        cmocka_unit_test(test_signed_access),
        cmocka_unit_test(test_indices_survive_growth),
        cmocka_unit_test(test_extended_section_numbers),
        cmocka_unit_test(test_alias_chain),
        cmocka_unit_test(test_function_ordinals),
        cmocka_unit_test(test_no_function_after_the_callgraph),
        cmocka_unit_test(test_one_global_of_a_name),
        cmocka_unit_test(test_locals_are_independent),
        cmocka_unit_test(test_obscure_bit_is_kept_silently),
        cmocka_unit_test(test_system_calls),
        cmocka_unit_test(test_an_elfw_needs_an_architecture),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
