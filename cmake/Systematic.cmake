# The worker of tests/live/systematic.py, made on demand: cmake --build BUILD --target systematic
file(GLOB systematic_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/live/systematic/*.c")
add_executable(systematic EXCLUDE_FROM_ALL ${systematic_sources})
target_include_directories(systematic PRIVATE src)
target_link_libraries(systematic PRIVATE culd_inner culd_flags)
set_target_properties(systematic PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests")
