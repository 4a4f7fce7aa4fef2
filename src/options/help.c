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

/* "--name <value>" and the other ways to write the option. */
static const char *
spellings(struct arena *arena, const struct option *option)
{
    const char *value = option->value ? arena_format(arena, " <%s>", option->value) : "";
    const char *other = *option->short_name ? arena_format(arena, ", -%s", option->short_name) : "";

    return arena_format(arena, "--%s%s%s", option->long_name, value, other);
}

/* The text with every line indented, and the values there are. */
static const char *
description(struct arena *arena, const struct option *option)
{
    const char *text = "      ";

    for (const char *line = option->help; line;) {
        size_t length = strcspn(line, "\n");
        text = arena_format(arena, "%s%.*s%s", text, (int)length, line,
                            line[length] ? "\n      " : "\n");
        line = line[length] ? line + length + 1 : NULL;
    }
    if (option->allowed)
        text = arena_format(arena, "%s      Values: %s\n", text, option->allowed);
    return text;
}

const char *
options_help(struct arena *arena, const char *program)
{
    const struct option **sorted = arena_array(arena, option_count, sizeof *sorted);
    size_t count = 0;
    const char *text = arena_format(arena,
                                    "Usage: %s [options] <objects>\n\n"
                                    "Links relocatable CUDA device code into one cubin.\n\n"
                                    "Options:\n",
                                    program);

    for (size_t i = 0; i < option_count; i++)
        if (!(option_table[i].notes & HIDDEN))
            sorted[count++] = &option_table[i];
    qsort(sorted, count, sizeof *sorted, by_name);
    for (size_t i = 0; i < count; i++)
        text = arena_format(arena, "%s  %s\n%s", text, spellings(arena, sorted[i]),
                            description(arena, sorted[i]));
    return text;
}
