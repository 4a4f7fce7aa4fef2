#include "fuzz_reader.h"

#include "fuzz_check.h"

static void
count(void *user, enum severity severity, const char *text)
{
    unsigned *messages = user;

    *messages += severity == SEVERITY_FATAL && *text;
}

/* Only what the library says itself: it must say something before it gives up. */
static void
read_in_arena(struct diag *diag, struct bytes bytes)
{
    struct arena arena;
    unsigned *messages = diag->user;

    arena_init(&arena, diag);
    if (!setjmp(diag->unwind))
        read_bytes(&arena, bytes);
    else
        require(*messages > 0, "gave up without a message");
    arena_free_all(&arena);
}

void
use_bytes(struct bytes bytes)
{
    static volatile uint8_t sum;

    for (size_t i = 0; i < bytes.size; i++)
        sum ^= bytes.at[i];
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned messages = 0;
    struct diag diag = {.sink = count, .user = &messages, .target_suffix = ""};
    uint8_t *copy = malloc(size ? size : 1); /* reading past its end is seen */

    if (size)
        memcpy(copy, data, size);
    read_in_arena(&diag, (struct bytes){copy, size});
    free(copy);
    return 0;
}
