#include "driver/host_script.h"

#include "base/process.h"
#include "base/text.h"

static const char device_sections[] = "SECTIONS\n"
                                      "{\n"
                                      "\t.nvFatBinSegment : { *(.nvFatBinSegment) }\n"
                                      "\t__nv_relfatbin : { *(__nv_relfatbin) } \n"
                                      "\t.nv_fatbin : { *(.nv_fatbin) }\n"
                                      "}\n";

/* ---- What the host compiler tells its linker ---- */

/* Options that decide which script the linker takes, and whether a word follows them. */
static const struct {
    const char *name;
    bool has_value;
} script_options[] = {
    {"-m", true}, {"-z", true}, {"-pie", false}, {"-shared", false}, {"-r", false},
};

static const char *
next_word(struct arena *arena, const char **at, const char *end)
{
    while (*at < end && **at == ' ')
        ++*at;
    const char *from = *at;
    while (*at < end && **at != ' ')
        ++*at;
    size_t size = (size_t)(*at - from);
    if (size >= 2 && from[0] == '"' && from[size - 1] == '"')
        return arena_text(arena, from + 1, size - 2);
    return size ? arena_text(arena, from, size) : NULL;
}

static void
add_script_options(struct arena *arena, const char *line, const char *end, string_list *arguments)
{
    const char *word;

    while ((word = next_word(arena, &line, end))) {
        for (size_t i = 0; i < COUNT_OF(script_options); i++) {
            if (strcmp(script_options[i].name, word) != 0)
                continue;
            const char *value = script_options[i].has_value ? next_word(arena, &line, end) : NULL;
            if (script_options[i].has_value && !value)
                return;
            array_push(arguments, arena, word);
            if (value)
                array_push(arguments, arena, value);
            break;
        }
    }
}

/* The text a program printed, in the arena; NULL if it failed. */
static const char *
output_of(struct arena *arena, const char *const *arguments, bool with_errors)
{
    struct input_file output;

    if (!process_output(arguments, with_errors, &output))
        return NULL;
    const char *text = arena_text(arena, (const char *)output.bytes.at, output.bytes.size);
    file_release(&output);
    return text;
}

/* gcc shows the command it would link with, "collect2 ...". Others link with the plain script. */
static void
ask_compiler(struct arena *arena, const char *compiler, string_list *arguments)
{
    const char *text =
        output_of(arena, (const char *const[]){compiler, "-###", "/dev/null", "-m64", NULL}, true);

    for (const char *line = text; line && *line;) {
        const char *end = line + strcspn(line, "\n");
        const char *name = strstr(line, "collect2");
        if (name && name < end)
            add_script_options(arena, line, end, arguments);
        line = *end ? end + 1 : end;
    }
}

/* ---- What the host linker says ---- */

static bool
is_line_of(const char *text, const char *line, size_t length)
{
    for (const char *at = text; *at;) {
        size_t size = strcspn(at, "\n");
        if (size == length && !memcmp(at, line, length))
            return true;
        at += size + (at[size] == '\n');
    }
    return false;
}

/* The linker prints its version, two lines of introduction, the script and a closing line. */
static const char *
extract_script(struct arena *arena, const char *printed, const char *version)
{
    ARRAY(struct bytes) lines = {0};
    struct text script = {.arena = arena};

    for (const char *at = printed; *at;) {
        size_t length = strcspn(at, "\n");
        if (!is_line_of(version, at, length))
            array_push(&lines, arena, ((struct bytes){(const uint8_t *)at, length}));
        at += length + (at[length] == '\n');
    }
    for (uint32_t i = 2; i + 1 < lines.count; i++)
        text_add(&script, "%.*s\n", (int)lines.at[i].size, (const char *)lines.at[i].at);
    return script.at;
}

static const char *
host_script(struct arena *arena, const char *compiler)
{
    string_list arguments = {0};

    array_push(&arguments, arena, "ld");
    array_push(&arguments, arena, "--verbose");
    ask_compiler(arena, compiler ? compiler : "gcc", &arguments);
    array_push(&arguments, arena, NULL);
    const char *version = output_of(arena, (const char *const[]){"ld", "-V", NULL}, false);
    const char *printed = output_of(arena, arguments.at, false);
    return version && printed ? extract_script(arena, printed, version) : NULL;
}

void
make_host_script(culd_link *link)
{
    const struct options *options = &link->options;
    const char *script = device_sections;

    if (options->inputs.count || link->memory_inputs.count)
        diag_fatal(&link->diag, "Input files are not allowed with -ghls option; use --help for "
                                "more information");
    if (!strcmp(options->gen_host_linker_script, "lcs-abs")) {
        bool can_write = !options->output || file_is_writable(options->output);
        const char *own = can_write ? host_script(&link->arena, options->host_ccbin) : NULL;
        if (!own)
            diag_fatal(&link->diag, "Host linker script creation failed.");
        script = arena_format(&link->arena, "%s%s", own, device_sections);
    }
    if (options->output)
        link_add_file(link, options->output,
                      (struct bytes){(const uint8_t *)script, strlen(script)});
    else
        link->text = script;
}
