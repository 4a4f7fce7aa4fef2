/*
 * test_leaf.c: leaf kernels as ptxas compiled them become what nvlink writes.
 *
 * leaf_kernels/ has one file for each; see tests/live/leaf_store.py. A line is an instruction as it
 * came and, if it differs, as nvlink wrote it; `-` stands for none.
 */
#include <dirent.h>
#include <inttypes.h>

#include "leaf_program.h"

#include "schedule/fences.h"

#include "leaf_program.c"

#define FOLDER TEST_DATA_DIR "/leaf_kernels"

enum { MOST_INSTRUCTIONS = 512, MOST_TARGETS = 64, MOST_LINE = 512 };

struct stored_kernel {
    char name[256];
    uint8_t before[MOST_INSTRUCTIONS * INSTRUCTION_SIZE],
        after[MOST_INSTRUCTIONS * INSTRUCTION_SIZE];
    uint32_t before_count, after_count;
    uint32_t place[MOST_INSTRUCTIONS]; /* instruction as it came -> as written, or NO_PLACE */
    uint32_t targets[MOST_TARGETS], target_count;
    struct leaf_jump jumps[MOST_JUMPS];
    uint32_t jump_count;
};

#define NO_PLACE UINT32_MAX

/* --- reading ------------------------------------------------------------------------------------ */

static void
read_jump(struct stored_kernel *stored, char *line)
{
    struct leaf_jump *jump = &stored->jumps[stored->jump_count++];

    jump->at = (uint32_t)strtoul(line + strlen("jump "), &line, 10);
    jump->targets = stored->targets + stored->target_count;
    for (line++; *line == ' '; jump->target_count++)
        stored->targets[stored->target_count++] = (uint32_t)strtoul(line, &line, 10);
}

/* Adds the instruction that a word stands for; false: none. */
static bool
add_instruction(const char *word, uint8_t *text, uint32_t *count)
{
    struct instruction instruction;

    if (sscanf(word, "%" SCNx64 ".%" SCNx64, &instruction.low, &instruction.high) != 2)
        return false;
    assert_true(*count < MOST_INSTRUCTIONS);
    write_instruction(text + (size_t)(*count)++ * INSTRUCTION_SIZE, &instruction);
    return true;
}

static void
read_instructions(struct stored_kernel *stored, char *line)
{
    char *second = strchr(line, ' ');
    uint32_t before = stored->before_count, after = stored->after_count;
    bool came = add_instruction(line, stored->before, &stored->before_count);
    bool stays = add_instruction(second ? second + 1 : line, stored->after, &stored->after_count);

    if (came)
        stored->place[before] = stays ? after : NO_PLACE;
}

static void
read_stored(const char *name, struct stored_kernel *stored)
{
    char path[1024], line[MOST_LINE];

    memset(stored, 0, sizeof *stored);
    snprintf(stored->name, sizeof stored->name, "%s", name);
    snprintf(path, sizeof path, "%s/%s", FOLDER, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] == 'j')
            read_jump(stored, line);
        else if (line[0] != '#')
            read_instructions(stored, line);
    }
    fclose(file);
}

static struct leaf_kernel
kernel_of(const struct stored_kernel *stored)
{
    return (struct leaf_kernel){
        .text = {stored->before, stored->before_count * (size_t)INSTRUCTION_SIZE},
        .sm = 100,
        .jumps = stored->jumps,
        .jump_count = stored->jump_count};
}

static unsigned
for_each_stored(void (*check)(const struct stored_kernel *stored))
{
    static struct stored_kernel stored;
    unsigned count = 0;
    DIR *folder = opendir(FOLDER);

    assert_non_null(folder);
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (!strstr(entry->d_name, ".txt"))
            continue;
        read_stored(entry->d_name, &stored);
        check(&stored);
        count++;
    }
    closedir(folder);
    return count;
}

/* --- what nvlink wrote -------------------------------------------------------------------------- */

