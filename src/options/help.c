#include "base/text.h"
#include "options/table.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static int
by_name(const void *a, const void *b)
{
    const struct option *const *first = a, *const *second = b;
    return strcasecmp((*first)->long_name, (*second)->long_name);
}

/* "--name <value>" and the other way to write the option. */
static void
add_spellings(struct text *text, const struct option *option)
{
    text_add(text, "  --%s", option->long_name);
    if (option->value)
        text_add(text, " <%s>", option->value);
    if (*option->short_name)
        text_add(text, ", -%s", option->short_name);
    text_add(text, "\n");
}

/* Every line indented, and the values there are. */
static void
add_description(struct text *text, const struct option *option)
{
    for (const char *line = option->help; *line;) {
        size_t length = strcspn(line, "\n");
        text_add(text, "      %.*s\n", (int)length, line);
        line += length + (line[length] == '\n');
    }
    if (option->allowed)
        text_add(text, "      Values: %s\n", option->allowed);
}

const char *
options_help(struct arena *arena, const char *program)
{
    const struct option **sorted = arena_array(arena, option_count, sizeof *sorted);
    struct text text = {.arena = arena};
    size_t count = 0;

    for (size_t i = 0; i < option_count; i++)
        if (!(option_table[i].notes & HIDDEN))
            sorted[count++] = &option_table[i];
    qsort(sorted, count, sizeof *sorted, by_name);
    text_add(&text,
             "Usage: %s [options] <objects>\n\n"
             "Links relocatable CUDA device code into one cubin.\n\n"
             "Options:\n",
             program);
    for (size_t i = 0; i < count; i++) {
        add_spellings(&text, sorted[i]);
        add_description(&text, sorted[i]);
    }
    return text.at;
}
