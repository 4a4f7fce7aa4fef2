/*
 * test_options.c: the rules of the command line, as nvlink has them, and the record of it.
 */
#include "link_state.h"

#include "options/options.h"

#include <unistd.h>

#include "link_state.c"

struct command_line {
    struct link_state *link;
    struct options options;
    struct option_parser parser;
};

static void
open_line(struct command_line *line)
{
    *line = (struct command_line){.link = link_state_open("sm_75", 0)};
    line->parser.options = &line->options;
    line->parser.arena = &line->link->arena;
    line->parser.diag = &line->link->diag;
}

static void
close_line(struct command_line *line)
{
    link_state_close(line->link);
}

static void
take(struct command_line *line, const char *const *words)
{
    for (; *words; words++)
        options_add_word(&line->parser, *words);
    options_end(&line->parser);
}

#define TAKE(line, ...) take(line, (const char *const[]){__VA_ARGS__, NULL})

/* The line must end in this fatal error. */
static void
assert_refused(const char *expected, const char *const *words)
{
    struct command_line line;

    open_line(&line);
    EXPECT_FATAL(line.link, expected, take(&line, words));
    close_line(&line);
}

#define REFUSED(expected, ...) assert_refused(expected, (const char *const[]){__VA_ARGS__, NULL})

static void
assert_items(const string_list *list, size_t count, const char *const *items)
{
    assert_int_equal(list->count, count);
    for (size_t i = 0; i < count; i++)
        assert_string_equal(list->at[i], items[i]);
}

#define ASSERT_ITEMS(list, ...)                                                                    \
    assert_items(list, COUNT_OF(((const char *const[]){__VA_ARGS__})),                             \
                 (const char *const[]){__VA_ARGS__})

/* Long names take two dashes, short ones one. */
static void
test_dashes(void **state)
{
    struct command_line line;

    (void)state;
    open_line(&line);
    TAKE(&line, "--verbose", "-g", "--arch=sm_90", "-arch=sm_90", "-force-rela",
         "--allow-undefined-globals", "-Werror");
    assert_true(line.options.verbose && line.options.debug && line.options.force_rela);
    assert_true(line.options.allow_undefined_globals && line.options.warnings_are_errors);
    assert_string_equal(line.options.arch, "sm_90");
    assert_int_equal(line.link->message_count, 0);
    close_line(&line);

    REFUSED("Unknown option 'verbose'", "-verbose");
    REFUSED("Unknown option '-v'", "--v");
    REFUSED("Unknown option '-w'", "--w");
    REFUSED("Unknown option 'output-file'", "-output-file", "x");
    REFUSED("Unknown option '-o'", "--o", "x");
}

static void
test_unknown_options(void **state)
{
    (void)state;
    REFUSED("Unknown option 'bogus'", "-bogus");
    REFUSED("Unknown option '-bogus'", "--bogus=3");
    REFUSED("Unknown option 'bogus'", "-bogus=3");
    REFUSED("Unknown option '--bogus'", "---bogus");
    REFUSED("Unknown option '-'", "--");
    REFUSED("Unknown option ''", "-=3");
    REFUSED("Unknown option 'vg'", "-vg");
    REFUSED("Unknown option 'verb'", "-verb");
    REFUSED("Unknown option '-verb'", "--verb");
    REFUSED("Unknown option 'ofile'", "-ofile");
    REFUSED("Unknown option 'no-opt'", "-no-opt");
    REFUSED("Unknown option 'x'", "-arch=sm_90", "a.cubin", "-x", "-y");
}

