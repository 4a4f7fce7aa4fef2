#include "options.h"

#include "base/file.h"

#include <stdio.h>
#include <stdlib.h>

enum option_kind {
    OPTION_FLAG,
    OPTION_VALUE,
    OPTION_BOOLEAN, /* true or false */
    OPTION_NUMBER,
    OPTION_LIST,
    OPTION_ARCH,
};

enum option_note {
    RECORD = 1,            /* goes into the record of the command line */
    RECORD_WITH_FILES = 2, /* only where file names do; the value as its last component */
    RECORD_NAME_ONLY = 4,  /* without its value */
    HIDDEN = 8,            /* not in the help; takes one dash or two */
    ATTACHED = 16,         /* the value may follow the name at once */
};

struct option {
    const char *long_name;
    const char *short_name;
    uint8_t kind;
    uint8_t notes;
    size_t field;
    size_t given;        /* of lists: the flag that says it was there, 0: none */
    const char *allowed; /* the values there are, with blanks between them; NULL: any */
    const char *value;   /* name of the value in the help */
    const char *help;
};

#define AT(member) offsetof(struct options, member)

/* In the order of the record. */
/* clang-format off */
static const struct option table[] = {
    {"suppress-stack-size-warning", "suppress-stack-size-warning", OPTION_FLAG, RECORD,
     AT(suppress_stack_warning), 0, NULL, NULL, "Do not warn about kernels that may recurse."},
    {"suppress-arch-warning", "suppress-arch-warning", OPTION_FLAG, RECORD,
     AT(suppress_arch_warning), 0, NULL, NULL, "Do not warn about inputs without code for the target."},
    {"output-file", "o", OPTION_VALUE, RECORD_WITH_FILES,
     AT(output), 0, NULL, "file", "Write the linked cubin to this file."},
    {"debug", "g", OPTION_FLAG, RECORD,
     AT(debug), 0, NULL, NULL, "Keep all code and the symbols of shared variables."},
    {"arch", "arch", OPTION_ARCH, RECORD,
     AT(arch), 0, NULL, "sm_NN", "Link for this architecture."},
    {"machine", "m", OPTION_NUMBER, RECORD | ATTACHED,
     AT(machine), 0, "64", "bits", "Pointer size; 64 is the only one."},
    {"library", "l", OPTION_LIST, RECORD | ATTACHED,
     AT(libraries), 0, NULL, "name,...", "Link lib<name>.a, found in the folders of --library-path."},
    {"library-path", "L", OPTION_LIST, RECORD | ATTACHED,
     AT(library_paths), 0, NULL, "folder,...", "Look for libraries in these folders."},
    {"register-link-binaries", "", OPTION_VALUE, RECORD_WITH_FILES,
     AT(register_file), 0, NULL, "file", "Write the registration calls of the linked objects to this file."},
    {"verbose", "v", OPTION_FLAG, RECORD,
     AT(verbose), 0, NULL, NULL, "Print the resources of every kernel."},
    {"preserve-relocs", "preserve-relocs", OPTION_FLAG, RECORD,
     AT(preserve_relocs), 0, NULL, NULL, "Keep a record of the relocations that were resolved."},
    {"disable-warnings", "w", OPTION_FLAG, RECORD,
     AT(disable_warnings), 0, NULL, NULL, "Accepted for compatibility; warnings stay."},
    {"warning-as-error", "Werror", OPTION_FLAG, RECORD,
     AT(warnings_are_errors), 0, NULL, NULL, "Treat warnings as errors."},
    {"disable-infos", "disable-infos", OPTION_FLAG, RECORD,
     AT(disable_infos), 0, NULL, NULL, "Print neither infos nor warnings."},
    {"keep-system-libraries", "keep-system-libraries", OPTION_FLAG, RECORD,
     AT(keep_system_libraries), 0, NULL, NULL, "Link libcudadevrt even if nothing needs it."},
    {"kernels-used", "kernels-used", OPTION_LIST, RECORD,
     AT(kernels_used), AT(kernels_used_given), NULL, "name,...", "Keep only kernels whose names contain one of these, and what they call."},
    {"variables-used", "variables-used", OPTION_LIST, RECORD,
     AT(variables_used), AT(variables_used_given), NULL, "name,...", "Names of the variables in use; without --kernels-used no kernel is kept."},
    {"cpu-arch", "cpu-arch", OPTION_VALUE, RECORD,
     AT(cpu_arch), 0, "AARCH64 ARMv7 PPC64LE X86 X86_64 unknown", "cpu", "Take only libraries for this host processor."},
    {"report-arch", "report-arch", OPTION_FLAG, RECORD,
     AT(report_arch), 0, NULL, NULL, "Name the target in every message."},
    {"time", "time", OPTION_VALUE, RECORD_WITH_FILES,
     AT(time_file), 0, NULL, "file", "Append a table of the time that compilations took; '-' is standard output."},
    {"extra-warnings", "extrawarn", OPTION_FLAG, RECORD,
     AT(extra_warnings), 0, NULL, NULL, "Accepted for compatibility."},
    {"link-time-opt", "lto", OPTION_FLAG, RECORD,
     AT(link_time_opt), 0, NULL, NULL, "Optimise at link time."},
    {"dlto", "dlto", OPTION_FLAG, RECORD,
     AT(dlto), 0, NULL, NULL, "The same as --link-time-opt."},
    {"nvvmpath", "nvvmpath", OPTION_VALUE, RECORD,
     AT(nvvm_path), 0, NULL, "folder", "Where lib64/libnvvm.so is, for --link-time-opt."},
    {"split-compile", "split-compile", OPTION_NUMBER, RECORD,
     AT(split_compile), 0, NULL, "count", "Threads of the optimiser, for --link-time-opt."},
    {"split-compile-extended", "split-compile-extended", OPTION_NUMBER, RECORD,
     AT(split_compile_extended), 0, NULL, "count", "Threads of optimiser and assembler, for --link-time-opt."},
    {"Ofast-compile", "Ofc", OPTION_VALUE, RECORD,
     AT(ofast_compile), 0, NULL, "0|min|mid|max", "Compile faster rather than better, for --link-time-opt."},
    {"suppress-debug-info", "suppress-debug-info", OPTION_FLAG, RECORD,
     AT(suppress_debug_info), 0, NULL, NULL, "With -g: leave out the symbols that -g adds."},
    {"Xptxas", "Xptxas", OPTION_LIST, RECORD,
     AT(xptxas), 0, NULL, "option,...", "Options for ptxas where it compiles."},
    {"Xnvvm", "Xnvvm", OPTION_LIST, RECORD,
     AT(xnvvm), 0, NULL, "option,...", "Options for libnvvm, for --link-time-opt."},
    {"maxrregcount", "maxrregcount", OPTION_NUMBER, RECORD,
     AT(max_registers), 0, NULL, "count", "Registers that ptxas may use where it compiles."},
    {"dump-callgraph", "dump-callgraph", OPTION_FLAG, RECORD,
     AT(dump_callgraph), 0, NULL, NULL, "Print the call graph."},
    {"dump-callgraph-no-demangle", "dump-callgraph-no-demangle", OPTION_FLAG, RECORD,
     AT(dump_callgraph_raw), 0, NULL, NULL, "Like --dump-callgraph."},
    {"use-host-info", "use-host-info", OPTION_FLAG, RECORD,
     AT(use_host_info), 0, NULL, NULL, "Let references of host code decide which kernels are used (the default)."},
    {"ignore-host-info", "ignore-host-info", OPTION_FLAG, RECORD,
     AT(ignore_host_info), 0, NULL, NULL, "Keep all kernels, whatever host code refers to."},
    {"relocatable-link", "r", OPTION_FLAG, RECORD,
     AT(relocatable), 0, NULL, NULL, "Write a relocatable cubin that can be linked again."},
    {"device-stack-protector", "device-stack-protector", OPTION_BOOLEAN, RECORD,
     AT(device_stack_protector), 0, NULL, "true|false", "Guard stacks against overflow, for --link-time-opt."},
    {"options-file", "optf", OPTION_LIST, RECORD_WITH_FILES | RECORD_NAME_ONLY,
     AT(options_files), 0, NULL, "file,...", "Read further options from these files."},
    {"emit-ptx", "emit-ptx", OPTION_FLAG, 0,
     AT(emit_ptx), 0, NULL, NULL, "Write PTX instead of a cubin, for --link-time-opt."},
    {"gen-host-linker-script", "ghls", OPTION_VALUE, 0,
     AT(gen_host_linker_script), 0, "lcs-abs lcs-aug", "kind", "Write a linker script for the host instead of linking."},
    {"uidx-file", "uidx", OPTION_VALUE, 0,
     AT(uidx_file), 0, NULL, "file", "Accepted for compatibility; no content of the file is understood."},
    {"dependency-file", "dependency-file", OPTION_VALUE, 0,
     AT(dependency_file), 0, NULL, "file", "Write the files that were read to this file, as a rule for make."},
    {"ptxas-path", "ptxas-path", OPTION_VALUE, 0,
     AT(ptxas_path), 0, NULL, "file", "Compile PTX inputs with this ptxas."},
    {"make-toolkit", "make-toolkit", OPTION_VALUE, 0,
     AT(make_toolkit), 0, NULL, "folder", "Make a CUDA toolkit whose nvlink is culd in this folder, instead of linking."},
    {"cuda", "cuda", OPTION_VALUE, 0,
     AT(cuda_path), 0, NULL, "folder", "The CUDA toolkit that --make-toolkit builds on."},
    {"identify-as", "identify-as", OPTION_VALUE, 0,
     AT(identify_as), 0, "nvlink", "tool", "Write the tool record that nvlink would write."},
    {"help", "h", OPTION_FLAG, 0,
     AT(help), 0, NULL, NULL, "Print this text."},
    {"version", "V", OPTION_FLAG, 0,
     AT(version), 0, NULL, NULL, "Print the version."},

    {"force-rela", "force-rela", OPTION_FLAG, HIDDEN, AT(force_rela), 0, NULL, NULL, NULL},
    {"allow-undefined-globals", "allow-undefined-globals", OPTION_FLAG, HIDDEN, AT(allow_undefined_globals), 0, NULL, NULL, NULL},
    {"disable-smem-reservation", "disable-smem-reservation", OPTION_BOOLEAN, HIDDEN, AT(disable_smem_reservation), 0, NULL, NULL, NULL},
    {"verbose-tkinfo", "verbose-tkinfo", OPTION_BOOLEAN, HIDDEN, AT(verbose_tkinfo), 0, NULL, NULL, NULL},
    {"tool-name", "tool-name", OPTION_VALUE, HIDDEN, AT(tool_name), 0, NULL, NULL, NULL},
    {"host-ccbin", "host-ccbin", OPTION_VALUE, HIDDEN, AT(host_ccbin), 0, NULL, NULL, NULL},
    {"cuda-api-version", "cuda-api-version", OPTION_VALUE, HIDDEN, AT(cuda_api_version), 0, NULL, NULL, NULL},
    {"shared", "shared", OPTION_FLAG, HIDDEN, AT(ignored_flag), 0, NULL, NULL, NULL},
    {"reserve-null-pointer", "reserve-null-pointer", OPTION_FLAG, HIDDEN, AT(ignored_flag), 0, NULL, NULL, NULL},
    {"syscall-const-offset", "syscall-const-offset", OPTION_NUMBER, HIDDEN, AT(ignored_value), 0, NULL, NULL, NULL},
};
/* clang-format on */

