# zstd and LZ4, by which fatbins are compressed. The command carries them inside
# where their static forms are installed: it then starts without loading them.
option(CULD_STATIC_COMPRESSION "Link zstd and LZ4 statically where possible" ON)

set(culd_compression)
foreach(library zstd lz4)
    set(names ${library})
    if(CULD_STATIC_COMPRESSION)
        list(PREPEND names lib${library}.a)
    endif()
    find_library(CULD_${library} NAMES ${names} REQUIRED)
    find_path(CULD_${library}_include ${library}.h REQUIRED)
    # Whoever links with the installed library finds them by name.
    list(APPEND culd_compression
        $<BUILD_INTERFACE:${CULD_${library}}> $<INSTALL_INTERFACE:${library}>)
endforeach()