/* After '=', or as the next word whatever that looks like; attached only for -m. */
static void
test_values(void **state)
{
    struct command_line line;

    (void)state;
    open_line(&line);
    TAKE(&line, "-o", "-v", "--arch", "sm_80", "-m64", "-tool-name=a=b", "-m=64");
    assert_string_equal(line.options.output, "-v");
    assert_false(line.options.verbose);
    assert_string_equal(line.options.arch, "sm_80");
    assert_string_equal(line.options.machine, "64");
    assert_string_equal(line.options.tool_name, "a=b");
    close_line(&line);

    open_line(&line);
    TAKE(&line, "-o=", "-tool-name", "");
    assert_string_equal(line.options.output, "");
    assert_string_equal(line.options.tool_name, "");
    close_line(&line);
}

static void
test_missing_values(void **state)
{
    (void)state;
    REFUSED("argument expected after '-arch'", "-v", "-arch");
    REFUSED("argument expected after '--arch'", "--arch");
    REFUSED("argument expected after '-m'", "-m");
    REFUSED("argument expected after '-kernels-used'", "-kernels-used");
    REFUSED("argument expected after '--options-file'", "--options-file");
    REFUSED("argument expected after '--verbose-tkinfo'", "--verbose-tkinfo");
    REFUSED("no argument expected after '-v'", "-v=1");
    REFUSED("no argument expected after '--verbose'", "--verbose=");
    REFUSED("no argument expected after '-force-rela'", "-force-rela=true");
}

static void
test_values_are_checked(void **state)
{
    (void)state;
    REFUSED("'64x': expected a number", "-m64x");
    REFUSED("'achine': expected a number", "-machine");
    REFUSED("'b.cubin': expected a number", "-m", "b.cubin");
    REFUSED("Value '32' is not defined for option 'machine'", "-m32");
    REFUSED("Value '' is not defined for option 'machine'", "-m=");
    REFUSED("Value 'SM_75' is not defined for option 'arch'", "-arch=SM_75");
    REFUSED("Value 'sm_91' is not defined for option 'arch'", "--arch", "sm_91");
    REFUSED("Value '' is not defined for option 'arch'", "-arch=");
    REFUSED("'maybe': expected true or false", "--verbose-tkinfo=maybe");
    REFUSED("'': expected true or false", "--verbose-tkinfo=");
    REFUSED("'1': expected true or false", "-disable-smem-reservation", "1");
    REFUSED("'zz': expected a number", "-syscall-const-offset=zz");
    REFUSED("Value 'ld' is not defined for option 'identify-as'", "--identify-as=ld");
}

/* Each value is checked when it is met. */
static void
test_left_to_right(void **state)
{
    (void)state;
    REFUSED("Value 'foo' is not defined for option 'arch'", "-arch=foo", "-bogus");
    REFUSED("Unknown option 'bogus'", "-bogus", "-arch=foo");
    REFUSED("'x': expected a number", "-m", "x", "-arch");
}

static void
test_architectures(void **state)
{
    static const char *const good[] = {
        "sm_75",   "sm_80",   "sm_86",   "sm_87",      "sm_88",   "sm_89",   "sm_90",
        "sm_90a",  "sm_100",  "sm_100a", "sm_100f",    "sm_103",  "sm_103a", "sm_103f",
        "sm_110",  "sm_110a", "sm_110f", "sm_120",     "sm_120a", "sm_120f", "sm_121",
        "sm_121a", "sm_121f", "lto_90a", "compute_75",
    };
    static const char *const bad[] = {"sm_",     "sm_70",    "sm_75a", "sm_90f",
                                      "sm_90ab", "sm_090",   "sm_+75", "sm_ 75",
                                      "75",      "compute_", "sm75",   "sm_1000"};

    (void)state;
    for (size_t i = 0; i < COUNT_OF(good); i++) {
        struct command_line line;
        open_line(&line);
        TAKE(&line, "-arch", good[i]);
        assert_string_equal(line.options.arch, good[i]);
        close_line(&line);
    }
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        char expected[80];
        snprintf(expected, sizeof expected, "Value '%s' is not defined for option 'arch'", bad[i]);
        REFUSED(expected, "-arch", bad[i]);
    }
}

