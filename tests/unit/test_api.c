/*
 * test_api.c: the library as its users see it (culd.h): inputs in memory, messages through the
 * callback, several links at once, and no output after a failure.
 */
#include "link_state.h"

#include "base/file.h"
#include "cubin_builder.h"
#include "culd.h"

#include <pthread.h>

#include "cubin_builder.c"
#include "link_state.c"

/* Two inputs and what nvlink made of them. */
#define CASE TEST_DATA_DIR "/../links/resolve/definition-may-come-before-its-first-reference/"

struct fixture {
    struct input_file a, b, expected;
};

static void
open_fixture(struct fixture *fixture, const char *target)
{
    struct input_file *files[] = {&fixture->a, &fixture->b, &fixture->expected};
    static const char *const names[] = {"a.cubin", "b.cubin", "out.cubin"};

    for (size_t i = 0; i < COUNT_OF(files); i++) {
        char path[sizeof CASE + 64];
        snprintf(path, sizeof path, CASE "%s/%s", target, names[i]);
        if (!file_read(path, files[i]))
            fail_msg("cannot read %s", path);
    }
}

static void
close_fixture(struct fixture *fixture)
{
    file_release(&fixture->a);
    file_release(&fixture->b);
    file_release(&fixture->expected);
}

/* ---- Messages ---- */

struct log {
    unsigned count;
    enum culd_severity severities[MAX_MESSAGES];
    char texts[MAX_MESSAGES][MAX_MESSAGE];
};

static void
keep(void *user, enum culd_severity severity, const char *message)
{
    struct log *log = user;

    if (log->count == MAX_MESSAGES)
        return;
    log->severities[log->count] = severity;
    snprintf(log->texts[log->count++], MAX_MESSAGE, "%s", message);
}

static void
assert_no_output(culd_link *link)
{
    size_t size = 1;

    assert_null(culd_output(link, &size));
    assert_int_equal(size, 0);
}

static void
assert_no_files(culd_link *link)
{
    const struct culd_file *files;

    assert_int_equal(culd_files(link, &files), 0);
    assert_int_equal(culd_write_files(link), CULD_OK);
}

/* ---- Links that work ---- */

static culd_link *
prepare(const struct fixture *fixture, const char *target, struct log *log)
{
    char arch[32];
    culd_link *link = culd_create(log ? keep : NULL, log);

    snprintf(arch, sizeof arch, "-arch=%s", target);
    assert_non_null(link);
    assert_int_equal(culd_add_option(link, arch), CULD_OK);
    assert_int_equal(culd_add_option(link, "--identify-as"), CULD_OK);
    assert_int_equal(culd_add_option(link, "nvlink"), CULD_OK);
    assert_int_equal(culd_add_image(link, "a.cubin", fixture->a.bytes.at, fixture->a.bytes.size),
                     CULD_OK);
    assert_int_equal(culd_add_image(link, "b.cubin", fixture->b.bytes.at, fixture->b.bytes.size),
                     CULD_OK);
    return link;
}

static bool
is_expected(culd_link *link, const struct fixture *fixture)
{
    size_t size;
    const void *output = culd_output(link, &size);

    return output && size == fixture->expected.bytes.size &&
           !memcmp(output, fixture->expected.bytes.at, size);
}

static void
test_link_from_memory(void **state)
{
    static const char *const targets[] = {"sm_80", "sm_90a"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(targets); i++) {
        struct fixture fixture;
        struct log log = {0};

        open_fixture(&fixture, targets[i]);
        culd_link *link = prepare(&fixture, targets[i], &log);
        assert_no_output(link);
        assert_int_equal(culd_run(link), CULD_OK);
        assert_true(is_expected(link, &fixture));
        assert_int_equal(log.count, 0);
        assert_no_files(link);
        assert_null(culd_requested_text(link));
        culd_destroy(link);
        close_fixture(&fixture);
    }
}

/* ---- Inputs of other kinds ---- */

