# What the extension module links, ${PYFRINGE_LINKED}: the library built with it, or an installed one.
option(PYFRINGE_SHARED "Link an installed shared library, found by find_package(fringe)" OFF)
if(PYFRINGE_SHARED)
  find_package(fringe REQUIRED)
  set(PYFRINGE_LINKED fringe::fringe)
  return()
endif()

set(PYFRINGE_BUILT "" CACHE PATH "Link the static library of that build folder, as the tests do, instead of a new one")
if(PYFRINGE_BUILT)
  find_package(LibArchive REQUIRED)
  set(PYFRINGE_LINKED ${PYFRINGE_BUILT}/libfringe.a LibArchive::LibArchive ${CMAKE_DL_LIBS} m)
  return()
endif()

set(FRINGE_LIBRARY_ONLY ON CACHE BOOL "")
set(FRINGE_TESTS OFF CACHE BOOL "")
set(FRINGE_COUNTING OFF CACHE BOOL "")
# A GPU's kernels take minutes to compile: only where there is a GPU to run them.
set(FRINGE_CUDA GPU CACHE STRING "")
# Release wheels link libarchive's static library and those of the decompressors that fringe uses of it: the shared one
# of Debian brings libxml2 and ICU, 37 MB. Debian's libbz2.a is no position-independent code, so that one remains
# shared, and so does libnettle, which has other terms.
option(PYFRINGE_STATIC_ARCHIVE "Link libarchive statically" OFF)
if(PYFRINGE_STATIC_ARCHIVE)
  find_library(LibArchive_LIBRARY libarchive.a REQUIRED)
  find_library(PYFRINGE_ZSTD libzstd.a REQUIRED)
  find_library(PYFRINGE_LZMA liblzma.a REQUIRED)
  find_library(PYFRINGE_BZ2 bz2 REQUIRED)
  find_library(PYFRINGE_Z libz.a REQUIRED)
  find_library(PYFRINGE_NETTLE nettle REQUIRED) # of libarchive's reader of zip, which knows encrypted files
endif()
find_package(LibArchive QUIET)
if(PYFRINGE_STATIC_ARCHIVE)
  set_property(TARGET LibArchive::LibArchive APPEND PROPERTY INTERFACE_LINK_LIBRARIES
    ${PYFRINGE_ZSTD} ${PYFRINGE_LZMA} ${PYFRINGE_BZ2} ${PYFRINGE_Z} ${PYFRINGE_NETTLE})
endif()
if(NOT LibArchive_FOUND)
  message(STATUS "no libarchive here: Graph.load reads no compressed files")
endif()
set(FRINGE_ARCHIVE ${LibArchive_FOUND} CACHE BOOL "")
add_subdirectory(${library} fringe EXCLUDE_FROM_ALL)
set(PYFRINGE_LINKED fringe_static)
get_directory_property(cuda DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/fringe DEFINITION FRINGE_HAVE_CUDA)
if(cuda) # kernels that launch kernels need the device's runtime, which CMake adds in the library's own folder only
  get_directory_property(cuda DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/fringe DEFINITION CUDAToolkit_LIBRARY_DIR)
  list(APPEND PYFRINGE_LINKED ${cuda}/libcudadevrt.a)
endif()
