#include "options/table.h"

#include <string.h>

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
    const void *field = option_const_field(options, option);

    if (option->kind == OPTION_FLAG)
        return *(const bool *)field ? "" : NULL;
    if (option->kind == OPTION_LIST) {
        const string_list *list = field;
        if (!list->at)
            return NULL;
        return option->notes & RECORD_NAME_ONLY ? "" : join(arena, list, false);
    }
    const char *value = *(const char *const *)field;
    return value && option->notes & RECORD_WITH_FILES ? last_component(value) : value;
}

const char *
options_record(struct arena *arena, const struct options *options, bool with_files)
{
    const char *record = "";

    if (with_files && options->inputs.count)
        record = arena_format(arena, "%s ", join(arena, &options->inputs, true));
    for (size_t i = 0; i < option_count; i++) {
        const struct option *option = &option_table[i];
        bool counts = option->notes & RECORD || (with_files && option->notes & RECORD_WITH_FILES);
        const char *value = counts ? recorded_value(arena, options, option) : NULL;

        if (value)
            record = arena_format(arena, "%s-%s %s ", record, option->short_name, value);
    }
    return record;
}