#define EXAMPLES TEST_DATA_DIR "/../../examples/"

struct example {
    struct input_file kernels, parts;
};

static void
open_example(struct example *example)
{
    if (!file_read(EXAMPLES "kernels.o", &example->kernels) ||
        !file_read(EXAMPLES "libparts.a", &example->parts))
        fail_msg("cannot read " EXAMPLES);
}

static culd_link *
begin_example(struct log *log)
{
    culd_link *link = culd_create(keep, log);

    assert_non_null(link);
    assert_int_equal(culd_add_option(link, "-arch=sm_90"), CULD_OK);
    return link;
}

static culd_link *
link_example(struct bytes kernels, struct bytes parts, struct log *log)
{
    culd_link *link = begin_example(log);

    assert_int_equal(culd_add_image(link, "kernels", kernels.at, kernels.size), CULD_OK);
    assert_int_equal(culd_add_image(link, "parts", parts.at, parts.size), CULD_OK);
    assert_int_equal(culd_run(link), CULD_OK);
    return link;
}

static void
assert_same_output(culd_link *one, culd_link *other)
{
    size_t size, other_size;
    const void *output = culd_output(one, &size), *expected = culd_output(other, &other_size);

    assert_non_null(output);
    assert_int_equal(size, other_size);
    assert_memory_equal(output, expected, size);
}

/* A host object and an archive of them, in memory and as files. */
static void
test_host_objects_and_archives_in_memory(void **state)
{
    struct example example;
    struct log log = {0};

    (void)state;
    open_example(&example);
    culd_link *link = link_example(example.kernels.bytes, example.parts.bytes, &log);
    culd_link *files = begin_example(&log);
    assert_int_equal(culd_add_option(files, EXAMPLES "kernels.o"), CULD_OK);
    assert_int_equal(culd_add_option(files, EXAMPLES "libparts.a"), CULD_OK);
    assert_int_equal(culd_add_option(files, "-o"), CULD_OK);
    assert_int_equal(culd_add_option(files, "unused"), CULD_OK);
    assert_int_equal(culd_run(files), CULD_OK);
    assert_same_output(link, files);
    assert_int_equal(log.count, 0);
    culd_destroy(link);
    culd_destroy(files);
    file_release(&example.kernels);
    file_release(&example.parts);
}

/* The fatbin that a host object holds. */
static struct bytes
find_fatbin(struct bytes object)
{
    static const uint8_t magic[] = {0x50, 0xed, 0x55, 0xba, 1, 0};

    for (size_t at = 0; bytes_hold(object, at, sizeof magic); at++)
        if (!memcmp(object.at + at, magic, sizeof magic))
            return (struct bytes){object.at + at, object.size - at};
    fail_msg("no fatbin in the object");
    return object;
}

/* Without host code nothing says which kernels are used: more of them stay. */
static void
test_fatbin_in_memory(void **state)
{
    struct example example;
    struct log log = {0};
    size_t size, host_size;

    (void)state;
    open_example(&example);
    struct bytes kernels = example.kernels.bytes, parts = example.parts.bytes;
    culd_link *host = link_example(kernels, parts, &log);
    culd_link *link = link_example(find_fatbin(kernels), parts, &log);
    assert_non_null(culd_output(host, &host_size));
    assert_non_null(culd_output(link, &size));
    assert_true(size > host_size);
    assert_int_equal(log.count, 0);
    culd_destroy(host);
    culd_destroy(link);
    file_release(&example.kernels);
    file_release(&example.parts);
}

static void
test_ptx_in_memory_needs_a_compiler(void **state)
{
    static const char text[] = "// a comment\n.version 8.0\n.target sm_90\n";
    struct log log = {0};
    culd_link *link = begin_example(&log);

    (void)state;
    assert_int_equal(culd_add_option(link, "--ptxas-path=/no/such/ptxas"), CULD_OK);
    assert_int_equal(culd_add_image(link, "text", text, sizeof text), CULD_OK);
    assert_int_equal(culd_run(link), CULD_FATAL);
    assert_int_equal(log.count, 1);
    assert_string_equal(log.texts[0],
                        "Input file 'text' is PTX, and there is no ptxas at '/no/such/ptxas'");
    assert_no_output(link);
    culd_destroy(link);
}

