# culd_flags: how culd's own code is compiled and linked. Nothing here reaches
# those who link with the installed library.
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)

add_library(culd_flags INTERFACE)

# The sources are strict C17 with the functions of POSIX 2008.
target_compile_definitions(culd_flags INTERFACE
    _XOPEN_SOURCE=700
    CULD_VERSION="${PROJECT_VERSION}")

target_compile_options(culd_flags INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes
    -Wpointer-arith -Wwrite-strings -Wvla -Wformat=2 -Wno-format-nonliteral -Wundef
    $<$<BOOL:${CULD_WERROR}>:-Werror>)

# Inputs are untrusted: what the compiler and the loader can guard, they guard.
target_compile_options(culd_flags INTERFACE -fstack-protector-strong)
if(NOT APPLE)
    target_link_options(culd_flags INTERFACE -Wl,-z,relro -Wl,-z,now)
endif()

if(CULD_SANITIZE)
    # Some optimisation makes the tests bearable and keeps the reports exact.
    target_compile_options(culd_flags INTERFACE $<$<CONFIG:Debug>:-O1>)
    set(sanitize -fsanitize=${CULD_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
    target_compile_options(culd_flags INTERFACE ${sanitize})
    target_compile_definitions(culd_flags INTERFACE CULD_SANITIZED)
    target_link_options(culd_flags INTERFACE ${sanitize})
else()
    # Needs optimisation, and hides from the sanitizers the calls they watch.
    target_compile_options(culd_flags INTERFACE
        $<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE$<SEMICOLON>-D_FORTIFY_SOURCE=2>)
endif()

# Optimised builds are optimised for speed; the command also across its files. For any x86-64 GCC clears
# small structures by an instruction that takes longer than all else that is done with them; for a
# processor of the last ten years it does not, and the code runs on the others as well.
include(CheckCCompilerFlag)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND NOT CMAKE_C_FLAGS MATCHES "-m(arch|cpu|tune)=")
    check_c_compiler_flag(-mtune=skylake culd_can_tune)
endif()
include(CheckIPOSupported)
check_ipo_supported(RESULT culd_has_ipo OUTPUT culd_no_ipo LANGUAGES C)
if(CMAKE_BUILD_TYPE MATCHES "^Rel" AND NOT CULD_SANITIZE)
    target_compile_options(culd_flags INTERFACE -O3 $<$<BOOL:${culd_can_tune}>:-mtune=skylake>)
else()
    set(culd_has_ipo FALSE)
endif()
option(CULD_IPO "Optimise the command across files" ${culd_has_ipo})
