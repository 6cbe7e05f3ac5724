# Dependencies, each refused in words that name its Debian package (tools/packages.txt has them all).
function(fringe_need found what package)
  if(NOT ${found})
    message(FATAL_ERROR "fringe needs ${what}, which is not found here. On Debian: apt-get install ${package}"
      " (make runs tools/setup.sh, which installs all that is missing).${ARGN}")
  endif()
endfunction()

# Before project(), whose own sentence names no package. A compiler that the caller names, or a toolchain file,
# is not looked for.
function(fringe_need_compiler)
  if(DEFINED CMAKE_C_COMPILER OR DEFINED ENV{CC} OR CMAKE_TOOLCHAIN_FILE)
    return()
  endif()
  find_program(FRINGE_CC NAMES cc gcc clang)
  fringe_need(FRINGE_CC "a C compiler" "gcc libc6-dev")
  execute_process(COMMAND ${FRINGE_CC} -x c -E -include stdlib.h /dev/null
    RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
  if(failed)
    set(headers OFF)
  else()
    set(headers ON)
  endif()
  fringe_need(headers "the C library's headers" libc6-dev)
endfunction()