/* Inputs are only read, and where they lie does not matter. */
static void
test_inputs_need_no_alignment(void **state)
{
    struct fixture fixture;

    (void)state;
    open_fixture(&fixture, "sm_80");
    for (size_t shift = 1; shift < 8; shift++) {
        uint8_t *a = malloc(fixture.a.bytes.size + shift);
        assert_non_null(a);
        memcpy(a + shift, fixture.a.bytes.at, fixture.a.bytes.size);
        struct fixture shifted = fixture;
        shifted.a.bytes.at = a + shift;
        culd_link *link = prepare(&shifted, "sm_80", NULL);
        assert_int_equal(culd_run(link), CULD_OK);
        assert_true(is_expected(link, &fixture));
        assert_memory_equal(a + shift, fixture.a.bytes.at, fixture.a.bytes.size);
        culd_destroy(link);
        free(a);
    }
    close_fixture(&fixture);
}

/* ---- Several at once ---- */

enum { ROUNDS = 40 };

struct worker {
    pthread_t thread;
    const struct fixture *fixture;
    const char *target;
    unsigned good;
};

/* Assertions belong to the main thread: this one counts. */
static void *
work(void *user)
{
    struct worker *worker = user;
    char arch[32];

    snprintf(arch, sizeof arch, "-arch=%s", worker->target);
    for (int i = 0; i < ROUNDS; i++) {
        struct bytes a = worker->fixture->a.bytes, b = worker->fixture->b.bytes;
        culd_link *link = culd_create(NULL, NULL);

        if (link && culd_add_option(link, arch) == CULD_OK &&
            culd_add_option(link, "--identify-as=nvlink") == CULD_OK &&
            culd_add_image(link, "a.cubin", a.at, a.size) == CULD_OK &&
            culd_add_image(link, "b.cubin", b.at, b.size) == CULD_OK && culd_run(link) == CULD_OK &&
            is_expected(link, worker->fixture))
            worker->good++;
        culd_destroy(link);
    }
    return NULL;
}

static void
test_links_in_two_threads(void **state)
{
    static const char *const targets[] = {"sm_80", "sm_90a"};
    struct fixture fixtures[2];
    struct worker workers[2];

    (void)state;
    for (int i = 0; i < 2; i++) {
        open_fixture(&fixtures[i], targets[i]);
        workers[i] = (struct worker){.fixture = &fixtures[i], .target = targets[i]};
        assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
        assert_int_equal(workers[i].good, ROUNDS);
        close_fixture(&fixtures[i]);
    }
}

/* Two links of one thread do not know of each other either. */
static void
test_interleaved_links(void **state)
{
    struct fixture fixture;
    struct log first = {0}, second = {0};

    (void)state;
    open_fixture(&fixture, "sm_80");
    culd_link *good = prepare(&fixture, "sm_80", &first);
    culd_link *bad = prepare(&fixture, "sm_80", &second);
    assert_int_equal(culd_add_image(bad, "again.cubin", fixture.a.bytes.at, fixture.a.bytes.size),
                     CULD_OK);
    assert_int_equal(culd_run(bad), CULD_FATAL);
    assert_int_equal(culd_run(good), CULD_OK);
    assert_true(is_expected(good, &fixture));
    assert_no_output(bad);
    assert_int_equal(first.count, 0);
    assert_true(second.count > 0);
    culd_destroy(bad);
    assert_true(is_expected(good, &fixture));
    culd_destroy(good);
    close_fixture(&fixture);
}

/* ---- Failures ---- */

