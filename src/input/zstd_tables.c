#include "input/zstd_tables.h"

/* Weights are packed by states of finite state entropy, each of which stands for a weight, and reads bits to
   find the next one. */
enum {
    MOST_CODES = 256,
    MOST_WEIGHT = ZSTD_MOST_HUFFMAN_BITS,
    MOST_LOG = 6,
    MOST_STATES = 1 << MOST_LOG,
};

struct states {
    unsigned log; /* of how many there are */
    struct state {
        uint8_t code, bits;
        uint16_t next; /* what they are added to */
    } at[MOST_STATES];
};

static void
skip_bytes(struct bytes *bytes, size_t count)
{
    *bytes = (struct bytes){bytes->at + count, bytes->size - count};
}

/* ---- states ---- */

/* The codes of all states, spread over them: those with less than one part stand at the end. */
static bool
spread_codes(struct states *states, const int16_t *parts, unsigned count)
{
    unsigned size = 1u << states->log, high = size, at = 0;
    unsigned step = (size >> 1) + (size >> 3) + 3;

    for (unsigned code = 0; code < count; code++)
        if (parts[code] < 0 && high)
            states->at[--high].code = (uint8_t)code;
    for (unsigned code = 0; code < count; code++)
        for (int i = 0; i < parts[code]; i++) {
            states->at[at].code = (uint8_t)code;
            do
                at = (at + step) & (size - 1);
            while (at >= high && high);
        }
    return at == 0;
}

static bool
has_sum(const int16_t *parts, unsigned count, unsigned sum)
{
    for (unsigned code = 0; code < count; code++) {
        unsigned part = parts[code] < 0 ? 1 : (unsigned)parts[code];

        if (part > sum)
            return false;
        sum -= part;
    }
    return sum == 0;
}

/* Each code with the number of its parts; -1: less than one. */
static bool
make_states(struct states *states, unsigned log, const int16_t *parts, unsigned count)
{
    uint16_t next[MOST_CODES];

    states->log = log;
    if (!has_sum(parts, count, 1u << log) || !spread_codes(states, parts, count))
        return false;
    for (unsigned code = 0; code < count; code++)
        next[code] = parts[code] < 0 ? 1 : (uint16_t)parts[code];
    for (unsigned i = 0; i < 1u << log; i++) {
        struct state *state = &states->at[i];
        unsigned number = next[state->code]++;

        state->bits = (uint8_t)(log - highest_bit(number));
        state->next = (uint16_t)((number << state->bits) - (1u << log));
    }
    return true;
}

/* Bits from the beginning on. */
struct forward {
    struct bytes bytes;
    uint64_t at;
};

static uint32_t
take_bits(struct forward *from, unsigned count)
{
    uint64_t byte = from->at / 8, word = 0;

    if (byte < from->bytes.size) {
        size_t left = from->bytes.size - byte;
        memcpy(&word, from->bytes.at + byte, left < sizeof word ? left : sizeof word);
    }
    word >>= from->at % 8;
    from->at += count;
    return (uint32_t)(word & (((uint64_t)1 << count) - 1));
}

/* A number up to `most`: the smaller ones have a bit less. */
static uint32_t
take_up_to(struct forward *from, uint32_t most)
{
    unsigned bits = highest_bit(most) + 1;
    uint32_t half = (1u << (bits - 1)) - 1, short_ones = (1u << bits) - 1 - most;
    uint32_t value = take_bits(from, bits);

    if ((value & half) < short_ones) {
        from->at--;
        return value & half;
    }
    return value > half ? value - short_ones : value;
}

/* Takes the parts from the beginning of the bytes. */
static bool
read_states(struct states *states, struct bytes *bytes)
{
    enum { LEAST_LOG = 5, LOG_BITS = 4, MORE = 3 };
    struct forward from = {*bytes, 0};
    int16_t parts[MOST_CODES] = {0};
    unsigned log = take_bits(&from, LOG_BITS) + LEAST_LOG, code = 0;
    int32_t left = 1 << log;

    if (log > MOST_LOG)
        return false;
    while (left > 0 && code < MOST_CODES) {
        int32_t part = (int32_t)take_up_to(&from, (uint32_t)left + 1) - 1;

        left -= part < 0 ? 1 : part;
        parts[code++] = (int16_t)part;
        for (uint32_t none = part ? 0 : MORE; none == MORE; code += none)
            none = take_bits(&from, 2);
    }
    size_t size = (from.at + 7) / 8;
    if (left || code > MOST_CODES || size > bytes->size)
        return false;
    skip_bytes(bytes, size);
    return make_states(states, log, parts, code);
}

/* ---- Huffman codes ---- */

/* How many can be read at once. */
enum { AT_ONCE = 8 };
_Static_assert(AT_ONCE *MOST_LOG <= ZSTD_BITS_AT_ONCE, "a word has all of their bits");

