/*
 * test_walkthrough.c: the scenario of the design document "Symbol Resolution Walkthrough", every
 * state after every step.
 *
 *     input1.o               main_kernel   strong definition
 *     input2.o               main_kernel   undefined
 *                            helper_fn     weak definition
 *                            __nv_sqrt     undefined
 *     libdevice.a(sqrt.o)    __nv_sqrt     strong definition
 *     libdevice.a(helper.o)  helper_fn     strong definition
 *
 * Played twice: with the functions of the elfw alone, where the states are those of the document,
 * and with merge_elf on small cubins. Where nvlink 13.0 does something else than the document
 * says, the test checks what nvlink does; those places say "nvlink".
 */
#include "link_state.h"

#include "base/murmur3.h"
#include "cubin_builder.h"
#include "culd.h"
#include "finalize/finalize.h"
#include "merge/merge.h"

#include "cubin_builder.c"
#include "link_state.c"

enum { BUCKETS = 64, FUNCTION_SIZE = 128 };

/* ---- Hashes and buckets ---- */

static const struct {
    const char *name;
    uint32_t hash;
    uint32_t bucket;
} hashes[] = {
    {"main_kernel", 0xC65D92BC, 60},
    {"helper_fn", 0x3BA6AA63, 35},
    {"__nv_sqrt", 0xBCFBED0E, 14},
    {"my_kernel", 0xB294C63C, 60},
};

/* Names from a bucket on, oldest first. */
static void
assert_bucket(const struct name_map *map, uint32_t bucket, const char *first, const char *second)
{
    for (const char *expected = first; expected; expected = expected == first ? second : NULL) {
        assert_int_not_equal(map->slots[bucket], 0);
        assert_string_equal(name_at(map, map->slots[bucket] & map->mask)->text, expected);
        bucket++;
    }
    assert_int_equal(map->slots[bucket], 0);
}

static void
test_hashes_and_buckets(void **state)
{
    struct link_state *link = link_state_open("sm_75", 0);
    struct name_map map;

    (void)state;
    name_map_init(&map, &link->arena, BUCKETS);
    assert_int_equal(map.mask, 0x3F);
    for (size_t i = 0; i < COUNT_OF(hashes); i++) {
        const char *name = hashes[i].name;

        assert_int_equal(murmur3_x86_32(name, strlen(name), 0), hashes[i].hash);
        assert_int_equal(name_map_bucket(&map, hashes[i].hash), hashes[i].bucket);
        uint32_t id = name_map_add(&map, name);
        assert_int_equal(name_at(&map, id)->hash, hashes[i].hash);
        assert_bucket(&map, hashes[i].bucket, id == 4 ? "main_kernel" : name,
                      id == 4 ? name : NULL);
    }
    link_state_close(link);
}

/* ---- States ---- */

static uint32_t
used_buckets(const struct name_map *map)
{
    uint32_t used = 0;

    for (uint32_t i = 0; i <= map->mask; i++)
        used += map->slots[i] != 0;
    return used;
}

/* How many names there are: the document's name counter. */
static uint32_t
name_counter(const struct elfw *elfw)
{
    return elfw->names.names.count - 1;
}

/* How many functions there are: the document's counter of function ordinals. */
static uint32_t
ordinal_counter(const struct elfw *elfw)
{
    return elfw->functions.count - 1;
}

static int32_t
index_of(const struct elfw *elfw, const char *name)
{
    return elfw_find_symbol(elfw, name);
}

/* ---- With the functions of the elfw ---- */

/* An elfw whose map of symbol names is empty and has 64 buckets. */
static struct link_state *
open_for_walk(void)
{
    struct link_state *link = link_state_open("sm_75", 0);

    name_map_init(&link->elfw->names, &link->arena, BUCKETS);
    assert_int_equal(name_counter(link->elfw), 0);
    assert_int_equal(link->elfw->neg_symbols.count, 1); /* the sentinel */
    return link;
}

static int32_t
add(struct elfw *elfw, const char *name, uint8_t type, uint8_t binding, uint32_t section)
{
    return elfw_add_symbol(elfw, &(struct new_symbol){.name = name,
                                                      .type = type,
                                                      .binding = binding,
                                                      .section = section,
                                                      .size = FUNCTION_SIZE});
}