struct attempt {
    struct link_state *memory;
    culd_link *link;
    struct log log;
};

static void
begin(struct attempt *attempt)
{
    *attempt = (struct attempt){.memory = link_state_open("sm_75", 0)};
    attempt->link = culd_create(keep, &attempt->log);
    assert_non_null(attempt->link);
    assert_int_equal(culd_add_option(attempt->link, "-arch=sm_75"), CULD_OK);
}

static void
add_image(struct attempt *attempt, const char *name, struct bytes image)
{
    assert_int_equal(culd_add_image(attempt->link, name, image.at, image.size), CULD_OK);
}

static void
end(struct attempt *attempt)
{
    culd_destroy(attempt->link);
    link_state_close(attempt->memory);
}

static struct bytes
kernel(struct attempt *attempt, const char *name, const char *callee)
{
    struct cubin *cubin = cubin_new(&attempt->memory->arena, 75);
    uint32_t k = cubin_function(
        cubin, &(struct cubin_function){name, STB_GLOBAL, .is_entry = true, .registers = 8});

    if (callee)
        cubin_call(cubin, k, cubin_reference(cubin, callee, STT_FUNC, STB_GLOBAL, 0, 0));
    return cubin_image(cubin);
}

/* What cannot go on: the errors found so far, then the fatal one. */
static void
test_fatal_error(void **state)
{
    struct attempt attempt;

    (void)state;
    begin(&attempt);
    add_image(&attempt, "a.cubin", kernel(&attempt, "k", NULL));
    add_image(&attempt, "b.cubin", kernel(&attempt, "k", NULL));
    assert_int_equal(culd_run(attempt.link), CULD_FATAL);
    assert_no_output(attempt.link);
    assert_int_equal(attempt.log.count, 2);
    assert_int_equal(attempt.log.severities[0], CULD_ERROR);
    assert_string_equal(attempt.log.texts[0],
                        "Multiple definition of 'k' in 'b.cubin', first defined in 'a.cubin'");
    assert_int_equal(attempt.log.severities[1], CULD_FATAL_ERROR);
    assert_string_equal(attempt.log.texts[1], "merge_elf failed");
    end(&attempt);
}

/* What can go on: all errors are reported. */
static void
test_errors(void **state)
{
    struct attempt attempt;

    (void)state;
    begin(&attempt);
    add_image(&attempt, "a.cubin", kernel(&attempt, "k1", "f"));
    add_image(&attempt, "b.cubin", kernel(&attempt, "k2", "g"));
    assert_int_equal(culd_run(attempt.link), CULD_ERRORS);
    assert_no_output(attempt.link);
    assert_int_equal(attempt.log.count, 2);
    assert_string_equal(attempt.log.texts[0], "Undefined reference to 'f' in 'a.cubin'");
    assert_string_equal(attempt.log.texts[1], "Undefined reference to 'g' in 'b.cubin'");
    assert_int_equal(attempt.log.severities[1], CULD_ERROR);
    end(&attempt);
}

/* A problem that shows only while the output is put together leaves none of it. */
static void
test_reference_to_a_deleted_symbol(void **state)
{
    struct attempt attempt;

    (void)state;
    begin(&attempt);
    struct cubin *cubin = cubin_new(&attempt.memory->arena, 75);
    uint32_t k = cubin_function(
        cubin, &(struct cubin_function){"k", STB_GLOBAL, .is_entry = true, .registers = 8});
    uint32_t variable = cubin_variable(cubin, "v", STB_GLOBAL, SPACE_ZERO, 0, 8);
    cubin->symbols.at[variable].st_other |= STV_INTERNAL; /* has no symbol in the output */
    cubin_relocation(cubin, cubin->symbols.at[k].st_shndx, 16, 56, variable, 0);
    add_image(&attempt, "a.cubin", cubin_image(cubin));
    assert_int_equal(culd_run(attempt.link), CULD_FATAL);
    assert_string_equal(attempt.log.texts[0],
                        "Internal error: reference to deleted symbol (in 'a.cubin', section "
                        "'.text.k', offset 0x10: relocation of type 56 against 'v')");
    assert_no_output(attempt.link);
    end(&attempt);
}

