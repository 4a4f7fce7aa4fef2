#include "elfw/view.h"

#include "cubin/cubin.h"

const struct link_view sass_link = {
    .file_kind = CUBIN_FLAG_SASS,
    .user_bank = ".nv.constant3",
    .function_banks = ".nv.constant2.",
    .image_slot_align = 4,
    .has_relocation_actions = true,
    .layout_reserves_shared = true,
};

const struct link_view mercury_link = {
    .file_kind = CUBIN_FLAG_MERCURY,
    .is_mercury = true,
    .user_bank = ".nv.constant.user",
    .function_banks = ".nv.constant.optimizer.",
    .image_banks = ".nv.constant.entry_image_header_indices.",
    .image_slot_align = 16,
    .loader_objects_are_cuda = true,
};
