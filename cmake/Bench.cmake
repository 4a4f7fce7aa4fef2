# The programs that bench/run needs, made on demand: cmake --build BUILD --target bench_programs
add_custom_target(bench_programs)
foreach(name launch floor compress)
    add_executable(bench_${name} EXCLUDE_FROM_ALL "${PROJECT_SOURCE_DIR}/bench/programs/${name}.c")
    target_link_libraries(bench_${name} PRIVATE culd_flags ${culd_compression})
    set_target_properties(bench_${name} PROPERTIES
        OUTPUT_NAME ${name}
        RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bench")
    add_dependencies(bench_programs bench_${name})
endforeach()