static void
check_text(const struct stored_kernel *stored)
{
    struct leaf_kernel kernel = kernel_of(stored);
    struct arena arena;

    arena_init(&arena, NULL);
    struct leaf_result result = leaf_rewrite(&kernel, &arena);
    if (result.text.size != stored->after_count * (size_t)INSTRUCTION_SIZE)
        fail_msg("%s: %zu bytes", stored->name, result.text.size);
    for (uint32_t i = 0; i < stored->after_count; i++)
        if (memcmp(result.text.at + i * INSTRUCTION_SIZE, stored->after + i * INSTRUCTION_SIZE,
                   INSTRUCTION_SIZE))
            fail_msg("%s: instruction %u differs (%s)", stored->name, i,
                     result.reason ? result.reason : "proven");
    bool is_same = stored->before_count == stored->after_count &&
                   !memcmp(stored->before, stored->after, result.text.size);
    assert_int_equal(result.verdict, is_same ? LEAF_UNCHANGED : LEAF_REWRITTEN);
    assert_null(result.reason);
    arena_free_all(&arena);
}

static void
test_stored_kernels_are_as_nvlink_writes_them(void **state)
{
    (void)state;
    assert_true(for_each_stored(check_text) >= 30);
}

/* --- what moves --------------------------------------------------------------------------------- */

static void
check_places(const struct stored_kernel *stored)
{
    struct leaf_kernel kernel = kernel_of(stored);
    struct arena arena;
    uint32_t removed = 0;

    arena_init(&arena, NULL);
    struct leaf_result result = leaf_rewrite(&kernel, &arena);
    for (uint32_t i = 0; i < stored->before_count; i++) {
        struct instruction instruction = read_instruction(stored->before + i * INSTRUCTION_SIZE);
        if (opcode_of(&instruction) == OP_NOP) /* padding behind the code: its place is nobody's */
            continue;
        uint64_t place = leaf_moved(&kernel, &result, (uint64_t)i * INSTRUCTION_SIZE);
        assert_int_equal(place, (uint64_t)(i - removed) * INSTRUCTION_SIZE);
        bool is_gone = stored->place[i] == NO_PLACE;
        if (!is_gone)
            assert_int_equal(place, (uint64_t)stored->place[i] * INSTRUCTION_SIZE);
        assert_int_equal(leaf_removed_among(&result, i, 1), is_gone);
        assert_int_equal(leaf_moved(&kernel, &result, (uint64_t)i * INSTRUCTION_SIZE + 8),
                         place + (is_gone ? 0 : 8));
        removed += is_gone;
    }
    assert_int_equal(result.removed_count, removed);
    assert_int_equal(leaf_removed_among(&result, 0, stored->before_count), removed);
    assert_int_equal(leaf_moved(&kernel, &result, kernel.text.size), result.text.size);
    assert_int_equal(leaf_moved(&kernel, &result, UINT64_MAX), result.text.size);
    arena_free_all(&arena);
}

static void
test_places_follow_what_is_removed(void **state)
{
    (void)state;
    for_each_stored(check_places);
}

/* --- kernels that stay as they are -------------------------------------------------------------- */

static struct leaf_result
rewrite_steps(const struct step *steps, uint32_t count, struct assembled *assembled,
              struct arena *arena)
{
    struct program program = {.count = count};

    memcpy(program.steps, steps, count * sizeof *steps);
    assemble(&program, assembled);
    return leaf_rewrite(&assembled->kernel, arena);
}

static void
assert_stays(const struct step *steps, uint32_t count, enum leaf_verdict expected)
{
    struct assembled assembled;
    struct arena arena;

    arena_init(&arena, NULL);
    struct leaf_result result = rewrite_steps(steps, count, &assembled, &arena);
    assert_int_equal(result.verdict, expected);
    assert_ptr_equal(result.text.at, assembled.bytes);
    assert_int_equal(result.text.size, count * INSTRUCTION_SIZE);
    assert_int_equal(result.removed_count, 0);
    assert_int_equal(result.reason != NULL, expected == LEAF_COPIED);
    arena_free_all(&arena);
}

