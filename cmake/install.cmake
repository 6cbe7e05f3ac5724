# What `make install` installs in addition to the command and its manuals (cli/CMakeLists.txt): header, both
# libraries, pkg-config file, CMake package. All of it may be moved as a whole after installation.
include(CMakePackageConfigHelpers)

set_target_properties(fringe_shared PROPERTIES EXPORT_NAME fringe)
install(FILES include/fringe.h include/fringe_measures.h include/fringe_ranks.h include/fringe_tune.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(FILES LICENSE README.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(TARGETS fringe_shared EXPORT fringe-shared LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS fringe_static EXPORT fringe-static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/fringe)
foreach(kind shared static)
  install(EXPORT fringe-${kind} NAMESPACE fringe:: DESTINATION ${package_dir})
endforeach()
configure_package_config_file(cmake/fringe-config.cmake.in fringe-config.cmake
  INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(fringe-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/fringe-config.cmake
  ${CMAKE_CURRENT_BINARY_DIR}/fringe-config-version.cmake DESTINATION ${package_dir})

# The way from the .pc file to the prefix, so that the file needs no absolute path.
file(RELATIVE_PATH pc_to_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
# Where the loader does not look by itself, programs that are built through the .pc file find the library by their rpath.
set(pc_rpath "-Wl,-rpath,\${libdir} ")
if(CMAKE_INSTALL_PREFIX STREQUAL "/usr" OR CMAKE_SKIP_INSTALL_RPATH)
  set(pc_rpath "")
endif()
set(pc_private "-fopenmp -lm")
if(LibArchive_FOUND)
  string(APPEND pc_private " -larchive")
endif()
if(FRINGE_HAVE_CUDA)
  string(APPEND pc_private " -L${CUDAToolkit_LIBRARY_DIR} -lcudadevrt -lcudart_static -lrt -lpthread -ldl -lstdc++")
endif()
configure_file(cmake/fringe.pc.in fringe.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/fringe.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
