#include "layout/host_references.h"

static void
init_patterns(struct host_patterns *patterns, struct arena *arena)
{
    name_map_init(&patterns->beginnings, arena, 64);
    array_push(&patterns->list, arena, ((struct host_pattern){{0}, 0}));
}

void
host_references_init(struct host_references *references, struct arena *arena)
{
    *references = (struct host_references){0};
    init_patterns(&references->external, arena);
    init_patterns(&references->internal, arena);
}

static size_t
beginning_of(struct bytes text)
{
    const uint8_t *star = memchr(text.at, '*', text.size);
    return star ? (size_t)(star - text.at) : text.size;
}

static void
add_pattern(struct host_patterns *patterns, struct bytes text)
{
    struct arena *arena = patterns->beginnings.arena;
    size_t length = beginning_of(text);
    const char *beginning = (const char *)text.at;
    uint32_t id =
        name_map_add_hashed(&patterns->beginnings, beginning, length, name_hash(beginning, length));
    struct name *name = name_at(&patterns->beginnings, id);

    while (patterns->has_length.count <= length)
        array_push(&patterns->has_length, arena, false);
    patterns->has_length.at[length] = true;
    struct host_pattern pattern = {text, (uint32_t)name->index};
    name->index = (int32_t)patterns->list.count;
    array_push(&patterns->list, arena, pattern);
}

void
host_patterns_add_section(struct host_patterns *patterns, struct bytes section)
{
    struct bytes text;

    while (next_string(&section, &text))
        add_pattern(patterns, text);
}

/* A mismatch gives the last '*' one more character, so no two of them are ever tried together. */
static bool
matches(struct bytes pattern, const char *name)
{
    size_t at = 0, after_star = SIZE_MAX;
    const char *resume = NULL;

    while (*name) {
        if (at < pattern.size && pattern.at[at] == '*') {
            after_star = ++at;
            resume = name;
        } else if (at < pattern.size && pattern.at[at] == (uint8_t)*name) {
            at++;
            name++;
        } else if (resume) {
            at = after_star;
            name = ++resume;
        } else {
            return false;
        }
    }
    while (at < pattern.size && pattern.at[at] == '*')
        at++;
    return at == pattern.size;
}

bool
host_patterns_match(const struct host_patterns *patterns, const char *name)
{
    size_t length = strlen(name);

    for (size_t size = 0; size <= length && size < patterns->has_length.count; size++) {
        if (!patterns->has_length.at[size])
            continue;
        uint32_t id =
            name_map_find_hashed(&patterns->beginnings, name, size, name_hash(name, size));
        for (uint32_t p = id ? (uint32_t)name_at(&patterns->beginnings, id)->index : 0; p;
             p = patterns->list.at[p].next)
            if (matches(patterns->list.at[p].text, name))
                return true;
    }
    return false;
}
