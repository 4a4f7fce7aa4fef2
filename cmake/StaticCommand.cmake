# The command carries the C library inside, too, where its static form is installed: nothing is then loaded or
# bound when it starts, which is a sixth of what a small link takes. It stays position-independent.
# Sanitizers need the shared form.
include(CheckCSourceCompiles)
include(CMakePushCheckState)
set(culd_can_be_static FALSE)
if("${CULD_zstd} ${CULD_lz4}" MATCHES "\\.a .*\\.a$" AND NOT CULD_SANITIZE)
    cmake_push_check_state(RESET)
    set(CMAKE_REQUIRED_FLAGS -fPIE)
    set(CMAKE_REQUIRED_LINK_OPTIONS -static-pie)
    check_c_source_compiles("#include <stdio.h>\nint main(void) { return puts(\"\") < 0; }" culd_static_pie_works)
    cmake_pop_check_state()
    set(culd_can_be_static ${culd_static_pie_works})
endif()

option(CULD_STATIC "Link the command with the static C library" ${culd_can_be_static})
if(CULD_STATIC)
    # By its property CMake would add -pie, which takes -static-pie back.
    set_property(TARGET culd PROPERTY POSITION_INDEPENDENT_CODE)
    target_compile_options(culd PRIVATE -fPIE)
    target_link_options(culd PRIVATE -static-pie)
endif()
