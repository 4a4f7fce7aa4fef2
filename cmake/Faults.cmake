# The command with reads that tests/faults.py makes short or lets fail.
add_executable(culd_short_reads ${command_sources} "${PROJECT_SOURCE_DIR}/tests/faults/short_reads.c")
target_include_directories(culd_short_reads PRIVATE include src)
target_link_libraries(culd_short_reads PRIVATE culd_inner culd_flags)
target_link_options(culd_short_reads PRIVATE -Wl,--wrap=read)
set_target_properties(culd_short_reads PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