/* As C writes them, in 32 bits; nothing at all is zero. */
static void
test_numbers(void **state)
{
    struct command_line line;

    (void)state;
    open_line(&line);
    TAKE(&line, "-maxrregcount=0x20", "-split-compile=", "-split-compile-extended", "-010");
    assert_string_equal(options_record(&line.link->arena, &line.options, false),
                        "-split-compile 0 -split-compile-extended -8 -maxrregcount 32 ");
    close_line(&line);
    REFUSED("'08': expected a number", "-maxrregcount", "08");
    REFUSED("32-bit integer value (0x80000000) out of range", "-maxrregcount=0x80000000");
    REFUSED("32-bit integer value (99999999999999999999) out of range",
            "-maxrregcount=99999999999999999999");
}

/* Before another option or at the end. */
static void
test_values_that_may_be_missing(void **state)
{
    struct command_line line;

    (void)state;
    open_line(&line);
    TAKE(&line, "-ghls", "-v", "-Ofc");
    assert_string_equal(line.options.gen_host_linker_script, "lcs-abs");
    assert_string_equal(line.options.ofast_compile, "0");
    assert_true(line.options.verbose);
    TAKE(&line, "-Ofc", "-");
    assert_string_equal(line.options.ofast_compile, "-");
    close_line(&line);
    REFUSED("Value 'a.cubin' is not defined for option 'gen-host-linker-script'", "-ghls",
            "a.cubin");
}

/* One warning for every change; no option silences it or makes it an error. */
static void
test_redefinition(void **state)
{
    struct command_line line;

    (void)state;
    open_line(&line);
    line.link->diag.warnings_are_errors = true;
    line.link->diag.quiet = true;
    TAKE(&line, "-o", "a", "-o=b", "-v", "-v", "--output-file", "b", "-o", "c");
    assert_string_equal(line.options.output, "c");
    assert_int_equal(line.link->message_count, 2);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(line.link->messages[i].severity, SEVERITY_WARNING);
        assert_string_equal(line.link->messages[i].text,
                            "incompatible redefinition for option 'output-file', the last value "
                            "of this option was used");
    }
    assert_int_equal(line.link->diag.errors, 0);
    close_line(&line);
}

static void
test_lists(void **state)
{
    struct command_line line;

    (void)state;
    open_line(&line);
    TAKE(&line, "-kernels-used", "a,b", "--kernels-used=,c,,", "-kernels-used", " d , e f ");
    ASSERT_ITEMS(&line.options.kernels_used, "a", "b", "c", "d", "e f");
    TAKE(&line, "-variables-used=\"x,y\",k\"1\",a\\,z");
    ASSERT_ITEMS(&line.options.variables_used, "x,y", "k1", "a\\", "z");
    TAKE(&line, "-lm", "-l", "\t\" a \"\t,\"b\\\"c\"", "-l\\\"d\"");
    ASSERT_ITEMS(&line.options.libraries, "m", "a", "b\\\"c", "\\d");
    close_line(&line);

    open_line(&line);
    TAKE(&line, "-kernels-used=");
    assert_int_equal(line.options.kernels_used.count, 0);
    assert_non_null(line.options.kernels_used.at);
    assert_null(line.options.variables_used.at);
    close_line(&line);
    REFUSED("Stray '\"' character", "-kernels-used=\"a");
    REFUSED("Stray '\"' character", "-kernels-used", "a,b\"c\"\"");
    REFUSED("Stray '\"' character", "-kernels-used", "\"\\\\\"");
}

static void
test_inputs_are_what_has_no_dash(void **state)
{
    struct command_line line;

    (void)state;
    open_line(&line);
    TAKE(&line, "a.cubin", "-g", "-", "", "dir/b.cubin");
    ASSERT_ITEMS(&line.options.inputs, "a.cubin", "-", "", "dir/b.cubin");
    close_line(&line);
}

/* ---- Options files ---- */

static char folder[] = "/tmp/culd-test-options-XXXXXX";

