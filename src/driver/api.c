/*
 * The public interface, but for what runs a link (link.c) and writes its files (output_files.c).
 */
#include "link.h"

#include <stdlib.h>

static void
forward_message(void *user, enum severity severity, const char *text)
{
    static const enum culd_severity severities[] = {
        [SEVERITY_INFO] = CULD_INFO,   [SEVERITY_WARNING] = CULD_WARNING,
        [SEVERITY_ERROR] = CULD_ERROR, [SEVERITY_FATAL] = CULD_FATAL_ERROR,
        [SEVERITY_TEXT] = CULD_TEXT,
    };
    culd_link *link = user;

    if (link->on_message)
        link->on_message(link->user, severities[severity], text);
}

culd_link *
culd_create(culd_message_fn on_message, void *user)
{
    culd_link *link = calloc(1, sizeof *link);

    if (!link)
        return NULL;
    link->on_message = on_message;
    link->user = user;
    link->diag = (struct diag){.sink = forward_message, .user = link, .target_suffix = ""};
    arena_init(&link->arena, &link->diag);
    link->crew = (struct crew){.arena = &link->arena, .trace = &link->trace};
    link->parser = (struct option_parser){&link->options, &link->arena, &link->diag, NULL, NULL, 0};
    return link;
}

void
culd_destroy(culd_link *link)
{
    if (!link)
        return;
    inputs_release(&link->inputs);
    crew_release(&link->crew);
    libraries_release(&link->libraries);
    arena_free_all(&link->arena);
    free(link);
}

/* The sanitizers are to see that nothing would be lost. */
void
link_leave(culd_link *link)
{
#ifdef CULD_SANITIZED
    culd_destroy(link);
#else
    ptx_release(&link->inputs.ptx);
#endif
}

enum culd_status
culd_add_option(culd_link *link, const char *word)
{
    if (!link->has_failed && !setjmp(link->diag.unwind))
        options_add_word(&link->parser, word);
    else
        link->has_failed = true;
    return link->has_failed ? CULD_FATAL : CULD_OK;
}

enum culd_status
culd_add_image(culd_link *link, const char *name, const void *bytes, size_t size)
{
    if (link->has_failed || setjmp(link->diag.unwind)) {
        link->has_failed = true;
        return CULD_FATAL;
    }
    array_push(
        &link->memory_inputs, &link->arena,
        ((struct memory_input){arena_text(&link->arena, name, strlen(name)), {bytes, size}}));
    return CULD_OK;
}

const void *
culd_output(const culd_link *link, size_t *size)
{
    *size = link->output.size;
    return link->output.at;
}

const char *
culd_requested_text(const culd_link *link)
{
    return link->text;
}

const char *
culd_tool_name(const culd_link *link)
{
    return link->tool_name;
}

const char *
culd_version(void)
{
    return CULD_VERSION;
}