enum { OPTION_COUNT = sizeof table / sizeof *table, MAX_OPTIONS_FILES = 100 };

#define FIELD(options, type, offset) ((type *)((char *)(options) + (offset)))
#define CONST_FIELD(options, type, offset) ((const type *)((const char *)(options) + (offset)))

/* ---- Parsing ---- */

static bool
names_equal(const char *name, const char *word, size_t length)
{
    return length && strlen(name) == length && !strncmp(name, word, length);
}

/* `word` without its dashes. */
static const struct option *
find_option(const char *word, size_t length, bool two_dashes)
{
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = &table[i];
        bool long_form = two_dashes || option->notes & HIDDEN;
        bool short_form = !two_dashes || option->notes & HIDDEN;

        if ((long_form && names_equal(option->long_name, word, length)) ||
            (short_form && names_equal(option->short_name, word, length)))
            return option;
    }
    return NULL;
}

static const struct option *
find_attached(const char *word)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (table[i].notes & ATTACHED &&
            !strncmp(table[i].short_name, word, strlen(table[i].short_name)))
            return &table[i];
    return NULL;
}

static void
check_number(struct option_parser *parser, const char *value)
{
    char *end;

    strtoll(value, &end, 0);
    if (*end)
        diag_fatal(parser->diag, "'%s': expected a number", value);
}