static void
step_2_main_kernel(struct elfw *elfw)
{
    uint32_t positives = elfw->pos_symbols.count;
    int32_t index = add(elfw, "main_kernel", STT_FUNC, STB_GLOBAL, 1);
    const struct symbol_record *symbol = elfw_get_symbol(elfw, index);

    assert_int_equal(index, -1);
    assert_int_equal(symbol->sym_index, -1);
    assert_int_equal(symbol->st_info, 0x12);
    assert_int_equal(symbol->st_shndx, 1);
    assert_int_equal(symbol->func_ordinal, 1);
    assert_string_equal(symbol->name_str, "main_kernel");
    assert_int_equal(elfw->neg_symbols.count, 2);
    assert_int_equal(elfw->pos_symbols.count, positives);
    assert_int_equal(index_of(elfw, "main_kernel"), -1);
    assert_int_equal(name_counter(elfw), 1);
    assert_int_equal(ordinal_counter(elfw), 1);
    assert_int_equal(elfw_function(elfw, 1)->symbol, -1);
    assert_bucket(&elfw->names, 60, "main_kernel", NULL);
    assert_bucket(&elfw->names, 35, NULL, NULL);
    assert_int_equal(used_buckets(&elfw->names), 1);
}

/* Step 3, a second mention of main_kernel, never reaches this level. */
static int32_t
step_4_helper_fn(struct elfw *elfw)
{
    uint32_t positives = elfw->pos_symbols.count;
    int32_t index = add(elfw, "helper_fn", STT_FUNC, STB_WEAK, 1);
    const struct symbol_record *symbol = elfw_get_symbol(elfw, index);

    assert_int_equal(index, positives);
    assert_int_equal(symbol->sym_index, positives);
    assert_int_equal(symbol->st_info, 0x22);
    assert_int_equal(symbol->st_shndx, 1);
    assert_int_equal(symbol->func_ordinal, 2);
    assert_int_equal(elfw->pos_symbols.count, positives + 1);
    assert_int_equal(elfw->neg_symbols.count, 2);
    assert_int_equal(name_counter(elfw), 2);
    assert_int_equal(ordinal_counter(elfw), 2);
    assert_bucket(&elfw->names, 35, "helper_fn", NULL);
    assert_bucket(&elfw->names, 60, "main_kernel", NULL);
    assert_int_equal(used_buckets(&elfw->names), 2);
    return index;
}

static void
step_5_sqrt_placeholder(struct elfw *elfw)
{
    int32_t index = add(elfw, "__nv_sqrt", STT_NOTYPE, STB_GLOBAL, SHN_UNDEF);
    const struct symbol_record *symbol = elfw_get_symbol(elfw, index);

    assert_int_equal(index, -2);
    assert_int_equal(symbol->st_info, 0x10);
    assert_int_equal(symbol->st_shndx, SHN_UNDEF);
    assert_int_equal(elfw->neg_symbols.count, 3);
    assert_int_equal(name_counter(elfw), 3);
    assert_int_equal(ordinal_counter(elfw), 2); /* no function */
    assert_bucket(&elfw->names, 14, "__nv_sqrt", NULL);
    assert_int_equal(used_buckets(&elfw->names), 3);
}

/* The placeholder becomes the definition: same slot, same entry of the map. */
static void
step_6_upgrade(struct elfw *elfw)
{
    uint32_t id = name_map_find(&elfw->names, "__nv_sqrt");
    struct symbol_record *symbol = elfw_get_symbol(elfw, -2);

    symbol->st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
    elfw_set_symbol_section(elfw, -2, 2);
    assert_int_equal(symbol->st_info, 0x12);
    assert_int_equal(elfw_symbol_section(elfw, symbol), 2);
    assert_int_equal(name_map_find(&elfw->names, "__nv_sqrt"), id);
    assert_int_equal(index_of(elfw, "__nv_sqrt"), -2);
    assert_int_equal(name_counter(elfw), 3);
}

/* nvlink: the strong helper_fn keeps the positive slot and changes its binding; the document has
   a new record at -3. */
static void
step_7_strong_over_weak(struct elfw *elfw, int32_t helper)
{
    struct symbol_record *symbol = elfw_get_symbol(elfw, helper);

    elfw_set_binding(symbol, STB_GLOBAL);
    assert_int_equal(symbol->st_info, 0x12);
    assert_int_equal(symbol->sym_index, helper);
    assert_int_equal(elfw->neg_symbols.count, 3);
    assert_int_equal(index_of(elfw, "helper_fn"), helper);
    assert_int_equal(name_counter(elfw), 3);
    assert_bucket(&elfw->names, 35, "helper_fn", NULL);
    assert_int_equal(used_buckets(&elfw->names), 3);
}

