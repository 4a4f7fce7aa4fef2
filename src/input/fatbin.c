#include "input/fatbin.h"

#include "cubin/compat.h"

enum {
    CONTAINER_VERSION = 1,
    CONTAINER_HEADER = 16,
    ENTRY_HEADER = 64,
    ENTRY_ALIGN = 8,
};

enum entry_flag {
    ENTRY_64BIT = 0x1,
    ENTRY_UNKNOWN_PACKING = 0x1000,
    ENTRY_LZ4 = 0x2000,
    ENTRY_UNKNOWN_KIND = 0x4000,
    ENTRY_ZSTD = 0x8000,
    ENTRY_NOT_WITH_PACKING = 0x10000,
    ENTRY_SUFFIX_A = 0x100000,
    ENTRY_SUFFIX_F = 0x200000,
    ENTRY_COMPAT = 0x1000000,
};

bool
fatbin_has_magic(struct bytes file)
{
    return file.size >= 4 && read_u32(file.at) == FATBIN_MAGIC;
}

static enum compression
compression_of(uint64_t flags)
{
    return flags & ENTRY_LZ4    ? COMPRESSION_LZ4
           : flags & ENTRY_ZSTD ? COMPRESSION_ZSTD
                                : COMPRESSION_NONE;
}

/* nvlink cannot read entries with these. */
static bool
flags_fit(uint64_t flags)
{
    bool is_packed = flags & (ENTRY_LZ4 | ENTRY_ZSTD);

    return !(flags & (ENTRY_UNKNOWN_PACKING | ENTRY_UNKNOWN_KIND)) &&
           !(is_packed && flags & ENTRY_NOT_WITH_PACKING);
}

/* nvlink dies of these. */
static bool
is_kind(uint16_t kind)
{
    enum { UNREADABLE = 0x10 };

    return kind != UNREADABLE;
}

/* A block names a string by its offset from the entry's start. */
static const char *
read_options(struct bytes header)
{
    uint32_t block = read_u32(header.at + 20);

    if (block == 0 || !bytes_hold(header, block, 4))
        return "";
    uint32_t offset = read_u32(header.at + block);
    if (!bytes_hold(header, offset, 1) || !memchr(header.at + offset, '\0', header.size - offset))
        return "";
    return (const char *)header.at + offset;
}

/* nvlink reads the block of any entry, chosen or not: where its string begins and, for code, how long it is. */
static bool
options_fit(struct bytes header)
{
    uint64_t block = read_u32(header.at + 20);

    if (block == 0)
        return true;
    if (block < ENTRY_HEADER || !bytes_hold(header, block, 2 * sizeof(uint32_t)))
        return false;
    bool is_code = read_u16(header.at) == FATBIN_CUBIN;
    uint32_t length = is_code ? read_u32(header.at + block + sizeof(uint32_t)) : 1;
    return bytes_hold(header, read_u32(header.at + block), length);
}

/* What the block holds. */
static struct bytes
read_compat(struct bytes header)
{
    uint32_t block = read_u32(header.at + 20);

    return (struct bytes){header.at + read_u32(header.at + block),
                          read_u32(header.at + block + sizeof(uint32_t))};
}

/* False if the entry does not fit. `*next` is the one behind it. */
static bool
read_entry(struct bytes file, uint64_t at, struct fatbin_entry *entry, uint64_t *next)
{
    if (!bytes_hold(file, at, ENTRY_HEADER))
        return false;
    const uint8_t *bytes = file.at + at;
    uint64_t header_size = read_u32(bytes + 4), data_size = read_u64(bytes + 8);
    uint64_t flags = read_u64(bytes + 40);

    uint32_t packed_size = read_u32(bytes + 16);

    if (header_size < ENTRY_HEADER || !bytes_hold(file, at, header_size) ||
        !bytes_hold(file, at + header_size, data_size) ||
        (read_u16(bytes) == FATBIN_CUBIN && !flags_fit(flags)) ||
        !options_fit((struct bytes){bytes, header_size}) || !is_kind(read_u16(bytes)))
        return false;
    *next = at + header_size + data_size;
    *entry = (struct fatbin_entry){
        .kind = read_u16(bytes),
        .sm = read_u32(bytes + 28),
        .suffix = flags & ENTRY_SUFFIX_A   ? 'a'
                  : flags & ENTRY_SUFFIX_F ? 'f'
                                           : '\0',
        .is_64bit = flags & ENTRY_64BIT,
        .compression = compression_of(flags),
        .unpacked_size = read_u64(bytes + 56),
        .payload = {bytes + header_size, data_size},
        .is_scrambled =
            read_u16(bytes) == FATBIN_PTX &&
            (read_u64(bytes + 48) || (flags & ENTRY_NOT_WITH_PACKING && compression_of(flags))),
    };
    entry->options = read_options((struct bytes){bytes, header_size});
    entry->has_compat = entry->kind == FATBIN_CUBIN && flags & ENTRY_COMPAT;
    if (entry->has_compat && read_u32(bytes + 20) == 0)
        return false;
    if (entry->has_compat)
        entry->compat = read_compat((struct bytes){bytes, header_size});
    if (entry->compression && packed_size < entry->payload.size)
        entry->payload.size = packed_size;
    entry->is_cut = entry->compression && packed_size > data_size;
    return true;
}

