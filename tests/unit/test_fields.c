/*
 * test_fields.c: every relocation type against its description in text, with an implementation of
 * the formulas that works on strings of bits and shares nothing with the linker's.
 */
#include "link_state.h"

#include "cubin/reloc_table.h"
#include "relocate/field.h"

#include "link_state.c"

/*
 * Fields as first bit, width and formula; measured by linking edited objects with nvlink. S is the
 * symbol, A the addend; an entry without addend adds the old bits of each field to f(S) instead,
 * except that byteN adds them before the byte is cut out. Fields that are kept are the loader's.
 */
static const struct description {
    uint32_t type;
    const char *name;
    enum reloc_class class;
    uint32_t plain; /* the type it is written as */
    const char *fields;
} descriptions[] = {
    /* clang-format off */
    {0, "R_CUDA_NONE", RELOC_NONE, 0, ""},
    {1, "R_CUDA_32", RELOC_LINKER, 1, "0:32=S+A"},
    {2, "R_CUDA_64", RELOC_LINKER, 2, "0:64=S+A"},
    {3, "R_CUDA_G32", RELOC_DRIVER, 3, "0:32=kept"},
    {4, "R_CUDA_G64", RELOC_DRIVER, 4, "0:64=kept"},
    {5, "R_CUDA_ABS32_26", RELOC_LINKER, 5, "26:32=S+A"},
    {6, "R_CUDA_TEX_HEADER_INDEX", RELOC_DRIVER, 6, "0:20=kept"},
    {7, "R_CUDA_SAMP_HEADER_INDEX", RELOC_DRIVER, 7, "20:12=kept"},
    {8, "R_CUDA_SURF_HW_DESC", RELOC_DRIVER, 8, "0:32=kept"},
    {9, "R_CUDA_SURF_HW_SW_DESC", RELOC_DRIVER, 9, "0:32=kept"},
    {10, "R_CUDA_ABS32_LO_26", RELOC_LINKER, 10, "26:32=S+A"},
    {11, "R_CUDA_ABS32_HI_26", RELOC_LINKER, 11, "26:32=(S+A)>>32"},
    {12, "R_CUDA_ABS32_23", RELOC_LINKER, 12, "23:32=S+A"},
    {13, "R_CUDA_ABS32_LO_23", RELOC_LINKER, 13, "23:32=S+A"},
    {14, "R_CUDA_ABS32_HI_23", RELOC_LINKER, 14, "23:32=(S+A)>>32"},
    {15, "R_CUDA_ABS24_26", RELOC_LINKER, 15, "26:24=S+A"},
    {16, "R_CUDA_ABS24_23", RELOC_LINKER, 16, "23:24=S+A"},
    {17, "R_CUDA_ABS16_26", RELOC_LINKER, 17, "26:16=S+A"},
    {18, "R_CUDA_ABS16_23", RELOC_LINKER, 18, "23:16=S+A"},
    {19, "R_CUDA_TEX_SLOT", RELOC_LINKER, 19, "32:8=slot+A"},
    {20, "R_CUDA_SAMP_SLOT", RELOC_LINKER, 20, "40:5=slot+A"},
    {21, "R_CUDA_SURF_SLOT", RELOC_LINKER, 21, "26:6=slot+A"},
    {22, "R_CUDA_TEX_BINDLESSOFF13_32", RELOC_LINKER, 22, "32:13=(S+A)>>2"},
    {23, "R_CUDA_TEX_BINDLESSOFF13_47", RELOC_LINKER, 23, "47:13=(S+A)>>2"},
    {24, "R_CUDA_CONST_FIELD19_28", RELOC_LINKER, 24, "28:14=(S+A)>>2 42:4=bank 26:1=bank>>4"},
    {25, "R_CUDA_CONST_FIELD19_23", RELOC_LINKER, 25, "23:14=(S+A)>>2 37:5=bank"},
    {26, "R_CUDA_TEX_SLOT9_49", RELOC_LINKER, 26, "49:9=slot+A"},
    {27, "R_CUDA_6_31", RELOC_LINKER, 27, "31:6=S+A"},
    {28, "R_CUDA_2_47", RELOC_LINKER, 28, "47:2=S+A"},
    {29, "R_CUDA_TEX_BINDLESSOFF13_41", RELOC_LINKER, 29, "41:13=(S+A)>>2"},
    {30, "R_CUDA_TEX_BINDLESSOFF13_45", RELOC_LINKER, 30, "45:13=(S+A)>>2"},
    {31, "R_CUDA_FUNC_DESC32_23", RELOC_DESCRIPTOR, 31, "23:32=kept"},
    {32, "R_CUDA_FUNC_DESC32_LO_23", RELOC_DESCRIPTOR, 32, "23:32=kept"},
    {33, "R_CUDA_FUNC_DESC32_HI_23", RELOC_DESCRIPTOR, 33, "23:32=kept"},
    {34, "R_CUDA_FUNC_DESC_32", RELOC_DESCRIPTOR, 34, "0:32=kept"},
    {35, "R_CUDA_FUNC_DESC_64", RELOC_DESCRIPTOR, 35, "0:64=kept"},
    {36, "R_CUDA_CONST_FIELD21_26", RELOC_LINKER, 36, "26:16=S+A 42:5=bank"},
    {37, "R_CUDA_QUERY_DESC21_37", RELOC_LINKER, 37, "37:16=S+A 53:5=bank"},
    {38, "R_CUDA_CONST_FIELD19_26", RELOC_LINKER, 38, "26:14=(S+A)>>2 40:5=bank"},
    {39, "R_CUDA_CONST_FIELD21_23", RELOC_LINKER, 39, "23:16=S+A 39:5=bank"},
    {40, "R_CUDA_PCREL_IMM24_26", RELOC_BRANCH, 40, "26:24=kept"},
    {41, "R_CUDA_PCREL_IMM24_23", RELOC_BRANCH, 41, "23:24=kept"},
    {42, "R_CUDA_ABS32_20", RELOC_LINKER, 42, "20:32=S+A"},
    {43, "R_CUDA_ABS32_LO_20", RELOC_LINKER, 43, "20:32=S+A"},
    {44, "R_CUDA_ABS32_HI_20", RELOC_LINKER, 44, "20:32=(S+A)>>32"},
    {45, "R_CUDA_ABS24_20", RELOC_LINKER, 45, "20:24=S+A"},
    {46, "R_CUDA_ABS16_20", RELOC_LINKER, 46, "20:16=S+A"},
    {47, "R_CUDA_FUNC_DESC32_20", RELOC_DESCRIPTOR, 47, "20:32=kept"},
    {48, "R_CUDA_FUNC_DESC32_LO_20", RELOC_DESCRIPTOR, 48, "20:32=kept"},
    {49, "R_CUDA_FUNC_DESC32_HI_20", RELOC_DESCRIPTOR, 49, "20:32=kept"},
    {50, "R_CUDA_CONST_FIELD19_20", RELOC_LINKER, 50, "20:14=(S+A)>>2 34:5=bank"},
    {51, "R_CUDA_BINDLESSOFF13_36", RELOC_LINKER, 51, "36:13=(S+A)>>2"},
    {52, "R_CUDA_SURF_HEADER_INDEX", RELOC_DRIVER, 52, "0:20=kept"},
    {53, "R_CUDA_INSTRUCTION64", RELOC_DRIVER, 53, "0:64=kept"},
    {54, "R_CUDA_CONST_FIELD21_20", RELOC_LINKER, 54, "20:16=S+A 36:5=bank"},
    {55, "R_CUDA_ABS32_32", RELOC_LINKER, 55, "32:32=S+A"},
    {56, "R_CUDA_ABS32_LO_32", RELOC_LINKER, 56, "32:32=S+A"},
    {57, "R_CUDA_ABS32_HI_32", RELOC_LINKER, 57, "32:32=(S+A)>>32"},
    {58, "R_CUDA_ABS47_34", RELOC_DRIVER, 58, "34:47=kept"},
    {59, "R_CUDA_ABS16_32", RELOC_LINKER, 59, "32:16=S+A"},
    {60, "R_CUDA_ABS24_32", RELOC_LINKER, 60, "32:24=S+A"},
    {61, "R_CUDA_FUNC_DESC32_32", RELOC_DESCRIPTOR, 61, "32:32=kept"},
    {62, "R_CUDA_FUNC_DESC32_LO_32", RELOC_DESCRIPTOR, 62, "32:32=kept"},
    {63, "R_CUDA_FUNC_DESC32_HI_32", RELOC_DESCRIPTOR, 63, "32:32=kept"},
    {64, "R_CUDA_CONST_FIELD19_40", RELOC_LINKER, 64, "40:14=(S+A)>>2 54:5=bank"},
    {65, "R_CUDA_BINDLESSOFF14_40", RELOC_LINKER, 65, "40:14=(S+A)>>2"},
    {66, "R_CUDA_CONST_FIELD21_38", RELOC_LINKER, 66, "38:16=S+A 54:5=bank"},
    {67, "R_CUDA_INSTRUCTION128", RELOC_DRIVER, 67, "0:64=kept 64:64=kept"},
    {68, "R_CUDA_YIELD_OPCODE9_0", RELOC_YIELD, 68, "0:9=S+A"},
    {69, "R_CUDA_YIELD_CLEAR_PRED4_87", RELOC_YIELD, 69, "87:4=zero"},
    {70, "R_CUDA_32_LO", RELOC_LINKER, 70, "0:32=S+A"},
    {71, "R_CUDA_32_HI", RELOC_LINKER, 71, "0:32=(S+A)>>32"},
    {72, "R_CUDA_UNUSED_CLEAR32", RELOC_CLEAR, 72, "0:32=0"},
    {73, "R_CUDA_UNUSED_CLEAR64", RELOC_CLEAR, 73, "0:64=0"},
    {74, "R_CUDA_ABS24_40", RELOC_LINKER, 74, "40:24=S+A"},
    {75, "R_CUDA_ABS55_16_34", RELOC_DRIVER, 75, "16:8=kept 34:47=kept"},
    {76, "R_CUDA_8_0", RELOC_LINKER, 76, "0:8=byte0"},
    {77, "R_CUDA_8_8", RELOC_LINKER, 77, "0:8=byte8"},
    {78, "R_CUDA_8_16", RELOC_LINKER, 78, "0:8=byte16"},
    {79, "R_CUDA_8_24", RELOC_LINKER, 79, "0:8=byte24"},
    {80, "R_CUDA_8_32", RELOC_LINKER, 80, "0:8=byte32"},
    {81, "R_CUDA_8_40", RELOC_LINKER, 81, "0:8=byte40"},
    {82, "R_CUDA_8_48", RELOC_LINKER, 82, "0:8=byte48"},
    {83, "R_CUDA_8_56", RELOC_LINKER, 83, "0:8=byte56"},
    {84, "R_CUDA_G8_0", RELOC_DRIVER, 84, "0:8=kept"},
    {85, "R_CUDA_G8_8", RELOC_DRIVER, 85, "0:8=kept"},
    {86, "R_CUDA_G8_16", RELOC_DRIVER, 86, "0:8=kept"},
    {87, "R_CUDA_G8_24", RELOC_DRIVER, 87, "0:8=kept"},
    {88, "R_CUDA_G8_32", RELOC_DRIVER, 88, "0:8=kept"},
    {89, "R_CUDA_G8_40", RELOC_DRIVER, 89, "0:8=kept"},
    {90, "R_CUDA_G8_48", RELOC_DRIVER, 90, "0:8=kept"},
    {91, "R_CUDA_G8_56", RELOC_DRIVER, 91, "0:8=kept"},
    {92, "R_CUDA_FUNC_DESC_8_0", RELOC_DRIVER, 92, "0:8=kept"},
    {93, "R_CUDA_FUNC_DESC_8_8", RELOC_DRIVER, 93, "0:8=kept"},
    {94, "R_CUDA_FUNC_DESC_8_16", RELOC_DRIVER, 94, "0:8=kept"},
    {95, "R_CUDA_FUNC_DESC_8_24", RELOC_DRIVER, 95, "0:8=kept"},
    {96, "R_CUDA_FUNC_DESC_8_32", RELOC_DRIVER, 96, "0:8=kept"},
    {97, "R_CUDA_FUNC_DESC_8_40", RELOC_DRIVER, 97, "0:8=kept"},
    {98, "R_CUDA_FUNC_DESC_8_48", RELOC_DRIVER, 98, "0:8=kept"},
    {99, "R_CUDA_FUNC_DESC_8_56", RELOC_DRIVER, 99, "0:8=kept"},
    {100, "R_CUDA_ABS20_44", RELOC_LINKER, 100, "44:20=S+A"},
    {101, "R_CUDA_SAMP_HEADER_INDEX_0", RELOC_DRIVER, 101, "0:12=kept"},
    {102, "R_CUDA_UNIFIED", RELOC_LINKER, 2, "0:64=S+A"},
    {103, "R_CUDA_UNIFIED_32", RELOC_LINKER, 1, "0:32=S+A"},
    {104, "R_CUDA_UNIFIED_8_0", RELOC_LINKER, 76, "0:8=byte0"},
    {105, "R_CUDA_UNIFIED_8_8", RELOC_LINKER, 77, "0:8=byte8"},
    {106, "R_CUDA_UNIFIED_8_16", RELOC_LINKER, 78, "0:8=byte16"},
    {107, "R_CUDA_UNIFIED_8_24", RELOC_LINKER, 79, "0:8=byte24"},
    {108, "R_CUDA_UNIFIED_8_32", RELOC_LINKER, 80, "0:8=byte32"},
    {109, "R_CUDA_UNIFIED_8_40", RELOC_LINKER, 81, "0:8=byte40"},
    {110, "R_CUDA_UNIFIED_8_48", RELOC_LINKER, 82, "0:8=byte48"},
    {111, "R_CUDA_UNIFIED_8_56", RELOC_LINKER, 83, "0:8=byte56"},
    {112, "R_CUDA_UNIFIED32_LO_32", RELOC_LINKER, 56, "32:32=S+A"},
    {113, "R_CUDA_UNIFIED32_HI_32", RELOC_LINKER, 57, "32:32=(S+A)>>32"},
    {114, "R_CUDA_ABS56_16_34", RELOC_DRIVER, 114, "16:8=kept 34:48=kept"},
    {115, "R_CUDA_CONST_FIELD22_37", RELOC_LINKER, 115, "37:17=S+A 54:5=bank"},
    /* clang-format on */
};

