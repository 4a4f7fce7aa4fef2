#include "finalize/fragments.h"

#include <stdlib.h>

uint64_t
first_fragment(struct externals needed)
{
    uint64_t first = UINT64_MAX;

    for (uint32_t i = 0; i < needed.count; i++)
        first = needed.at[i].key < first ? needed.at[i].key : first;
    return first;
}

static int
compare_keys(const void *a, const void *b)
{
    const struct external *x = a, *y = b;
    return x->key < y->key ? -1 : x->key > y->key;
}

static int
compare_number(const void *number, const void *fragment)
{
    int32_t x = *(const int32_t *)number, y = ((const struct external *)fragment)->symbol;
    return x < y ? -1 : x > y;
}

/* What is needed and not in the own list, as it was met. */
static struct externals
all_but_own(struct arena *arena, struct externals needed, struct bytes own)
{
    struct external *rest = arena_array(arena, (size_t)needed.count + 1, sizeof *rest);
    bool *is_own = arena_array(arena, (size_t)needed.count + 1, sizeof *is_own);
    uint32_t count = 0;

    for (size_t at = 0; at + sizeof(uint32_t) <= own.size && needed.count; at += sizeof(uint32_t)) {
        int32_t number = (int32_t)read_u32(own.at + at);
        const struct external *found =
            bsearch(&number, needed.at, needed.count, sizeof *needed.at, compare_number);

        if (found)
            is_own[found - needed.at] = true;
    }
    for (uint32_t i = 0; i < needed.count; i++)
        if (!is_own[i])
            rest[count++] = needed.at[i];
    qsort(rest, count, sizeof *rest, compare_keys);
    return (struct externals){rest, count};
}

static uint16_t
record_size(struct record_writer *writer, struct bytes own, struct externals rest,
            const char *kernel)
{
    size_t size = own.size + (size_t)rest.count * sizeof(uint32_t);

    if (size > UINT16_MAX)
        diag_fatal(writer->elfw->diag, "Kernel '%s' reaches too many entry fragments", kernel);
    return (uint16_t)size;
}

static void
fill(uint8_t *payload, struct bytes own, struct externals rest)
{
    if (own.size)
        memcpy(payload, own.at, own.size);
    for (uint32_t i = 0; i < rest.count; i++)
        write_u32(payload + own.size + i * sizeof(uint32_t), (uint32_t)rest.at[i].symbol);
}

void
write_own_fragments(struct record_writer *writer, struct fragments *fragments, struct bytes own,
                    const char *kernel)
{
    if (fragments->are_written) /* a second record of a damaged input adds nothing */
        return;
    struct externals rest = all_but_own(&writer->elfw->scratch, fragments->needed, own);
    if (fragments->is_only_kernel && rest.count)
        return;
    uint16_t size = record_size(writer, own, rest, kernel);
    fill(prepend_record(writer, EIATTR_AT_ENTRY_FRAGMENTS, size), own, rest);
    fragments->are_written = true;
}

void
append_fragments(struct record_writer *writer, struct fragments *fragments, const char *kernel)
{
    struct bytes own = {0};

    if (fragments->are_written || !fragments->needed.count)
        return;
    struct externals rest = all_but_own(&writer->elfw->scratch, fragments->needed, own);
    uint16_t size = record_size(writer, own, rest, kernel);
    fill(append_record(writer, EIFMT_SVAL, EIATTR_AT_ENTRY_FRAGMENTS, size), own, rest);
    fragments->are_written = true;
}
