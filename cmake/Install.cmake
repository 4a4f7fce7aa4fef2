# The command, the library with its header, the manual page, and the files by
# which pkg-config and find_package(culd) find them.
include(CMakePackageConfigHelpers)

set(culd_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/culd")

install(TARGETS culd RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(TARGETS ${culd_libraries} EXPORT culdTargets
    ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(FILES include/culd.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(FILES docs/culd.1 DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
install(FILES README.md LICENSE CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")

# pkg-config: the prefix is found from the file's own place, so that an
# installed tree can be moved.
set(pkgconfig_dir "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH culd_up "/prefix/${pkgconfig_dir}" "/prefix")
string(REGEX REPLACE "/$" "" culd_up "${culd_up}")
configure_file(cmake/culd.pc.in culd.pc @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/culd.pc" DESTINATION "${pkgconfig_dir}")

# find_package(culd): the targets culd::culd (the library) and culd::program (the
# command), the variable culd_EXECUTABLE, the function culd_use_toolkit.
configure_package_config_file(cmake/culdConfig.cmake.in culdConfig.cmake
    INSTALL_DESTINATION "${culd_package_dir}"
    PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(culdConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES
    "${PROJECT_BINARY_DIR}/culdConfig.cmake"
    "${PROJECT_BINARY_DIR}/culdConfigVersion.cmake"
    cmake/culdToolkit.cmake
    DESTINATION "${culd_package_dir}")
install(EXPORT culdTargets NAMESPACE culd:: DESTINATION "${culd_package_dir}")