/* Is the value one of the words of `allowed`? */
static bool
is_allowed_value(const char *allowed, const char *value)
{
    size_t length = strlen(value);

    for (const char *at = allowed;; at++) {
        size_t size = strcspn(at, " ");
        if (size == length && !strncmp(at, value, length))
            return true;
        at += size;
        if (!*at)
            return false;
    }
}

static void
check_value(struct option_parser *parser, const struct option *option, const char *value)
{
    struct arch arch;
    bool is_allowed = !option->allowed || is_allowed_value(option->allowed, value);

    if (option->kind == OPTION_NUMBER) {
        check_number(parser, value);
        is_allowed =
            !option->allowed || strtoll(option->allowed, NULL, 10) == strtoll(value, NULL, 0);
    }
    if (option->kind == OPTION_BOOLEAN && strcmp(value, "true") && strcmp(value, "false"))
        diag_fatal(parser->diag, "'%s': expected true or false", value);
    if (option->kind == OPTION_ARCH)
        is_allowed = arch_parse(value, &arch) != ARCH_UNKNOWN;
    if (!is_allowed)
        diag_fatal(parser->diag, "Value '%s' is not defined for option '%s'", value,
                   option->long_name);
}

static void read_options_file(struct option_parser *parser, const char *path);

/* Blanks around an item are not part of it, quotes nowhere; an empty one does not count. */
static void
add_item(struct option_parser *parser, const struct option *option, const char *from, size_t size)
{
    string_list *list = FIELD(parser->options, string_list, option->field);

    while (size && from[0] == ' ')
        from++, size--;
    while (size && from[size - 1] == ' ')
        size--;
    char *item = arena_text(parser->arena, from, size), *to = item;
    for (char *at = item; *at; at++)
        if (*at != '"')
            *to++ = *at;
    *to = '\0';
    if (!*item)
        return;
    array_push(list, parser->arena, item);
    if (option->field == AT(options_files))
        read_options_file(parser, item);
}

