#include "base/text.h"
#include "options/table.h"

#include <string.h>

static const char *
last_component(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void
add_items(struct text *text, const string_list *list, bool components)
{
    for (uint32_t i = 0; i < list->count; i++)
        text_add(text, "%s%s", i ? "," : "",
                 components ? last_component(list->at[i]) : list->at[i]);
    text_add(text, " ");
}

/* "-name value ", nothing if the option was not given. */
static void
add_option(struct text *text, const struct options *options, const struct option *option)
{
    const void *field = option_const_field(options, option);

    if (option->kind == OPTION_FLAG) {
        if (*(const bool *)field)
            text_add(text, "-%s  ", option->short_name);
    } else if (option->kind == OPTION_LIST) {
        const string_list *list = field;
        if (list->at)
            text_add(text, "-%s ", option->short_name);
        if (list->at && option->notes & RECORD_NAME_ONLY)
            text_add(text, " ");
        else if (list->at)
            add_items(text, list, false);
    } else {
        const char *value = *(const char *const *)field;
        if (value)
            text_add(text, "-%s %s ", option->short_name,
                     option->notes & RECORD_WITH_FILES ? last_component(value) : value);
    }
}

const char *
options_record(struct arena *arena, const struct options *options, bool with_files)
{
    struct text text = {.arena = arena};

    text_add(&text, "%s", "");
    if (with_files && options->inputs.count)
        add_items(&text, &options->inputs, true);
    for (size_t i = 0; i < option_count; i++) {
        const struct option *option = &option_table[i];
        if (option->notes & RECORD || (with_files && option->notes & RECORD_WITH_FILES))
            add_option(&text, options, option);
    }
    return text.at;
}
