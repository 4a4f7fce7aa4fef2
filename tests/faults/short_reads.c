/*
 * What tests/faults.py makes of the command: read() gives at most SHORT_READS_MOST bytes of a file at a time,
 * and fails from the place SHORT_READS_FAIL_AT on, if that is not 0.
 */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

ssize_t __real_read(int descriptor, void *to, size_t size);
ssize_t __wrap_read(int descriptor, void *to, size_t size);

ssize_t
__wrap_read(int descriptor, void *to, size_t size)
{
    size_t most = (size_t)atol(getenv("SHORT_READS_MOST"));
    off_t fails_at = (off_t)atol(getenv("SHORT_READS_FAIL_AT"));
    struct stat status;

    if (fstat(descriptor, &status) || !S_ISREG(status.st_mode))
        return __real_read(descriptor, to, size);
    if (fails_at && lseek(descriptor, 0, SEEK_CUR) >= fails_at) {
        errno = EIO;
        return -1;
    }
    return __real_read(descriptor, to, size < most ? size : most);
}