static void
test_what_is_not_for_rewriting_stays(void **state)
{
    static const struct step calls[] = {WRITES(LOAD_STACK_POINTER, 1, RZ, 0, 0),
                                        STEP(CALL, RZ, RZ, RZ, 0), STEP(END, RZ, RZ, RZ, 0)};
    static const struct step no_load[] = {WRITES(FUNCTION, 4, 2, 0, 0), STEP(ADD, 5, 4, 4, 0x1),
                                          STEP(END, RZ, RZ, RZ, 0)};
    static const struct step serial[] = {WRITES(LOAD_STACK_POINTER, 1, RZ, 0, 0x3),
                                         WRITES(FUNCTION, 4, 2, 0, 0x3),
                                         STEP(END, RZ, RZ, RZ, 0x3)};
    static const struct step astray[] = {WRITES(LOAD_STACK_POINTER, 1, RZ, 0, 0), GOTO(JUMP, 99, 0),
                                         STEP(END, RZ, RZ, RZ, 0)};

    (void)state;
    assert_stays(calls, 3, LEAF_NOT_LEAF);
    assert_stays(no_load, 3, LEAF_UNCHANGED);
    assert_stays(serial, 3, LEAF_UNCHANGED);
    assert_stays(astray, 3, LEAF_COPIED);
}

static void
test_texts_that_are_none(void **state)
{
    static const struct instruction load = {0x00000ff00ff017b82, 0x000e220000000800};
    static const struct {
        size_t size;
        bool begins_with_load;
        enum leaf_verdict verdict;
    } texts[] = {{0, false, LEAF_UNCHANGED}, {1, false, LEAF_UNCHANGED},
                 {15, true, LEAF_UNCHANGED}, {16, false, LEAF_UNCHANGED},
                 {17, true, LEAF_COPIED},    {48, false, LEAF_UNCHANGED},
                 {48, true, LEAF_COPIED}};

    (void)state;
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++) {
        uint8_t bytes[3 * INSTRUCTION_SIZE] = {0};
        struct leaf_kernel kernel = {.text = {bytes, texts[i].size}, .sm = 100};
        struct arena arena;
        arena_init(&arena, NULL);
        if (texts[i].begins_with_load)
            write_instruction(bytes, &load);
        struct leaf_result result = leaf_rewrite(&kernel, &arena);
        assert_int_equal(result.verdict, texts[i].verdict);
        assert_int_equal(result.text.size, texts[i].size);
        assert_int_equal(leaf_moved(&kernel, &result, 0), 0);
        arena_free_all(&arena);
    }
}

/* --- fences ------------------------------------------------------------------------------------- */

static const struct instruction never_loads = {0x00000000fffff984, 0x000fe20000000800};
static const struct instruction weak_fence = {0x7992, 0x000fc00000008000};
static const struct instruction fence = {0x7992, 0x000fec0000002000};
static const struct instruction nop = {0x7918, 0x000fc00000000000};
static const struct instruction self_branch = {0xfffffffc00fc7947, 0x000fc0000383ffff};

struct fence_text {
    uint8_t bytes[32 * INSTRUCTION_SIZE];
    uint32_t count;
};

static void
add(struct fence_text *text, struct instruction instruction)
{
    write_instruction(text->bytes + (size_t)text->count++ * INSTRUCTION_SIZE, &instruction);
}

/* A kernel of a fence, with this before it. */
static struct fence_text
fence_after(const struct instruction *padding, uint32_t count)
{
    struct fence_text text = {.count = 0};

    for (uint32_t i = 0; i < count; i++)
        add(&text, padding[i]);
    add(&text, fence);
    add(&text, self_branch);
    while (text.count < 24)
        add(&text, nop);
    return text;
}

static bool
shorten(const struct fence_text *text, struct arena *arena, struct shortened *shortened)
{
    struct bytes bytes = {text->bytes, text->count * (size_t)INSTRUCTION_SIZE};
    struct leaf_kernel kernel = {.text = bytes};
    return shorten_fences(&kernel, bytes, survey_text(bytes), arena, shortened);
}

