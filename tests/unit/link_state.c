#include "link_state.h"

static void
keep_message(void *user, enum severity severity, const char *text)
{
    struct link_state *link = user;

    if (link->message_count < MAX_MESSAGES) {
        struct message *message = &link->messages[link->message_count++];
        message->severity = severity;
        snprintf(message->text, sizeof message->text, "%s", text);
    }
    if (severity == SEVERITY_FATAL && !link->expects_fatal)
        fail_msg("unexpected fatal error: %s", text);
}

struct link_state *
link_state_open(const char *arch, uint32_t merge_flags)
{
    struct link_state *link = calloc(1, sizeof *link);

    assert_non_null(link);
    link->diag = (struct diag){.sink = keep_message, .user = link, .target_suffix = ""};
    arena_init(&link->arena, &link->diag);
    assert_int_equal(arch_parse(arch, &link->arch), ARCH_REAL);
    struct elfw_settings settings = {&link->arch, merge_flags, NULL, 0};
    link->elfw = elfw_create(&link->arena, &link->diag, &settings);
    return link;
}

void
link_state_close(struct link_state *link)
{
    arena_free_all(&link->arena);
    free(link);
}

const char *
last_message(const struct link_state *link)
{
    return link->message_count ? link->messages[link->message_count - 1].text : "";
}

struct symbol_record *
named_symbol(const struct link_state *link, const char *name)
{
    int32_t index = elfw_find_symbol(link->elfw, name);

    if (!index)
        fail_msg("there is no symbol '%s'", name);
    return elfw_get_symbol(link->elfw, index);
}
