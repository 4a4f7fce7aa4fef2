/*
 * frame_record.h: one record of .debug_frame.
 *
 * A record of .debug_frame is a mark of the 64-bit form, a length, and that many bytes. Those that
 * describe a function (FDE) begin with the offset of the record of what they have in common with
 * others (CIE), then have the function's address and size; a CIE has all ones there.
 */
#ifndef CULD_MERCURY_FRAME_RECORD_H
#define CULD_MERCURY_FRAME_RECORD_H

#include "elfw/elfw.h"

enum {
    LENGTH_AT = 4,
    CIE_POINTER_AT = 12,
    FUNCTION_AT = 20,
    LENGTH_OF_CODE_AT = 28,
    CODE_AT = 36,
    EMPTY_FDE = 40, /* one without instructions */
};

#define MARK_64BIT UINT32_MAX
#define IS_CIE UINT64_MAX

/* Bytes of the record that begins there, 0: it is damaged. */
uint64_t frame_record_size(struct bytes section, uint64_t at);

/* Is a record that fits a CIE, which says what the frames behind it have in common? */
bool frame_record_is_cie(struct bytes section, uint64_t at);

/* How many there are from `*at` on, which becomes the place behind the last that can be read. */
uint32_t frame_record_count(struct bytes section, uint64_t *at);

/* Where a place of the code is said: an opcode, and how far it is from the last one. */
enum { FRAME_ADVANCE = 4, FRAME_ADVANCE_SIZE = 5 };

/* Bytes of the instruction that begins there; 0: it is not known, or does not fit. */
size_t frame_opcode_size(struct bytes frame, size_t at);

/* The frame of a shortened kernel: its places move. */
void frame_move(const struct function *function, uint8_t *frame, size_t size);

/* The same of the length that it says alone. */
void frame_move_length(const struct function *function, uint8_t *frame);

/* The first frame of a function whose definition was replaced, where places of mercury are not known:
   of the first place what the loser says, if the winner says nothing there; then what the winner
   says. */
struct bytes frame_join(struct arena *arena, const struct function *function, struct bytes loser,
                        struct bytes winner);

#endif