enum { PLACE_BYTES = 24, PLACE_BITS = PLACE_BYTES * 8 };

/* ---- Bits as characters, the lowest first ---- */

struct bits {
    char at[PLACE_BITS + 1];
};

static struct bits
bits_of(const uint8_t *bytes)
{
    struct bits bits = {{0}};

    for (unsigned i = 0; i < PLACE_BITS; i++)
        bits.at[i] = bytes[i / 8] >> i % 8 & 1 ? '1' : '0';
    return bits;
}

static uint64_t
number_at(const struct bits *bits, unsigned first, unsigned width)
{
    uint64_t number = 0;

    for (unsigned i = width; i > 0; i--)
        number = number * 2 + (bits->at[first + i - 1] == '1');
    return number;
}

static void
put_number(struct bits *bits, unsigned first, unsigned width, uint64_t number)
{
    for (unsigned i = 0; i < width; i++, number /= 2)
        bits->at[first + i] = number % 2 ? '1' : '0';
}

/* ---- The formulas ---- */

static uint64_t
shifted(uint64_t number, unsigned places)
{
    for (; places; places--)
        number /= 2;
    return number;
}

static uint64_t
evaluate(const char *formula, const struct reloc_value *value, bool has_addend, uint64_t old)
{
    uint64_t addend = has_addend ? value->addend : 0;
    unsigned places;

    if (has_addend)
        old = 0;
    if (!strcmp(formula, "zero"))
        return 0;
    if (!strcmp(formula, "S+A"))
        return value->symbol + addend + old;
    if (sscanf(formula, "(S+A)>>%u", &places) == 1)
        return shifted(value->symbol + addend, places) + old;
    if (sscanf(formula, "byte%u", &places) == 1)
        return shifted(value->symbol + addend + old, places);
    if (!strcmp(formula, "bank"))
        return value->bank + old;
    if (sscanf(formula, "bank>>%u", &places) == 1)
        return shifted(value->bank, places) + old;
    if (!strcmp(formula, "slot+A"))
        return value->slot + addend + old;
    fail_msg("unknown formula '%s'", formula);
    return 0;
}