static void
test_steps_of_the_elfw(void **state)
{
    struct link_state *link = open_for_walk();

    (void)state;
    step_2_main_kernel(link->elfw);
    int32_t helper = step_4_helper_fn(link->elfw);
    step_5_sqrt_placeholder(link->elfw);
    step_6_upgrade(link->elfw);
    step_7_strong_over_weak(link->elfw, helper);
    assert_int_equal(link->message_count, 0);
    link_state_close(link);
}

/* What step 3 would be without the filter of the merge level. */
static void
test_second_global_of_a_name_is_refused(void **state)
{
    struct link_state *link = open_for_walk();

    (void)state;
    step_2_main_kernel(link->elfw);
    EXPECT_FATAL(link, "Internal error: adding global symbols of same name",
                 add(link->elfw, "main_kernel", STT_NOTYPE, STB_GLOBAL, SHN_UNDEF));
    assert_int_equal(link->elfw->neg_symbols.count, 2);
    assert_int_equal(name_counter(link->elfw), 1);
    link_state_close(link);
}

/* my_kernel shares the bucket of main_kernel: both are found, the older one is first. */
static void
test_collision(void **state)
{
    struct link_state *link = open_for_walk();
    struct elfw *elfw = link->elfw;

    (void)state;
    step_2_main_kernel(elfw);
    assert_int_equal(add(elfw, "my_kernel", STT_FUNC, STB_GLOBAL, 1), -2);
    assert_bucket(&elfw->names, 60, "main_kernel", "my_kernel");
    assert_int_equal(used_buckets(&elfw->names), 2);
    assert_int_equal(index_of(elfw, "main_kernel"), -1);
    assert_int_equal(index_of(elfw, "my_kernel"), -2);
    assert_int_equal(index_of(elfw, "my_kernels"), 0);
    assert_int_equal(name_counter(elfw), 2);
    link_state_close(link);
}

/* ---- With merge_elf ---- */

/* Undefined functions have type FUNC in the cubins of the compiler; the document has NOTYPE. */
enum input { INPUT1, INPUT2, SQRT, HELPER, INPUT_COUNT };

static const char *const input_names[] = {"input1.o", "input2.o", "libdevice.a:sqrt.o",
                                          "libdevice.a:helper.o"};

static struct bytes
build_input(struct arena *arena, enum input which)
{
    struct cubin *cubin = cubin_new(arena, 75);

    switch (which) {
    case INPUT1:
        cubin_function(cubin, &(struct cubin_function){"main_kernel", STB_GLOBAL, true, 0x11,
                                                       .header_registers = 32, .registers = 32});
        break;
    case INPUT2:
        cubin_function(cubin, &(struct cubin_function){"helper_fn", STB_WEAK, false, 0x22,
                                                       .header_registers = 20, .registers = 20});
        cubin_reference(cubin, "main_kernel", STT_FUNC, STB_GLOBAL, STO_CUDA_ENTRY, 0);
        cubin_reference(cubin, "__nv_sqrt", STT_FUNC, STB_GLOBAL, 0, 0);
        break;
    case SQRT:
        cubin_function(cubin, &(struct cubin_function){"__nv_sqrt", STB_GLOBAL, false, 0x33, 64,
                                                       .header_registers = 18, .registers = 18});
        break;
    default:
        cubin_function(cubin, &(struct cubin_function){"helper_fn", STB_GLOBAL, false, 0x44, 256,
                                                       .header_registers = 40, .registers = 40});
    }
    return cubin_image(cubin);
}

static void
merge(struct link_state *link, enum input which)
{
    merge_elf(link->elfw, input_names[which], build_input(&link->arena, which));
}

/* The code of a function: all bytes are `fill`. */
static void
assert_code(const struct elfw *elfw, const char *name, uint8_t fill, uint64_t size)
{
    const struct symbol_record *symbol = elfw_get_symbol(elfw, index_of(elfw, name));
    const struct section *text =
        elfw_section(elfw, elfw_function(elfw, symbol_function(symbol))->text);
    const struct piece *piece = &elfw->pieces.at[text->first_piece];

    assert_int_equal(text->size, size);
    assert_int_equal(piece->size, size);
    assert_int_equal(piece->next, 0);
    for (uint64_t i = 0; i < size; i++)
        assert_int_equal(piece->bytes[i], fill);
}

