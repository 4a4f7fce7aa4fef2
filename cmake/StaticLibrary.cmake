# libculd.a: one object, in which only the names of culd.h can be seen from outside.
# Inner names, of which there are hundreds, then clash with none of the program that
# uses the library. Sanitizers want the objects as they were compiled.
if(CMAKE_OBJCOPY AND NOT CULD_SANITIZE AND NOT APPLE)
    set(culd_joined "${PROJECT_BINARY_DIR}/culd-joined.o")
    set(culd_public "${PROJECT_BINARY_DIR}/culd-public.o")
    add_custom_command(OUTPUT "${culd_public}"
        COMMAND "${CMAKE_LINKER}" -r -o "${culd_joined}" $<TARGET_OBJECTS:culd_objects>
        COMMAND "${CMAKE_OBJCOPY}" --wildcard "--keep-global-symbol=culd_*"
            "${culd_joined}" "${culd_public}"
        DEPENDS culd_objects $<TARGET_OBJECTS:culd_objects>
        COMMAND_EXPAND_LISTS VERBATIM)
    add_library(libculd STATIC "${culd_public}")
    set_target_properties(libculd PROPERTIES LINKER_LANGUAGE C)
else()
    add_library(libculd STATIC $<TARGET_OBJECTS:culd_objects>)
endif()