static const char *
write_file(struct command_line *line, const char *name, const char *text)
{
    const char *path = arena_format(&line->link->arena, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
    return path;
}

static void
test_options_files(void **state)
{
    struct command_line line;

    (void)state;
    open_line(&line);
    const char *inner = write_file(&line, "inner", "--arch\nsm_80");
    const char *outer = write_file(
        &line, "outer",
        arena_format(&line.link->arena,
                     "a.cubin\t\"b c.cubin\" d\\ e.cubin 'f\n\n-o \"x\"y -optf %s # -v", inner));
    write_file(&line, "empty", "");
    TAKE(&line, "first.cubin", "-optf", outer, "last.cubin", "-optf",
         arena_format(&line.link->arena, "%s/empty", folder));
    ASSERT_ITEMS(&line.options.inputs, "first.cubin", "a.cubin", "b c.cubin", "d e.cubin", "'f",
                 "#", "last.cubin");
    assert_string_equal(line.options.output, "xy");
    assert_string_equal(line.options.arch, "sm_80");
    assert_true(line.options.verbose); /* there are no comments */
    close_line(&line);
    REFUSED("Could not open options file 'no/such/file'", "-optf", "no/such/file");
}

/* A quote goes whether or not it groups; after a backslash that is itself escaped it stays. */
static void
test_quotes_of_options_files(void **state)
{
    static const struct {
        const char *text, *value;
    } words[] = {
        {"a\\\"b", "ab"},
        {"\"a\\\"b\"", "ab"},
        {"\\\"a", "a"},
        {"\"a b\"c", "a bc"},
        {"\\\\\"a b\\\\\"", "\\\"a b\\\""},
        {"a\\nb", "anb"},
        {"\"\"", ""},
        {"a\\\nb", "a\nb"},
        {"\"a\\\\\\\"b\"", "a\\\"b"},
    };

    (void)state;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        struct command_line line;
        open_line(&line);
        const char *path = write_file(
            &line, "quotes", arena_format(&line.link->arena, "-nvvmpath %s", words[i].text));
        TAKE(&line, "-optf", path);
        assert_string_equal(line.options.nvvm_path, words[i].value);
        close_line(&line);
    }
}

static void
assert_file_refused(const char *text, const char *expected)
{
    struct command_line line;

    open_line(&line);
    const char *path = write_file(&line, "refused", text);
    EXPECT_FATAL(line.link, expected, TAKE(&line, "-optf", path, "sm_80"));
    close_line(&line);
}

static void
test_refused_options_files(void **state)
{
    (void)state;
    assert_file_refused("-o \"a", "Stray '\"' character");
    assert_file_refused("-o a\\", "Stray '' character");
    assert_file_refused("-arch", "argument expected after '-arch'");
}

/* "@file" stands for an options file unless there is a file of this very name. */
static void
test_at_files(void **state)
{
    struct command_line line;
    char earlier[256];

    (void)state;
    open_line(&line);
    const char *path = write_file(&line, "at", "-arch=sm_80");
    TAKE(&line, arena_format(&line.link->arena, "@%s", path), "@no/such/file", "@");
    assert_string_equal(line.options.arch, "sm_80");
    ASSERT_ITEMS(&line.options.inputs, "@no/such/file", "@");

    assert_non_null(getcwd(earlier, sizeof earlier));
    assert_int_equal(chdir(folder), 0);
    write_file(&line, "@at", "");
    TAKE(&line, "@at");
    assert_int_equal(chdir(earlier), 0);
    ASSERT_ITEMS(&line.options.inputs, "@no/such/file", "@", "@at");
    close_line(&line);
}

/* A file that names itself ends in a message. */
static void
test_options_files_end(void **state)
{
    struct command_line line;

    (void)state;
    open_line(&line);
    const char *path = arena_format(&line.link->arena, "%s/loop", folder);
    write_file(&line, "loop", arena_format(&line.link->arena, "-optf %s", path));
    const char *expected =
        arena_format(&line.link->arena, "Too many options file opened '%s'", path);
    EXPECT_FATAL(line.link, expected, TAKE(&line, "-optf", path));
    close_line(&line);
}