static void
merge_input1(struct link_state *link)
{
    struct elfw *elfw = link->elfw;

    merge(link, INPUT1);
    assert_int_equal(elfw->neg_symbols.count, 2);
    assert_int_equal(index_of(elfw, "main_kernel"), -1);
    assert_int_equal(ordinal_counter(elfw), 1);
    assert_int_equal(elfw_get_symbol(elfw, -1)->st_info, 0x12);
    assert_int_equal(elfw_get_symbol(elfw, -1)->func_ordinal, 1);
    assert_code(elfw, "main_kernel", 0x11, FUNCTION_SIZE);
}

/* Steps 3 to 5: the second mention of main_kernel changes nothing, helper_fn goes to the positive
   array, __nv_sqrt gets a placeholder. Weak definitions come before globals, so that helper_fn
   has ordinal 2. */
static int32_t
merge_input2(struct link_state *link)
{
    struct elfw *elfw = link->elfw;
    struct symbol_record before = *elfw_get_symbol(elfw, -1);
    uint32_t positives = elfw->pos_symbols.count;

    merge(link, INPUT2);
    const struct object *object = elfw->objects.at[2];
    int32_t helper = index_of(elfw, "helper_fn");
    assert_memory_equal(elfw_get_symbol(elfw, -1), &before, sizeof before);
    assert_int_equal(object->symbols[2], -1); /* its main_kernel is that of input1.o */

    assert_int_equal(helper, positives); /* before the section symbol of its text */
    assert_int_equal(elfw->pos_symbols.count, positives + 2);
    assert_int_equal(elfw_get_symbol(elfw, helper)->st_info, 0x22);
    assert_int_equal(elfw_get_symbol(elfw, helper)->func_ordinal, 2);
    assert_code(elfw, "helper_fn", 0x22, FUNCTION_SIZE);

    assert_int_equal(index_of(elfw, "__nv_sqrt"), -2);
    assert_int_equal(elfw_get_symbol(elfw, -2)->st_shndx, SHN_UNDEF);
    assert_int_equal(elfw_get_symbol(elfw, -2)->func_ordinal, 3);
    assert_int_equal(elfw->neg_symbols.count, 3);
    assert_int_equal(ordinal_counter(elfw), 3);
    return helper;
}

static void
merge_sqrt(struct link_state *link)
{
    struct elfw *elfw = link->elfw;
    uint32_t names = name_counter(elfw);

    merge(link, SQRT);
    const struct symbol_record *symbol = elfw_get_symbol(elfw, -2);
    assert_int_equal(index_of(elfw, "__nv_sqrt"), -2);
    assert_int_equal(elfw->neg_symbols.count, 3);
    assert_int_equal(symbol->st_info, 0x12);
    assert_int_equal(symbol->st_size, 64);
    assert_int_equal(symbol->func_ordinal, 3);
    assert_string_equal(
        elfw_section_name(elfw, elfw_section(elfw, elfw_symbol_section(elfw, symbol))),
        ".text.__nv_sqrt");
    assert_code(elfw, "__nv_sqrt", 0x33, 64);
    assert_int_equal(name_counter(elfw), names + 1); /* .text.__nv_sqrt */
    assert_int_equal(ordinal_counter(elfw), 3);
}

/* nvlink: no new record, although the strong definition needs more registers; see above. */
static void
merge_helper(struct link_state *link, int32_t helper)
{
    struct elfw *elfw = link->elfw;
    uint32_t positives = elfw->pos_symbols.count, names = name_counter(elfw);
    uint32_t section = elfw_symbol_section(elfw, elfw_get_symbol(elfw, helper));

    merge(link, HELPER);
    const struct symbol_record *symbol = elfw_get_symbol(elfw, helper);
    assert_int_equal(index_of(elfw, "helper_fn"), helper);
    assert_int_equal(symbol->st_info, 0x12);
    assert_int_equal(symbol->sym_index, helper);
    assert_int_equal(symbol->st_size, 256);
    assert_int_equal(symbol->func_ordinal, 2);
    assert_int_equal(elfw_symbol_section(elfw, symbol), section);
    assert_int_equal(elfw_function(elfw, 2)->object, 4);
    assert_code(elfw, "helper_fn", 0x44, 256); /* nothing of the weak one is left */
    assert_int_equal(elfw->neg_symbols.count, 3);
    assert_int_equal(elfw->pos_symbols.count, positives);
    assert_int_equal(name_counter(elfw), names);
    assert_int_equal(ordinal_counter(elfw), 3);
}

