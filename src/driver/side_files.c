#include "driver/side_files.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <unistd.h>

/* ---- Registration ---- */

/* The path from the root, with '_' for what no name in C may hold. */
static const char *
id_of_path(struct arena *arena, const char *path)
{
    char folder[4096];
    char *id;

    if (path[0] != '/' && getcwd(folder, sizeof folder))
        id = arena_format(arena, "%s/%s", folder, path);
    else
        id = arena_text(arena, path, strlen(path));
    for (char *at = id; *at; at++)
        if (!isalnum((unsigned char)*at))
            *at = '_';
    return id;
}

/* An object that nvcc -r joined has the ids of its parts behind its own. */
static void
add_ids(struct arena *arena, string_list *ids, string_list *parts, const struct input *input)
{
    struct bytes section = input->module_ids, id = {0};

    if (!input->has_module_ids)
        array_push(ids, arena, id_of_path(arena, input->name));
    else if (section.size == 0 || !section.at[0] || !next_string(&section, &id))
        array_push(ids, arena, "");
    else
        array_push(ids, arena, arena_text(arena, (const char *)id.at, id.size));
    while (next_string(&section, &id))
        array_push(parts, arena, arena_text(arena, (const char *)id.at, id.size));
}

void
add_registration(culd_link *link)
{
    struct arena *arena = &link->arena;
    struct text text = {.arena = arena};
    string_list ids = {0}, parts = {0};

    if (!link->options.register_file)
        return;
    for (uint32_t i = 0; i < link->inputs.list.count; i++) {
        const struct input *input = link->inputs.list.at[i];
        if (input->is_listed && !input->is_left_out)
            add_ids(arena, &ids, &parts, input);
    }
    text_add(&text, "#define NUM_PRELINKED_OBJECTS %u\n", ids.count + parts.count);
    for (uint32_t i = 0; i < ids.count; i++)
        text_add(&text, "DEFINE_REGISTER_FUNC(%s)\n", ids.at[i]);
    /* Parts stand behind all objects, the last one first. */
    for (uint32_t i = parts.count; i-- > 0;)
        text_add(&text, "DEFINE_REGISTER_FUNC(%s)\n", parts.at[i]);
    link_add_file(link, link->options.register_file, text_bytes(&text));
}

/* ---- Dependencies ---- */

/* As make reads names: blanks and '#' after a backslash, '$' twice. */
static void
add_name(struct text *text, const char *name)
{
    for (const char *at = name; *at; at++) {
        if (strchr(" \t#\\", *at))
            text_add(text, "\\");
        else if (*at == '$')
            text_add(text, "$");
        text_add(text, "%c", *at);
    }
}

void
add_dependencies(culd_link *link)
{
    struct text text = {.arena = &link->arena};

    if (!link->options.dependency_file)
        return;
    add_name(&text, link->options.output ? link->options.output : "");
    text_add(&text, ":");
    for (uint32_t i = 0; i < link->inputs.paths.count; i++) {
        text_add(&text, " \\\n  ");
        add_name(&text, link->inputs.paths.at[i]);
    }
    text_add(&text, "\n");
    link_add_file(link, link->options.dependency_file, text_bytes(&text));
}