static void
apply(struct bits *bits, const char *fields, const struct reloc_value *value, bool has_addend)
{
    unsigned first, width;
    char formula[32];
    int used;

    for (; sscanf(fields, "%u:%u=%31s%n", &first, &width, formula, &used) == 3; fields += used)
        if (strcmp(formula, "kept") != 0)
            put_number(bits, first, width,
                       evaluate(formula, value, has_addend, number_at(bits, first, width)));
}

/* ---- The tests ---- */

static uint64_t
random_number(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void
test_table_is_complete(void **state)
{
    (void)state;
    assert_int_equal(COUNT_OF(descriptions), 116);
    for (uint32_t i = 0; i < COUNT_OF(descriptions); i++) {
        const struct reloc_kind *kind = reloc_kind(i);

        assert_int_equal(descriptions[i].type, i);
        assert_non_null(kind);
        assert_string_equal(kind->name, descriptions[i].name);
        assert_int_equal(kind->class, descriptions[i].class);
        assert_int_equal(kind->plain, descriptions[i].plain);
    }
    assert_null(reloc_kind(116));
    assert_null(reloc_kind(UINT32_MAX));
}

/* The twin of a UNIFIED type does the same. */
static void
test_plain_twins(void **state)
{
    (void)state;
    for (uint32_t i = R_CUDA_UNIFIED_FIRST; i <= R_CUDA_UNIFIED_LAST; i++) {
        assert_int_not_equal(descriptions[i].plain, i);
        assert_memory_equal(reloc_kind(i)->fields, reloc_kind(descriptions[i].plain)->fields,
                            sizeof reloc_kind(i)->fields);
    }
}

static void
check_random_values(const struct description *description, bool has_addend)
{
    uint64_t seed = 0x9E3779B97F4A7C15 + description->type;

    for (unsigned round = 0; round < 200; round++) {
        uint8_t bytes[PLACE_BYTES];
        struct reloc_value value = {
            .symbol = random_number(&seed) >> round % 64,
            .addend = random_number(&seed) >> random_number(&seed) % 64,
            .bank = (uint32_t)random_number(&seed) % 32,
            .slot = random_number(&seed) % 512,
        };

        for (unsigned i = 0; i < PLACE_BYTES; i++)
            bytes[i] = (uint8_t)random_number(&seed);
        struct bits expected = bits_of(bytes);
        apply(&expected, description->fields, &value, has_addend);
        fields_write(reloc_kind(description->type), &value, !has_addend, bytes, PLACE_BYTES);
        struct bits got = bits_of(bytes);
        if (strcmp(got.at, expected.at))
            print_error("%s, %s addend, S 0x%llx, A 0x%llx\n", description->name,
                        has_addend ? "with" : "without", (unsigned long long)value.symbol,
                        (unsigned long long)value.addend);
        assert_string_equal(got.at, expected.at);
    }
}

static void
test_formulas_with_addend(void **state)
{
    unsigned types = 0;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(descriptions); i++)
        if (descriptions[i].class == RELOC_LINKER || descriptions[i].class == RELOC_YIELD) {
            check_random_values(&descriptions[i], true);
            types++;
        }
    assert_int_equal(types, 71); /* and the twelve UNIFIED ones are among them */
}