static void
test_steps_of_merge(void **state)
{
    struct link_state *link = link_state_open("sm_75", MERGE_KEEP_ALL);

    (void)state;
    merge_input1(link);
    int32_t helper = merge_input2(link);
    merge_sqrt(link);
    merge_helper(link, helper);
    number_symbols(link->elfw);
    assert_true(elfw_remap_symbol(link->elfw, helper) < elfw_remap_symbol(link->elfw, -1));
    assert_int_equal(elfw_remap_symbol(link->elfw, -2), elfw_remap_symbol(link->elfw, -1) + 1);
    assert_int_equal(link->message_count, 0);
    link_state_close(link);
}

/* ---- The final symbol table ---- */

struct final {
    struct elf_view elf;
    culd_link *link;
};

static struct final
link_all(struct link_state *memory, const char *option)
{
    struct final final = {.link = culd_create(NULL, NULL)};
    struct bytes output;

    assert_non_null(final.link);
    assert_int_equal(culd_add_option(final.link, "-arch=sm_75"), CULD_OK);
    if (option)
        assert_int_equal(culd_add_option(final.link, option), CULD_OK);
    for (int i = 0; i < INPUT_COUNT; i++) {
        struct bytes image = build_input(&memory->arena, (enum input)i);
        assert_int_equal(culd_add_image(final.link, input_names[i], image.at, image.size), CULD_OK);
    }
    assert_int_equal(culd_run(final.link), CULD_OK);
    output.at = culd_output(final.link, &output.size);
    elf_open(&final.elf, "out.cubin", output, &memory->arena);
    return final;
}

static uint32_t
output_index(const struct final *final, const char *name)
{
    for (uint32_t i = 1; i < final->elf.symbol_count; i++)
        if (ELF64_ST_TYPE(final->elf.symbols[i].st_info) == STT_FUNC &&
            !strcmp(elf_symbol_name(&final->elf, i), name))
            return i;
    return 0;
}

/*
 * The document: main_kernel, __nv_sqrt, helper_fn, at 0, 0x80 and 0xC0 of one .text. nvlink: every
 * function has its own section and the value 0, and helper_fn, in the place of a weak symbol,
 * stands before the first global although it is one itself. -g keeps the functions that the
 * kernel does not call.
 */
static void
test_final_symbol_table(void **state)
{
    static const struct {
        const char *name, *section;
        uint64_t size;
    } expected[] = {
        {"helper_fn", ".text.helper_fn", 256},
        {"main_kernel", ".text.main_kernel", FUNCTION_SIZE},
        {"__nv_sqrt", ".text.__nv_sqrt", 64},
    };
    struct link_state *memory = link_state_open("sm_75", 0);
    struct final final = link_all(memory, "-g");
    uint32_t last = 0;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(expected); i++) {
        uint32_t at = output_index(&final, expected[i].name);
        const Elf64_Sym *symbol = &final.elf.symbols[at];

        assert_true(at > last);
        last = at;
        assert_int_equal(symbol->st_info, 0x12);
        assert_int_equal(symbol->st_value, 0);
        assert_int_equal(symbol->st_size, expected[i].size);
        assert_string_equal(elf_section_name(&final.elf, symbol->st_shndx), expected[i].section);
    }
    assert_int_equal(final.elf.symbols[0].st_info, 0);
    uint32_t first_negative = final.elf.sections[final.elf.symtab].sh_info;
    assert_int_equal(output_index(&final, "main_kernel"), first_negative);
    assert_int_equal(output_index(&final, "__nv_sqrt"), first_negative + 1);
    assert_int_equal(final.elf.symbol_count, first_negative + 2);
    culd_destroy(final.link);
    link_state_close(memory);
}

/* Every member of the archive is loaded; the sweep removes what the kernel does not reach. */
static void
test_unreached_members_are_swept(void **state)
{
    struct link_state *memory = link_state_open("sm_75", 0);
    struct final final = link_all(memory, NULL);

    (void)state;
    assert_int_not_equal(output_index(&final, "main_kernel"), 0);
    assert_int_equal(output_index(&final, "__nv_sqrt"), 0);
    assert_int_equal(output_index(&final, "helper_fn"), 0);
    culd_destroy(final.link);
    link_state_close(memory);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hashes_and_buckets),
        cmocka_unit_test(test_steps_of_the_elfw),
        cmocka_unit_test(test_second_global_of_a_name_is_refused),
        cmocka_unit_test(test_collision),
        cmocka_unit_test(test_steps_of_merge),
        cmocka_unit_test(test_final_symbol_table),
        cmocka_unit_test(test_unreached_members_are_swept),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
