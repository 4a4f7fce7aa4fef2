# culd_use_toolkit(): CUDA code of this project is linked by culd.
#
#     project(app LANGUAGES CXX)
#     find_package(culd REQUIRED)
#     culd_use_toolkit([FOLDER folder] [CUDA folder])
#     enable_language(CUDA)
#
# Makes a CUDA toolkit whose nvlink is culd in FOLDER (default: culd-toolkit in
# the build tree) and lets CMake take its nvcc or, if CMAKE_CUDA_COMPILER is
# clang, its device linker. The toolkit behind it is the one in CUDA or else
# that of CMAKE_CUDA_COMPILER or CUDACXX, CUDAToolkit_ROOT, CUDA_PATH, the nvcc on
# PATH, the usual places. Sets culd_TOOLKIT to the folder.

# Where the caller wants CUDA from; empty: culd looks for it.
function(_culd_wanted_cuda compiler result)
    set(folder "")
    if(compiler MATCHES "/bin/nvcc$")
        string(REGEX REPLACE "/bin/nvcc$" "" folder "${compiler}")
    elseif(CUDAToolkit_ROOT)
        set(folder "${CUDAToolkit_ROOT}")
    elseif(DEFINED ENV{CUDAToolkit_ROOT})
        set(folder "$ENV{CUDAToolkit_ROOT}")
    endif()
    set(${result} "${folder}" PARENT_SCOPE)
endfunction()

function(culd_use_toolkit)
    cmake_parse_arguments(PARSE_ARGV 0 wanted "" "FOLDER;CUDA" "")
    if(wanted_UNPARSED_ARGUMENTS)
        message(FATAL_ERROR "culd_use_toolkit: unknown argument ${wanted_UNPARSED_ARGUMENTS}")
    endif()
    get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
    if("CUDA" IN_LIST languages)
        message(FATAL_ERROR "culd_use_toolkit comes before the language CUDA is enabled")
    endif()

    set(compiler "${CMAKE_CUDA_COMPILER}")
    if(NOT compiler)
        set(compiler "$ENV{CUDACXX}")
    endif()
    if(NOT wanted_FOLDER)
        set(wanted_FOLDER "${CMAKE_BINARY_DIR}/culd-toolkit")
    endif()
    if(NOT wanted_CUDA)
        _culd_wanted_cuda("${compiler}" wanted_CUDA)
    endif()
    if(wanted_CUDA)
        set(wanted_CUDA --cuda "${wanted_CUDA}")
    endif()
    execute_process(COMMAND "${culd_EXECUTABLE}" --make-toolkit "${wanted_FOLDER}" ${wanted_CUDA}
        RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said
        OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_STRIP_TRAILING_WHITESPACE)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "culd_use_toolkit: ${said}")
    endif()
    message(STATUS "${said}")

    # clang, which is named by its own path, takes the toolkit from this variable.
    if(NOT compiler OR compiler MATCHES "nvcc$")
        set(CMAKE_CUDA_COMPILER "${wanted_FOLDER}/bin/nvcc" CACHE FILEPATH "CUDA compiler" FORCE)
        set(CMAKE_CUDA_COMPILER "${wanted_FOLDER}/bin/nvcc" PARENT_SCOPE)
    endif()
    set(CUDAToolkit_ROOT "${wanted_FOLDER}" CACHE PATH "CUDA toolkit" FORCE)
    set(CUDAToolkit_ROOT "${wanted_FOLDER}" PARENT_SCOPE)
    set(culd_TOOLKIT "${wanted_FOLDER}" PARENT_SCOPE)
endfunction()
