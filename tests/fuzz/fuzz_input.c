/*
 * Links one file of any kind in memory: a cubin, a fatbin, a host object, an archive. The first
 * byte chooses the target. PTX ends where no compiler is found.
 */
#include "fuzz_check.h"
#include "fuzz_mutate.h"

unsigned
fuzz_images(const uint8_t *data, size_t size, struct fuzz_image images[FUZZ_IMAGES])
{
    images[0] = (struct fuzz_image){data + 1, size ? size - 1 : 0};
    return size > 1;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const targets[] = {"-arch=sm_90", "-arch=sm_75", "-arch=sm_89",
                                          "-arch=sm_100", "-arch=sm_120"};
    struct outcome outcome = {0};

    if (size < 2)
        return 0;
    culd_link *link = culd_create(count_message, &outcome);
    uint8_t *copy = malloc(size - 1); /* reading past its end is seen */

    memcpy(copy, data + 1, size - 1);
    culd_add_option(link, targets[data[0] % (sizeof targets / sizeof *targets)]);
    culd_add_option(link, "--ptxas-path=/nonexistent");
    culd_add_image(link, "input", copy, size - 1);
    run_and_check(link, &outcome);
    free(copy);
    return 0;
}