/* Items are separated by commas outside double quotes. */
static void
add_items(struct option_parser *parser, const struct option *option, const char *value)
{
    bool quoted = false;
    const char *from = value;

    if (option->given)
        *FIELD(parser->options, bool, option->given) = true;
    for (const char *at = value; *at; at++)
        quoted ^= *at == '"';
    if (quoted)
        diag_fatal(parser->diag, "Stray '\"' character");
    for (const char *at = value;; at++) {
        quoted ^= *at == '"';
        if (*at && (*at != ',' || quoted))
            continue;
        add_item(parser, option, from, (size_t)(at - from));
        if (!*at)
            return;
        from = at + 1;
    }
}

static bool
same_value(const struct option *option, const char *a, const char *b)
{
    if (option->kind == OPTION_NUMBER)
        return strtoll(a, NULL, 0) == strtoll(b, NULL, 0);
    return !strcmp(a, b);
}

static void
set_value(struct option_parser *parser, const struct option *option, const char *value)
{
    check_value(parser, option, value);
    if (option->kind == OPTION_LIST) {
        add_items(parser, option, value);
        return;
    }
    const char **field = FIELD(parser->options, const char *, option->field);
    if (*field && !same_value(option, *field, value) && option->field != AT(ignored_value))
        parser->diag->sink(parser->diag->user, SEVERITY_WARNING,
                           arena_format(parser->arena,
                                        "incompatible redefinition for option '%s', the last "
                                        "value of this option was used",
                                        option->long_name));
    *field = arena_text(parser->arena, value, strlen(value));
}

static void
take_option(struct option_parser *parser, const char *word)
{
    bool two_dashes = word[1] == '-';
    const char *name = word + (two_dashes ? 2 : 1);
    size_t length = strcspn(name, "=");
    const char *value = name[length] == '=' ? name + length + 1 : NULL;
    const struct option *option = find_option(name, length, two_dashes);

    if (!option && !two_dashes && (option = find_attached(name)))
        value = name + strlen(option->short_name);
    if (!option)
        diag_fatal(parser->diag, "Unknown option '%.*s'", (int)(length + (two_dashes ? 1 : 0)),
                   word + 1);
    if (option->kind == OPTION_FLAG) {
        if (value)
            diag_fatal(parser->diag, "no argument expected after '%.*s'",
                       (int)(name + length - word), word);
        *FIELD(parser->options, bool, option->field) = true;
    } else if (value) {
        set_value(parser, option, value);
    } else {
        parser->waiting = option;
        parser->waiting_spelling = arena_text(parser->arena, word, strlen(word));
    }
}

/*
 * "@name" is another way to name an options file. nvlink knows no such thing, so that a file of
 * this very name is an input, as it is where there is no options file to read.
 */
static bool
take_at_file(struct option_parser *parser, const char *word)
{
    if (word[0] != '@' || file_exists(word) || !file_exists(word + 1))
        return false;
    read_options_file(parser, arena_text(parser->arena, word + 1, strlen(word + 1)));
    return true;
}

void
options_add_word(struct option_parser *parser, const char *word)
{
    const struct option *waiting = parser->waiting;

    parser->waiting = NULL;
    if (waiting)
        set_value(parser, waiting, word);
    else if (word[0] == '-' && word[1])
        take_option(parser, word);
    else if (!take_at_file(parser, word))
        array_push(&parser->options->inputs, parser->arena,
                   arena_text(parser->arena, word, strlen(word)));
}