static void
unpack_at_once(const struct states *states, struct zstd_bits *bits, uint32_t state[2],
               uint8_t *weights)
{
    uint64_t word = zstd_bits_word(bits);

    for (unsigned i = 0; i < AT_ONCE; i++) {
        const struct state *now = &states->at[state[i % 2]];

        weights[i] = now->code;
        state[i % 2] = now->next + (uint32_t)(word >> 1 >> (63 - now->bits));
        word <<= now->bits;
        bits->left -= now->bits;
    }
}

/* Weights of bytes, packed by two states that take turns. 0: damaged. */
static unsigned
unpack_weights(struct bytes packed, uint8_t *weights)
{
    struct states states;
    struct zstd_bits bits;
    uint32_t state[2];
    unsigned count = 0;

    if (!read_states(&states, &packed) || !zstd_bits_open(&bits, packed))
        return 0;
    state[0] = zstd_bits_read(&bits, states.log);
    state[1] = zstd_bits_read(&bits, states.log);
    for (; count < MOST_CODES - AT_ONCE && bits.left >= ZSTD_BITS_AT_ONCE; count += AT_ONCE)
        unpack_at_once(&states, &bits, state, weights + count);
    while (count < MOST_CODES - 2) {
        uint32_t *turn = &state[count % 2];
        const struct state *now = &states.at[*turn];

        weights[count++] = now->code;
        if (bits.left < now->bits) {
            weights[count] = states.at[state[count % 2]].code;
            return count + 1;
        }
        *turn = now->next + zstd_bits_read(&bits, now->bits);
    }
    return 0;
}

/* The weights that are said; 0: damaged. */
static unsigned
read_weights(struct bytes *bytes, uint8_t *weights)
{
    enum { FIRST_PLAIN = 128 };

    if (!bytes->size)
        return 0;
    unsigned head = bytes->at[0], count = head - FIRST_PLAIN + 1;
    size_t size = head < FIRST_PLAIN ? head : (count + 1) / 2;
    if (!bytes_hold(*bytes, 1, size))
        return 0;
    struct bytes packed = {bytes->at + 1, size};
    skip_bytes(bytes, 1 + size);
    if (head < FIRST_PLAIN)
        return unpack_weights(packed, weights);
    for (unsigned i = 0; i < count; i++)
        weights[i] = i % 2 ? packed.at[i / 2] & 15 : packed.at[i / 2] >> 4;
    return count;
}

/* That of the last byte is what is missing to a power of two. `next` is where codes of a weight begin: behind all of
   less. */
static bool
add_last_weight(struct zstd_codes *codes, uint8_t *weights, unsigned count,
                uint32_t next[MOST_WEIGHT + 1])
{
    uint32_t of_weight[MOST_WEIGHT + 1] = {0}, sum = 0;

    for (unsigned i = 0; i < count; i++) {
        if (weights[i] > MOST_WEIGHT)
            return false;
        of_weight[weights[i]]++;
    }
    for (unsigned weight = 1; weight <= MOST_WEIGHT; weight++)
        sum += of_weight[weight] << (weight - 1);
    codes->bits = sum ? highest_bit(sum) + 1 : 0;
    uint32_t rest = (1u << codes->bits) - sum;
    if (!sum || codes->bits > ZSTD_MOST_HUFFMAN_BITS || !is_power_of_two(rest))
        return false;
    weights[count] = (uint8_t)(highest_bit(rest) + 1);
    of_weight[weights[count]]++;
    if (!of_weight[1]) /* the library asks for the longest codes, too */
        return false;
    next[0] = next[1] = 0;
    for (unsigned weight = 1; weight < MOST_WEIGHT; weight++)
        next[weight + 1] = next[weight] + (of_weight[weight] << (weight - 1));
    return true;
}

static void
fill(uint16_t *at, uint16_t code, unsigned size)
{
    enum { FILLED_AT_ONCE = 4 };
    uint64_t four = code * UINT64_C(0x0001000100010001);

    if (size < FILLED_AT_ONCE) {
        for (unsigned i = 0; i < size; i++)
            at[i] = code;
        return;
    }
    for (unsigned i = 0; i < size; i += FILLED_AT_ONCE)
        memcpy(at + i, &four, sizeof four);
}

bool
zstd_read_codes(struct zstd_codes *codes, struct bytes *bytes)
{
    uint8_t weights[MOST_CODES + 1];
    uint32_t next[MOST_WEIGHT + 1];
    unsigned count = read_weights(bytes, weights);

    if (!count || !add_last_weight(codes, weights, count, next))
        return false;
    for (unsigned i = 0; i <= count; i++) {
        unsigned weight = weights[i], size = (1u << weight) >> 1;

        fill(codes->at + next[weight], (uint16_t)(i << 8 | (codes->bits + 1 - weight)), size);
        next[weight] += size;
    }
    return true;
}