static void
test_formulas_without_addend(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(descriptions); i++)
        if (descriptions[i].class == RELOC_LINKER)
            check_random_values(&descriptions[i], false);
}

/* Types that only the loader can resolve touch nothing. */
static void
test_other_types_write_nothing(void **state)
{
    struct reloc_value value = {.symbol = UINT64_MAX, .addend = 1, .bank = 31, .slot = 511};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(descriptions); i++) {
        uint8_t bytes[PLACE_BYTES], before[PLACE_BYTES];

        if (*descriptions[i].fields)
            continue;
        memset(bytes, 0xA5, sizeof bytes);
        memcpy(before, bytes, sizeof bytes);
        fields_write(reloc_kind(descriptions[i].type), &value, false, bytes, PLACE_BYTES);
        assert_memory_equal(bytes, before, sizeof bytes);
    }
}

/* The clearing types zero 4 and 8 bytes. */
static void
test_clearing(void **state)
{
    uint8_t bytes[12];

    (void)state;
    memset(bytes, 0xFF, sizeof bytes);
    fields_clear(reloc_kind(72), bytes, sizeof bytes);
    assert_memory_equal(bytes, "\0\0\0\0\xff\xff\xff\xff\xff\xff\xff\xff", 12);
    fields_clear(reloc_kind(73), bytes, sizeof bytes);
    assert_memory_equal(bytes, "\0\0\0\0\0\0\0\0\xff\xff\xff\xff", 12);
}