void
options_end(struct option_parser *parser)
{
    if (parser->waiting)
        diag_fatal(parser->diag, "argument expected after '%s'", parser->waiting_spelling);
}

/* The text of a file and its size; NULL if it cannot be read. */
static const char *
read_text(struct option_parser *parser, const char *path, size_t *size)
{
    struct input_file file;

    if (!file_read(path, &file))
        return NULL;
    *size = file.bytes.size;
    const char *text = arena_text(parser->arena, (const char *)file.bytes.at, *size);
    file_release(&file);
    return text;
}

/* Words are separated by blanks; double quotes group, a backslash takes the next character. */
static const char *
next_word(const char *at, const char *end, char *word)
{
    bool quoted = false;

    while (at < end && strchr(" \t\r\n", *at) && *at)
        at++;
    if (at == end)
        return NULL;
    for (; at < end && (quoted || !strchr(" \t\r\n", *at) || !*at); at++) {
        if (*at == '"')
            quoted = !quoted;
        else if (*at == '\\' && at + 1 < end)
            *word++ = *++at;
        else
            *word++ = *at;
    }
    *word = '\0';
    return at;
}

static void
take_words(struct option_parser *parser, const char *text, size_t size)
{
    char *word = arena_alloc(parser->arena, size + 1);

    for (const char *at = text; (at = next_word(at, text + size, word));)
        options_add_word(parser, word);
}

static void
read_options_file(struct option_parser *parser, const char *path)
{
    size_t size;
    const char *text = read_text(parser, path, &size);

    if (++parser->depth > MAX_OPTIONS_FILES)
        diag_fatal(parser->diag, "Too many options files, last '%s'", path);
    if (!text)
        diag_fatal(parser->diag, "Could not open options file '%s'", path);
    take_words(parser, text, size);
}

/* ---- The record ---- */

static const char *
last_component(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static const char *
join(struct arena *arena, const string_list *list, bool components)
{
    size_t size = 1;

    for (uint32_t i = 0; i < list->count; i++)
        size += strlen(list->at[i]) + 1;
    char *text = arena_alloc(arena, size), *to = text;
    for (uint32_t i = 0; i < list->count; i++) {
        const char *item = components ? last_component(list->at[i]) : list->at[i];
        size_t length = strlen(item);

        if (i)
            *to++ = ',';
        memcpy(to, item, length);
        to += length;
    }
    *to = '\0';
    return text;
}

/* NULL if the option was not given, "" for a flag. */
static const char *
recorded_value(struct arena *arena, const struct options *options, const struct option *option)
{
    if (option->kind == OPTION_FLAG)
        return *CONST_FIELD(options, bool, option->field) ? "" : NULL;
    if (option->kind == OPTION_LIST) {
        const string_list *list = CONST_FIELD(options, string_list, option->field);
        bool given = option->given ? *CONST_FIELD(options, bool, option->given) : list->count > 0;
        if (!given)
            return NULL;
        return option->notes & RECORD_NAME_ONLY ? "" : join(arena, list, false);
    }
    const char *value = *CONST_FIELD(options, char *, option->field);
    if (value && option->kind == OPTION_NUMBER)
        return arena_format(arena, "%lld", strtoll(value, NULL, 0));
    return value && option->notes & RECORD_WITH_FILES ? last_component(value) : value;
}

const char *
options_record(struct arena *arena, const struct options *options, bool with_files)
{
    const char *record = "";

    if (with_files && options->inputs.count)
        record = arena_format(arena, "%s ", join(arena, &options->inputs, true));
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = &table[i];
        bool counts = option->notes & RECORD || (with_files && option->notes & RECORD_WITH_FILES);
        const char *value = counts ? recorded_value(arena, options, option) : NULL;

        if (value)
            record = arena_format(arena, "%s-%s %s ", record, option->short_name, value);
    }
    return record;
}

/* ---- The help ---- */

const char *
options_help(struct arena *arena)
{
    const char *text = "Usage: culd [options] <cubins>\n\n"
                       "Links relocatable CUDA device code into one executable cubin.\n\n"
                       "Options:\n";

    for (size_t i = 0; i < OPTION_COUNT; i++) {
        const struct option *option = &table[i];

        if (option->notes & HIDDEN)
            continue;
        text = arena_format(arena, "%s  --%s%s%s%s%s%s\n      %s\n", text, option->long_name,
                            option->value ? " <" : "", option->value ? option->value : "",
                            option->value ? ">" : "", *option->short_name ? ", -" : "",
                            option->short_name, option->help);
    }
    return text;
}
