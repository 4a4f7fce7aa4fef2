/*
 * Links one to three images in memory, for libFuzzer (build.sh). An input is
 *
 *     options (1 byte), number of images (1 byte), their sizes (4 bytes each), the images
 *
 * whatever its bytes say: sizes are cut to what is there, so that every input is some link. The
 * target is that of the first image, else most inputs would end at the check of it.
 */
#include "fuzz_check.h"
#include "fuzz_mutate.h"

unsigned
fuzz_images(const uint8_t *data, size_t size, struct fuzz_image images[FUZZ_IMAGES])
{
    if (size < 6)
        return 0;
    unsigned count = data[1] % (FUZZ_IMAGES + 1u);
    size_t at = 2 + 4 * (size_t)count;

    if (count == 0 || at > size)
        return 0;
    for (unsigned i = 0; i < count; i++) {
        uint32_t length;
        memcpy(&length, data + 2 + 4 * (size_t)i, sizeof length);
        if (length > size - at || i + 1 == count)
            length = (uint32_t)(size - at);
        images[i] = (struct fuzz_image){data + at, length};
        at += length;
    }
    return count;
}

/* Bit of the options byte -> words of the command line. */
static const char *const option_words[][2] = {
    {"-g", NULL},
    {"-r", NULL},
    {"--preserve-relocs", NULL},
    {"--kernels-used=k", "--variables-used=a"},
    {"--dump-callgraph", "-v"},
    {"--force-rela", NULL},
    {"--allow-undefined-globals", NULL},
    {"-w", "--trust-inputs"},
};

static void
add_options(culd_link *link, uint8_t options)
{
    for (unsigned bit = 0; bit < 8; bit++)
        for (unsigned word = 0; word < 2; word++)
            if (options >> bit & 1 && option_words[bit][word])
                culd_add_option(link, option_words[bit][word]);
}

static void
add_target(culd_link *link, const struct fuzz_image *first)
{
    static const unsigned known[] = {75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121};
    char option[32] = "-arch=sm_90";

    for (size_t i = 0; i < sizeof known / sizeof *known && first->size >= 64; i++)
        if (first->at[49] == known[i])
            snprintf(option, sizeof option, "-arch=sm_%u", known[i]);
    culd_add_option(link, option);
}

/* A copy of its own for each image: reading past the end of one is seen. */
static void *
add_image(culd_link *link, const struct fuzz_image *image, unsigned number)
{
    char name[] = "0.cubin";
    void *copy = malloc(image->size ? image->size : 1);

    memcpy(copy, image->at, image->size);
    name[0] = (char)('0' + number);
    culd_add_image(link, name, copy, image->size);
    return copy;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct outcome outcome = {0};
    struct fuzz_image images[FUZZ_IMAGES];
    void *copies[FUZZ_IMAGES] = {0};
    unsigned count = fuzz_images(data, size, images);

    if (!count)
        return 0;
    culd_link *link = culd_create(count_message, &outcome);
    add_target(link, &images[0]);
    add_options(link, data[0]);
    for (unsigned i = 0; i < count; i++)
        copies[i] = add_image(link, &images[i], i);
    run_and_check(link, &outcome);
    for (unsigned i = 0; i < count; i++)
        free(copies[i]);
    return 0;
}
