/*
 * Takes the bytes as an options file. Whatever it says, nothing is linked: there is no such input.
 */
#define _GNU_SOURCE /* memfd_create */

#include "fuzz_check.h"

#include <sys/mman.h>
#include <unistd.h>

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct outcome outcome = {0};
    char option[64];
    int file = memfd_create("options", MFD_CLOEXEC);
    culd_link *link = culd_create(count_message, &outcome);

    require(file >= 0 && write(file, data, size) == (ssize_t)size, "no options file");
    snprintf(option, sizeof option, "--options-file=/proc/self/fd/%d", file);
    enum culd_status status = culd_add_option(link, option);
    require(status == CULD_OK || outcome.problems, "options refused without a message");
    culd_destroy(link);
    close(file);
    return 0;
}