static int
make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int
remove_folder(void **state)
{
    static const char *const names[] = {"inner",   "outer", "empty", "quotes",
                                        "refused", "at",    "@at",   "loop"};
    char path[64];

    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    return rmdir(folder);
}

/* ---- The record ---- */

/* In nvlink's order whatever the order given: flags with two blanks, values with one. */
static void
test_record(void **state)
{
    struct command_line line;

    (void)state;
    open_line(&line);
    TAKE(&line, "-r", "-dump-callgraph", "-kernels-used", "b,a", "x/a.cubin", "-Werror", "-w",
         "-disable-infos", "-v", "-m64", "-report-arch", "-arch=sm_90a", "b.cubin", "-o",
         "out/c.cubin", "-suppress-stack-size-warning", "-variables-used=v", "-preserve-relocs",
         "-force-rela", "--identify-as=nvlink", "-ignore-host-info", "-extrawarn");
    assert_string_equal(
        options_record(&line.link->arena, &line.options, false),
        "-suppress-stack-size-warning  -arch sm_90a -m 64 -v  -preserve-relocs  -w  -Werror  "
        "-disable-infos  -kernels-used b,a -variables-used v -report-arch  -extrawarn  "
        "-dump-callgraph  -ignore-host-info  -r  ");
    close_line(&line);
}

/* With -g the files too, without their folders. */
static void
test_record_with_files(void **state)
{
    struct command_line line;

    (void)state;
    open_line(&line);
    TAKE(&line, "-g", "-arch=sm_75", "x/a.cubin", "b.cubin", "-o", "out/c.cubin");
    assert_string_equal(options_record(&line.link->arena, &line.options, true),
                        "a.cubin,b.cubin -o c.cubin -g  -arch sm_75 ");
    assert_string_equal(options_record(&line.link->arena, &line.options, false),
                        "-g  -arch sm_75 ");
    close_line(&line);
}

static void
test_record_of_an_empty_list(void **state)
{
    struct command_line line;

    (void)state;
    open_line(&line);
    assert_string_equal(options_record(&line.link->arena, &line.options, true), "");
    TAKE(&line, "-kernels-used=,", "-arch=sm_75");
    assert_string_equal(options_record(&line.link->arena, &line.options, false),
                        "-arch sm_75 -kernels-used  ");
    close_line(&line);
}

/* Every option that is not hidden has its line. */
static void
test_help(void **state)
{
    struct command_line line;

    (void)state;
    open_line(&line);
    const char *help = options_help(&line.link->arena, "culd");
    assert_non_null(strstr(help, "--arch <target>, -arch\n"));
    assert_non_null(strstr(help, "--register-link-binaries <file>\n"));
    assert_non_null(strstr(help, "--verbose, -v\n"));
    assert_non_null(strstr(help, "--identify-as"));
    assert_null(strstr(help, "force-rela"));
    close_line(&line);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dashes),
        cmocka_unit_test(test_unknown_options),
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_missing_values),
        cmocka_unit_test(test_values_are_checked),
        cmocka_unit_test(test_left_to_right),
        cmocka_unit_test(test_architectures),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_values_that_may_be_missing),
        cmocka_unit_test(test_redefinition),
        cmocka_unit_test(test_lists),
        cmocka_unit_test(test_inputs_are_what_has_no_dash),
        cmocka_unit_test(test_options_files),
        cmocka_unit_test(test_quotes_of_options_files),
        cmocka_unit_test(test_refused_options_files),
        cmocka_unit_test(test_at_files),
        cmocka_unit_test(test_options_files_end),
        cmocka_unit_test(test_record),
        cmocka_unit_test(test_record_with_files),
        cmocka_unit_test(test_record_of_an_empty_list),
        cmocka_unit_test(test_help),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