/* A field may run past the end of its section: what lies inside is written, nothing else. */
static void
test_field_past_the_end(void **state)
{
    static const struct reloc_value value = {.symbol = 0x1122334455667788};

    (void)state;
    for (uint64_t room = 0; room <= 8; room++) {
        uint8_t bytes[16];

        memset(bytes, 0xEE, sizeof bytes);
        fields_write(reloc_kind(R_CUDA_64), &value, false, bytes, room);
        for (uint64_t i = 0; i < sizeof bytes; i++)
            assert_int_equal(bytes[i], i < room ? (uint8_t)(0x88 - 0x11 * i) : 0xEE);
    }
}

/* The old bits behind the end count as 0; the bytes there are not even read. */
static void
test_old_bits_past_the_end(void **state)
{
    static const struct reloc_value value = {.symbol = 1};
    uint8_t *bytes = malloc(3); /* exactly: the address sanitizer watches */

    (void)state;
    assert_non_null(bytes);
    memset(bytes, 0xFF, 3);
    fields_write(reloc_kind(1), &value, true, bytes, 3);
    assert_memory_equal(bytes, "\0\0\0", 3);
    memset(bytes, 0x01, 3);
    assert_int_equal(fields_read(reloc_kind(1), 1, bytes, 3), 0x010101);
    free(bytes);
}