/* The container may leave out the last bytes of padding, which packed entries have behind them. */
static bool
lies_inside(struct bytes file, const struct fatbin_entry *entry, uint64_t end)
{
    uint64_t payload_end = (uint64_t)(entry->payload.at - file.at) + entry->payload.size;

    return payload_end <= (entry->compression ? end : align_up(end, ENTRY_ALIGN));
}

/* Of code with mercury its own records say it, whatever the suffix. */
static bool
is_specific(const struct fatbin_entry *entry)
{
    const struct bytes *compat = &entry->compat;

    return compat->size > 3 && compat->at[1] == EIFMT_BVAL && compat->at[2] == COMPAT_SPECIFIC
               ? compat->at[3]
               : entry->suffix == 'a';
}

/* SASS alone where the target could have mercury: nothing can be made of it for others. */
static bool
sass_fits(const struct fatbin_entry *entry, const struct arch *target)
{
    bool is_same = entry->sm == target->sm;

    if (entry->suffix == '\0')
        return is_same || arch_accepts_as_it_is(target, entry->sm);
    return is_same && (entry->suffix == 'a') == (target->suffix == 'a');
}

static bool
code_fits(const struct fatbin_entry *entry, const struct arch *target)
{
    if (arch_generation(entry->sm)->has_mercury && !entry->has_compat)
        return sass_fits(entry, target);
    return arch_has_suffix(entry->sm, entry->suffix) &&
           arch_accepts(target, entry->sm, is_specific(entry));
}

static bool
fits(const struct fatbin_entry *entry, const struct fatbin_wish *wish)
{
    if (!entry->is_64bit)
        return false;
    if (entry->kind == FATBIN_CUBIN)
        return !wish->only_virtual && code_fits(entry, wish->target);
    return (entry->kind == FATBIN_PTX || entry->kind == FATBIN_LTO) &&
           arch_accepts_virtual(wish->target, entry->sm, entry->suffix);
}

/* Is the number of the target one that nvlink can make a name of? */
static bool
has_target(const struct fatbin_entry *entry)
{
    enum { LAST = 999 };

    switch (entry->kind) {
    case FATBIN_CUBIN:
        return arch_generation(entry->sm);
    case FATBIN_PTX:
    case FATBIN_LTO:
        return entry->sm && entry->sm <= LAST;
    }
    return true;
}

/* Of what fits, the newest target wins, then code over text, then the narrower target. For no suffix SASS alone wins over code
   with mercury. */
static int
compare(const struct fatbin_entry *a, const struct fatbin_entry *b)
{
    static const char order[] = "\0fa";

    if (a->sm != b->sm)
        return a->sm < b->sm ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind == FATBIN_CUBIN ? 1 : -1;
    const char *place_a = memchr(order, a->suffix, sizeof order);
    const char *place_b = memchr(order, b->suffix, sizeof order);
    if (place_a != place_b)
        return place_a < place_b ? -1 : 1;
    return a->suffix ? 0 : b->has_compat - a->has_compat;
}

/* Of equals the first is taken; of PTX for just the target's number, without a suffix, the last. */
static bool
is_better(const struct fatbin_entry *entry, const struct fatbin_entry *best,
          const struct fatbin_wish *wish)
{
    int order = best->kind ? compare(entry, best) : 1;
    bool is_exact = entry->kind == FATBIN_PTX && !entry->suffix && entry->sm == wish->target->sm;

    return order > 0 || (order == 0 && is_exact);
}

enum fatbin_result
fatbin_choose(struct bytes file, const struct fatbin_wish *wish, struct fatbin_entry *out)
{
    struct fatbin_entry best = {0}, best_lto = {0}, entry;

    if (file.size < CONTAINER_HEADER || !fatbin_has_magic(file) ||
        read_u16(file.at + 4) != CONTAINER_VERSION)
        return FATBIN_UNKNOWN;
    uint64_t at = read_u16(file.at + 6), size = read_u64(file.at + 8);
    uint64_t end = size < UINT64_MAX - at ? at + size : UINT64_MAX;
    while (at < end) {
        if (!read_entry(file, at, &entry, &at) || !lies_inside(file, &entry, end))
            return FATBIN_DAMAGED;
        if (!has_target(&entry))
            return FATBIN_UNKNOWN_TARGET;
        struct fatbin_entry *rival = entry.kind == FATBIN_LTO ? &best_lto : &best;
        if (fits(&entry, wish) && is_better(&entry, rival, wish))
            *rival = entry;
    }
    if (best_lto.kind && (wish->prefer_lto || !best.kind)) {
        *out = best_lto;
        return wish->prefer_lto ? FATBIN_CHOSEN : FATBIN_ONLY_LTO;
    }
    *out = best;
    if (best.is_scrambled)
        return FATBIN_DAMAGED;
    return best.kind ? FATBIN_CHOSEN : FATBIN_NO_MATCH;
}

enum unpacking
fatbin_unpack(struct unpacker *unpacker, const struct fatbin_entry *entry, struct bytes *out)
{
    if (entry->is_cut)
        return entry->compression == COMPRESSION_LZ4 ? UNPACKED_SIZE_DIFFERS : UNPACKING_FAILED;
    if (entry->compression)
        return decompress(unpacker, entry->compression, entry->payload, entry->unpacked_size, out);
    *out = entry->payload;
    return UNPACKED;
}