static void
test_failed_option(void **state)
{
    struct attempt attempt;

    (void)state;
    begin(&attempt);
    assert_int_equal(culd_add_option(attempt.link, "-bogus"), CULD_FATAL);
    assert_string_equal(attempt.log.texts[0], "Unknown option 'bogus'");
    assert_int_equal(culd_add_option(attempt.link, "-v"), CULD_FATAL);
    assert_int_equal(culd_add_image(attempt.link, "a", "", 0), CULD_FATAL);
    assert_int_equal(culd_run(attempt.link), CULD_FATAL);
    assert_no_output(attempt.link);
    assert_int_equal(attempt.log.count, 1); /* said once */
    end(&attempt);
}

static void
test_bad_images(void **state)
{
    struct attempt attempt;
    uint8_t header[sizeof(Elf64_Ehdr)];

    (void)state;
    begin(&attempt);
    add_image(&attempt, "a.cubin", (struct bytes){(const uint8_t *)"text", 4});
    assert_int_equal(culd_run(attempt.link), CULD_FATAL);
    assert_string_equal(attempt.log.texts[0], "cubin not an elf?");
    end(&attempt);

    begin(&attempt);
    struct bytes image = kernel(&attempt, "k", NULL);
    memcpy(header, image.at, sizeof header);
    add_image(&attempt, "a.cubin", (struct bytes){header, sizeof header});
    assert_int_equal(culd_run(attempt.link), CULD_FATAL);
    assert_no_output(attempt.link);
    assert_int_equal(attempt.log.severities[attempt.log.count - 1], CULD_FATAL_ERROR);
    assert_non_null(strstr(attempt.log.texts[attempt.log.count - 1], "'a.cubin' is damaged"));
    end(&attempt);
}

static void
test_nothing_to_link(void **state)
{
    struct attempt attempt;

    (void)state;
    begin(&attempt);
    assert_int_equal(culd_add_option(attempt.link, "-o"), CULD_OK);
    assert_int_equal(culd_add_option(attempt.link, "x.cubin"), CULD_OK);
    assert_int_equal(culd_run(attempt.link), CULD_FATAL);
    assert_string_equal(attempt.log.texts[0],
                        "No input files specified; use option --help for more information");
    assert_no_files(attempt.link);
    end(&attempt);
}

/* Without a callback a failure is as silent as a success. */
static void
test_without_a_callback(void **state)
{
    culd_link *link = culd_create(NULL, NULL);

    (void)state;
    assert_int_equal(culd_add_option(link, "-bogus"), CULD_FATAL);
    culd_destroy(link);
    culd_destroy(NULL);
}

/* ---- Files that were asked for ---- */

/* In the order in which they are to be written; a link that fails has no cubin among them. */
static void
test_files_of_a_link(void **state)
{
    struct attempt attempt;
    const struct culd_file *files;
    size_t size;

    (void)state;
    begin(&attempt);
    assert_int_equal(culd_add_option(attempt.link, "-o=/no/such/folder/a.cubin"), CULD_OK);
    assert_int_equal(culd_add_option(attempt.link, "--register-link-binaries=b.c"), CULD_OK);
    add_image(&attempt, "a.cubin", kernel(&attempt, "k", NULL));
    assert_int_equal(culd_run(attempt.link), CULD_OK);
    assert_int_equal(culd_files(attempt.link, &files), 2);
    assert_string_equal(files[0].path, "/no/such/folder/a.cubin");
    assert_ptr_equal(files[0].bytes, culd_output(attempt.link, &size));
    assert_int_equal(files[0].size, size);
    assert_string_equal(files[1].path, "b.c");
    assert_int_equal(culd_write_files(attempt.link), CULD_FATAL); /* stops at the first */
    assert_string_equal(attempt.log.texts[0],
                        "Could not open output file '/no/such/folder/a.cubin'");
    end(&attempt);

    begin(&attempt);
    assert_int_equal(culd_add_option(attempt.link, "-o=a.cubin"), CULD_OK);
    assert_int_equal(culd_add_option(attempt.link, "--register-link-binaries=b.c"), CULD_OK);
    add_image(&attempt, "a.cubin", kernel(&attempt, "k", "f"));
    assert_int_equal(culd_run(attempt.link), CULD_ERRORS);
    assert_int_equal(culd_files(attempt.link, &files), 1);
    assert_string_equal(files[0].path, "b.c");
    end(&attempt);
}

