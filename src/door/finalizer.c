#include "base/array.h"
#include "base/murmur3.h"
#include "door/views.h"

/* What ptxas 13.0 has written for the finalizer: by the level of optimisation, with and without line
   numbers, and for debuggers. Of the other options that were tried -pic alone changes it; not
   with -ewp. */
static const uint32_t known[] = {
    0x3679b419, 0xd4e85088, 0x1e699eb7, 0xe081e44c, 0x70c7be71, /* -O0 to -O4 */
    0xcf5aff08, 0x30773c4e, 0x82ab1095, 0x6af2fa30, 0x375b934c, /* ... with -lineinfo */
    0xa6492c67, 0xc972e258, /* -g, and -O0 -lineinfo of PTX with debug information */
    0x8e1cd8af, 0x8b54af3a, 0xe840a4b9, 0x2c7e3cac, 0x8199a274, /* the same with -pic */
    0x0336a55c, 0x99ead884, 0x62828ae7, 0xe4572e52, 0xbfe7daf7, /* ... */
    0xfa3ad031, 0xb056f90f,
};

/* What ptxas 12.8 has, of which a linker may have left no other trace: by the level, with line numbers, for
   debuggers without and with them. None of its other options changes it. */
static const uint32_t known_of_cuda_12_8[] = {
    0xd6487c7a, 0x371bc569, 0xd3f63687, 0x7ede534b, 0xe61a913f, /* -O3, -O0, -O1, -O2, -O4 */
    0x7c719a1f, 0xf366ddac, 0xcf7bf09f, 0xf55f8680, 0xfea83cee, /* ... with -lineinfo */
    0x05fef7c3, 0x61ac2c99,
};

/* The first byte is one of two, or 0 where PTX ended without a new line. */
enum { USUAL = 0x8a, OF_DEBUGGERS = 0x93 };

static bool
has_known_beginning(struct bytes options)
{
    return options.size &&
           (!options.at[0] || options.at[0] == USUAL || options.at[0] == OF_DEBUGGERS);
}

static bool
is_among(struct bytes options, const uint32_t *hashes, size_t count)
{
    if (!has_known_beginning(options))
        return false;
    uint32_t hash = murmur3_x86_32(options.at + 1, options.size - 1, 0);

    for (size_t i = 0; i < count; i++)
        if (hashes[i] == hash)
            return true;
    return false;
}

/* All functions of a file were compiled with the same options. */
bool
is_known_to_finalizer(struct bytes options, struct bytes before)
{
    return (before.size && bytes_equal(options, before)) ||
           is_among(options, known, COUNT_OF(known));
}

bool
is_of_cuda_12_8(struct bytes options)
{
    return is_among(options, known_of_cuda_12_8, COUNT_OF(known_of_cuda_12_8));
}
