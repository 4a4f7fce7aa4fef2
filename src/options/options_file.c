#include "base/file.h"
#include "options/parser.h"

/* Files that may be open at once, as one names another. */
enum { MAX_OPEN_FILES = 15 };

/* The contents up to the first NUL. */
static const char *
read_text(struct option_parser *parser, const char *path)
{
    struct input_file file;

    if (!file_read_stream(path, &file))
        diag_fatal(parser->diag, "Could not open options file '%s'", path);
    const char *text = arena_text(parser->arena, (const char *)file.bytes.at, file.bytes.size);
    file_release(&file);
    return text;
}

/* Double quotes group words and go; those that follow a backslash stay. */
static void
remove_quotes(char *word)
{
    char *to = word, before = '\0';

    for (char *at = word; *at; at++) {
        if (*at != '"' || before == '\\')
            *to++ = *at;
        before = *at;
    }
    *to = '\0';
}

/* Words are separated by blanks outside double quotes; a backslash takes the next character as an
   ordinary one. NULL at the end. */
static const char *
next_word(struct option_parser *parser, const char *at, char *word)
{
    bool quoted = false;
    char *to = word;

    at += strspn(at, " \t\r\n");
    if (!*at)
        return NULL;
    for (; *at && (quoted || !strchr(" \t\r\n", *at)); at++) {
        if (*at == '"')
            quoted = !quoted;
        if (*at == '\\' && !*++at)
            diag_fatal(parser->diag, "Stray '' character");
        *to++ = *at;
    }
    if (quoted)
        diag_fatal(parser->diag, "Stray '\"' character");
    *to = '\0';
    remove_quotes(word);
    return at;
}

void
options_read_file(struct option_parser *parser, const char *path)
{
    if (parser->open_files == MAX_OPEN_FILES)
        diag_fatal(parser->diag, "Too many options file opened '%s'", path);
    parser->open_files++;
    const char *text = read_text(parser, path);
    char *word = arena_alloc(parser->arena, strlen(text) + 1);
    for (const char *at = text; (at = next_word(parser, at, word));)
        options_add_word(parser, word);
    options_end(parser); /* an option's value must be in the same file */
    parser->open_files--;
}
