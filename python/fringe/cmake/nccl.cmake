# fringe-nccl.so, the transport between the GPUs of ranks: a plugin beside the library, where NCCL is found.
option(FRINGE_NCCL "Build fringe-nccl.so, ranks on GPUs, where NCCL is found" ON)
set(FRINGE_NCCL_ROOT "$ENV{NCCL_HOME}" CACHE PATH
  "Folder of NCCL, with include/nccl.h and lib/libnccl.so.2; first value: the environment variable NCCL_HOME")
if(NOT FRINGE_NCCL OR NOT FRINGE_HAVE_CUDA)
  return()
endif()
find_path(NCCL_INCLUDE nccl.h HINTS ${FRINGE_NCCL_ROOT} PATH_SUFFIXES include)
find_library(NCCL_LIBRARY NAMES libnccl.so.2 nccl HINTS ${FRINGE_NCCL_ROOT} PATH_SUFFIXES lib lib64)
if(NOT NCCL_INCLUDE OR NOT NCCL_LIBRARY)
  message(STATUS "fringe: without ranks on several GPUs, which need NCCL: -DFRINGE_NCCL_ROOT=FOLDER, "
    "site-packages/nvidia/nccl of PyPI's nvidia-nccl-cu12")
  return()
endif()
add_library(fringe_nccl MODULE plugins/fringe_nccl.c)
target_include_directories(fringe_nccl SYSTEM PRIVATE ${NCCL_INCLUDE} ${CUDAToolkit_INCLUDE_DIRS})
target_link_libraries(fringe_nccl PRIVATE fringe_flags ${NCCL_LIBRARY})
set_target_properties(fringe_nccl PROPERTIES PREFIX "" OUTPUT_NAME fringe-nccl INSTALL_RPATH_USE_LINK_PATH ON)
install(TARGETS fringe_nccl LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