/* The sum of all fields: nvlink was asked with each bit of an instruction. */
static void
test_fields_are_read_back(void **state)
{
    uint64_t seed = 7;

    (void)state;
    for (size_t i = 0; i < COUNT_OF(descriptions); i++) {
        const char *fields = descriptions[i].fields;
        uint8_t bytes[PLACE_BYTES];
        unsigned first, width;
        uint64_t sum = 0;
        int used;

        for (unsigned b = 0; b < PLACE_BYTES; b++)
            bytes[b] = (uint8_t)random_number(&seed);
        struct bits bits = bits_of(bytes);
        for (; sscanf(fields, "%u:%u=%*s%n", &first, &width, &used) == 2; fields += used)
            sum += number_at(&bits, first, width);
        assert_int_equal(
            fields_read(reloc_kind(descriptions[i].type), RELOC_MAX_FIELDS, bytes, PLACE_BYTES),
            sum);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_is_complete),
        cmocka_unit_test(test_plain_twins),
        cmocka_unit_test(test_formulas_with_addend),
        cmocka_unit_test(test_formulas_without_addend),
        cmocka_unit_test(test_other_types_write_nothing),
        cmocka_unit_test(test_clearing),
        cmocka_unit_test(test_field_past_the_end),
        cmocka_unit_test(test_old_bits_past_the_end),
        cmocka_unit_test(test_fields_are_read_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