/* The caller's own name stands unless an option gives another, known once all are. */
static void
test_tool_name(void **state)
{
    culd_link *link = culd_create(NULL, NULL);

    (void)state;
    assert_int_equal(culd_add_option(link, "--tool-name=tool"), CULD_OK);
    assert_null(culd_tool_name(link));
    assert_int_equal(culd_run(link), CULD_FATAL);
    assert_string_equal(culd_tool_name(link), "tool");
    culd_destroy(link);
}

/* ---- Text that was asked for ---- */

static void
test_requested_text(void **state)
{
    culd_link *link = culd_create(NULL, NULL);

    (void)state;
    assert_int_equal(culd_add_option(link, "--version"), CULD_OK);
    assert_int_equal(culd_run(link), CULD_OK);
    assert_non_null(strstr(culd_requested_text(link), culd_version()));
    assert_no_output(link);
    culd_destroy(link);

    link = culd_create(NULL, NULL);
    assert_int_equal(culd_add_option(link, "-V"), CULD_OK);
    assert_int_equal(culd_add_option(link, "-h"), CULD_OK);
    assert_int_equal(culd_run(link), CULD_OK);
    assert_non_null(strstr(culd_requested_text(link), "Usage:")); /* the help wins */
    culd_destroy(link);
}

static void
test_verbose_and_callgraph_go_through_the_callback(void **state)
{
    struct attempt attempt;
    unsigned infos = 0, texts = 0;

    (void)state;
    begin(&attempt);
    assert_int_equal(culd_add_option(attempt.link, "-v"), CULD_OK);
    assert_int_equal(culd_add_option(attempt.link, "-dump-callgraph"), CULD_OK);
    add_image(&attempt, "a.cubin", kernel(&attempt, "k", NULL));
    assert_int_equal(culd_run(attempt.link), CULD_OK);
    for (unsigned i = 0; i < attempt.log.count; i++) {
        infos += attempt.log.severities[i] == CULD_INFO;
        texts += attempt.log.severities[i] == CULD_TEXT;
    }
    assert_int_equal(infos, 3); /* memory, the kernel's name, its resources */
    assert_true(texts > 0);
    assert_int_equal(infos + texts, attempt.log.count);
    end(&attempt);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_link_from_memory),
        cmocka_unit_test(test_inputs_need_no_alignment),
        cmocka_unit_test(test_links_in_two_threads),
        cmocka_unit_test(test_interleaved_links),
        cmocka_unit_test(test_fatal_error),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_reference_to_a_deleted_symbol),
        cmocka_unit_test(test_failed_option),
        cmocka_unit_test(test_bad_images),
        cmocka_unit_test(test_nothing_to_link),
        cmocka_unit_test(test_without_a_callback),
        cmocka_unit_test(test_host_objects_and_archives_in_memory),
        cmocka_unit_test(test_fatbin_in_memory),
        cmocka_unit_test(test_ptx_in_memory_needs_a_compiler),
        cmocka_unit_test(test_files_of_a_link),
        cmocka_unit_test(test_tool_name),
        cmocka_unit_test(test_requested_text),
        cmocka_unit_test(test_verbose_and_callgraph_go_through_the_callback),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