static void
assert_removed(const struct instruction *padding, uint32_t count, uint32_t removed)
{
    struct fence_text text = fence_after(padding, count);
    struct shortened shortened;
    struct arena arena;

    arena_init(&arena, NULL);
    assert_true(shorten(&text, &arena, &shortened));
    assert_int_equal(shortened.removed_count, removed);
    assert_int_equal(shortened.text.size % 128, 0);
    assert_true(shortened.text.size <= text.count * (size_t)INSTRUCTION_SIZE);
    arena_free_all(&arena);
}

static void
assert_not_shortened(const struct instruction *padding, uint32_t count)
{
    struct fence_text text = fence_after(padding, count);
    struct shortened shortened;
    struct arena arena;

    arena_init(&arena, NULL);
    assert_false(shorten(&text, &arena, &shortened));
    arena_free_all(&arena);
}

static void
test_only_known_padding_is_removed(void **state)
{
    const struct instruction l = never_loads, w = weak_fence;
    struct instruction loads = {0x00000004ff057984, 0x000fe20000000800};
    struct instruction waits = w, counts = l, unknown = {0xfff, 0x000fe20000000000};
    struct instruction controls = {0x795f, 0x000fe20000000000};

    (void)state;
    assert_removed((struct instruction[]){l, l, l, l, w}, 5, 5);
    assert_removed((struct instruction[]){w}, 1, 1);
    assert_removed((struct instruction[]){l, l, l, l}, 4, 4);
    assert_removed((struct instruction[]){loads, loads}, 2, 0);
    assert_removed(NULL, 0, 0);

    /* What looks like padding and is not as it always is. */
    assert_not_shortened((struct instruction[]){l, l, l, l, l, w}, 6);
    assert_not_shortened((struct instruction[]){l, l, l, l, loads}, 5);
    assert_not_shortened((struct instruction[]){w, loads}, 2);
    waits.high = with_scoreboards(w.high, NONE, NONE, 1);
    assert_not_shortened((struct instruction[]){waits}, 1);
    counts.high = with_scoreboards(l.high, NONE, 3, 0);
    assert_not_shortened((struct instruction[]){l, l, l, counts, w}, 5);
    /* An unknown instruction might hold a distance, if it decides where to go on. */
    assert_not_shortened((struct instruction[]){controls, w}, 2);
    assert_removed((struct instruction[]){unknown, w}, 2, 1);
}

/* Some instructions keep the padding where it is. */
static void
test_padding_that_stays(void **state)
{
    const struct instruction l = never_loads, w = weak_fence;
    const struct instruction copies = {0xffae, 0x000fe20000000000};
    const struct instruction syncs = {0x79a7, 0x000fe20000000000};
    const struct instruction arrives = {0x79b0, 0x000fe20000000000}; /* once copies are done */

    (void)state;
    assert_removed((struct instruction[]){copies, l, l, l, l, w}, 6, 1);
    assert_removed((struct instruction[]){syncs, l, l, l, l, w}, 6, 4);
    assert_removed((struct instruction[]){copies, syncs, l, l, l, l, w}, 7, 0);
    assert_removed((struct instruction[]){arrives, l, l, l, l, w}, 6, 5);
}

/* The code must end with a branch to itself: else what follows might be code, too. */
static void
test_code_without_an_end_is_not_shortened(void **state)
{
    struct fence_text text = {.count = 0};
    struct shortened shortened;
    struct arena arena;

    (void)state;
    add(&text, weak_fence);
    add(&text, fence);
    add(&text, nop);
    arena_init(&arena, NULL);
    assert_false(shorten(&text, &arena, &shortened));
    arena_free_all(&arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stored_kernels_are_as_nvlink_writes_them),
        cmocka_unit_test(test_places_follow_what_is_removed),
        cmocka_unit_test(test_what_is_not_for_rewriting_stays),
        cmocka_unit_test(test_texts_that_are_none),
        cmocka_unit_test(test_only_known_padding_is_removed),
        cmocka_unit_test(test_padding_that_stays),
        cmocka_unit_test(test_code_without_an_end_is_not_shortened),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
