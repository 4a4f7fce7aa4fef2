/*
 * compress FILE...: beside each file a FILE.zst, one zstd frame as nvcc puts into host objects.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

enum { LEVEL = 3 };

static void *
read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    long end = file && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
    void *bytes = end >= 0 ? malloc((size_t)end + 1) : NULL;

    if (!bytes || fseek(file, 0, SEEK_SET) != 0 ||
        fread(bytes, 1, (size_t)end, file) != (size_t)end)
        return NULL;
    fclose(file);
    *size = (size_t)end;
    return bytes;
}

static int
write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");

    if (!file)
        return 0;
    int done = fwrite(bytes, 1, size, file) == size;
    return fclose(file) == 0 && done;
}

static int
compress_file(const char *path)
{
    size_t size = 0;
    void *from = read_file(path, &size);
    size_t room = ZSTD_compressBound(size);
    void *to = malloc(room);
    char *name = malloc(strlen(path) + sizeof ".zst");

    if (!from || !to || !name)
        return 0;
    size_t packed = ZSTD_compress(to, room, from, size, LEVEL);
    strcat(strcpy(name, path), ".zst");
    int done = !ZSTD_isError(packed) && write_file(name, to, packed);
    free(name);
    free(to);
    free(from);
    return done;
}

int
main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (!compress_file(argv[i])) {
            fprintf(stderr, "cannot compress %s\n", argv[i]);
            return 1;
        }
    return 0;
}
