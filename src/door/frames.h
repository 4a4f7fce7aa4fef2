/*
 * frames.h: the entries of a .debug_frame and the functions that they describe, for those who look at
 * both views.
 */
#ifndef CULD_DOOR_FRAMES_H
#define CULD_DOOR_FRAMES_H

#include "door/check.h"
#include "mercury/code_places.h"
#include "mercury/frame_record.h"

struct frames {
    const struct door *door;
    uint32_t section;
    struct bytes contents;
    uint8_t *places;
    bool is_linked;      /* what a relocatable link wrote, and is understood */
    size_t open;         /* places of functions that no relocation was found for so far */
    uint32_t *functions; /* of each entry, by its place: the symbol that both relocations name */
    uint32_t *cies;      /* ... and where its CIE is */
};

/* Without a look at its contents. */
struct frames unread_frames(const struct door *door, uint32_t section);

/* Fatal if its relocations are not those that it has to have. */
struct frames read_frames(const struct door *door, uint32_t section);

/* Bytes of the opcode there; 0: no tool writes it into a frame. */
size_t frame_written_size(struct bytes fde, size_t at);

/* Where an entry says what no tool says of a frame; 0: nowhere. It is as long as the head of an FDE. */
size_t find_odd_opcode(struct bytes entry);

/* The symbol that the entry there describes; 0: none. */
uint32_t frame_function(const struct frames *frames, uint64_t at);

/* The instructions of that function; NULL: they are not known. */
const struct code_map *map_of_function(const struct frames *frames, uint32_t function,
                                       struct code_map *const *maps);

/* Does a frame of SASS say what that of mercury says, from and up to the same instructions? */
bool is_same_frame(const struct frames *frames, uint32_t function, const struct code_map *map,
                   struct bytes mercury, struct bytes sass);

/* Do the frames of the function, or two CIEs, say the same? Few must be looked at more closely: that of a
   function of one instruction may go back. */
bool is_same_at(const struct frames *frames, uint32_t function, struct bytes mercury,
                struct bytes sass, struct code_map *const *maps);

/* Are frames and their relocations the same in both views, and as compilers write them? Nearly always, and
   no more than one walk is needed. They have not been read; those of SASS were checked. */
bool are_plain_frames(const struct frames *frames, uint32_t table, struct code_map *const *maps);

static inline struct bytes
frame_at(struct bytes section, uint64_t at)
{
    return (struct bytes){section.at + at, frame_record_size(section, at)};
}

/* Of what a relocatable link wrote. False: mercury has more frames. */
bool check_linked_frames(const struct frames *mercury, struct bytes sass, struct bytes sass_table,
                         struct code_map *const *maps);

#endif
