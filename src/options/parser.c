#include "options/parser.h"

#include "base/file.h"
#include "options/table.h"

#include <errno.h>
#include <stdlib.h>

/* ---- Names ---- */

static bool
names_equal(const char *name, const char *word, size_t length)
{
    return length && strlen(name) == length && !strncmp(name, word, length);
}

/* `word` without its dashes. */
static const struct option *
find_option(const char *word, size_t length, bool two_dashes)
{
    for (size_t i = 0; i < option_count; i++) {
        const struct option *option = &option_table[i];
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
    for (size_t i = 0; i < option_count; i++) {
        const char *name = option_table[i].short_name;
        if (option_table[i].notes & ATTACHED && !strncmp(name, word, strlen(name)))
            return &option_table[i];
    }
    return NULL;
}

/* ---- Values ---- */

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

static bool
is_allowed_number(struct option_parser *parser, const char *allowed, const char *value)
{
    char *end;

    errno = 0;
    long long number = strtoll(value, &end, 0);
    if (*end)
        diag_fatal(parser->diag, "'%s': expected a number", value);
    if (errno || number < INT32_MIN || number > INT32_MAX)
        diag_fatal(parser->diag, "32-bit integer value (%s) out of range", value);
    return !allowed || number == strtoll(allowed, NULL, 10);
}

static bool
is_allowed(struct option_parser *parser, const struct option *option, const char *value)
{
    struct arch arch;

    switch (option->kind) {
    case OPTION_NUMBER:
        return is_allowed_number(parser, option->allowed, value);
    case OPTION_BOOLEAN:
        if (strcmp(value, "true") != 0 && strcmp(value, "false") != 0)
            diag_fatal(parser->diag, "'%s': expected true or false", value);
        return true;
    case OPTION_ARCH:
        return arch_parse(value, &arch) != ARCH_UNKNOWN;
    default:
        return !option->allowed || is_allowed_value(option->allowed, value);
    }
}

/* Numbers are kept in decimal. */
static const char *
kept_value(struct arena *arena, const struct option *option, const char *value)
{
    if (option->kind == OPTION_NUMBER)
        return arena_format(arena, "%lld", strtoll(value, NULL, 0));
    return arena_text(arena, value, strlen(value));
}

/* ---- Lists ---- */

/* Blanks around an item are not part of it; an empty one does not count. */
static void
add_item(struct option_parser *parser, const struct option *option, const char *from, size_t size)
{
    string_list *list = option_field(parser->options, option);

    while (size && (from[0] == ' ' || from[0] == '\t'))
        from++, size--;
    while (size && (from[size - 1] == ' ' || from[size - 1] == '\t'))
        size--;
    if (!size)
        return;
    const char *item = arena_text(parser->arena, from, size);
    array_push(list, parser->arena, item);
    if (list == &parser->options->options_files)
        options_read_file(parser, item);
}

/*
 * Items are separated by commas outside double quotes. The quotes go; inside of them a quote after
 * a backslash is an ordinary character, and both stay.
 */
static void
add_items(struct option_parser *parser, const struct option *option, const char *value)
{
    string_list *list = option_field(parser->options, option);
    char *text = arena_alloc(parser->arena, strlen(value) + 1), *from = text, *to = text;
    bool quoted = false;

    if (!list->at) /* a list that was given has memory, even if it is empty */
        array_grow(&list->at, &list->capacity, sizeof *list->at, parser->arena);
    for (const char *at = value; *at; at++) {
        if (*at == '"' && (!quoted || at[-1] != '\\')) {
            quoted = !quoted;
        } else if (*at == ',' && !quoted) {
            add_item(parser, option, from, (size_t)(to - from));
            from = to;
        } else {
            *to++ = *at;
        }
    }
    if (quoted)
        diag_fatal(parser->diag, "Stray '\"' character");
    add_item(parser, option, from, (size_t)(to - from));
}

/* ---- Words ---- */

static void
set_value(struct option_parser *parser, const struct option *option, const char *value)
{
    if (!is_allowed(parser, option, value))
        diag_fatal(parser->diag, "Value '%s' is not defined for option '%s'", value,
                   option->long_name);
    if (option->kind == OPTION_LIST) {
        add_items(parser, option, value);
        return;
    }
    const char **field = option_field(parser->options, option);
    const char *kept = kept_value(parser->arena, option, value);
    if (*field && strcmp(*field, kept) != 0)
        parser->diag->sink(parser->diag->user, SEVERITY_WARNING,
                           arena_format(parser->arena,
                                        "incompatible redefinition for option '%s', the last "
                                        "value of this option was used",
                                        option->long_name));
    *field = kept;
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
        *(bool *)option_field(parser->options, option) = true;
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
    options_read_file(parser, arena_text(parser->arena, word + 1, strlen(word + 1)));
    return true;
}

static bool
is_option(const char *word)
{
    return word[0] == '-' && word[1];
}

void
options_add_word(struct option_parser *parser, const char *word)
{
    const struct option *waiting = parser->waiting;

    parser->waiting = NULL;
    if (waiting && waiting->fallback && is_option(word)) {
        set_value(parser, waiting, waiting->fallback);
        waiting = NULL;
    }
    if (waiting)
        set_value(parser, waiting, word);
    else if (is_option(word))
        take_option(parser, word);
    else if (!take_at_file(parser, word))
        array_push(&parser->options->inputs, parser->arena,
                   arena_text(parser->arena, word, strlen(word)));
}

void
options_end(struct option_parser *parser)
{
    const struct option *waiting = parser->waiting;

    parser->waiting = NULL;
    if (waiting && !waiting->fallback)
        diag_fatal(parser->diag, "argument expected after '%s'", parser->waiting_spelling);
    if (waiting)
        set_value(parser, waiting, waiting->fallback);
}
