# Writes FILE with the commit of SOURCE (or COMMIT, when given), and only when it changed.
cmake_minimum_required(VERSION 3.20)
if(NOT COMMIT)
  execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=12 --exclude=*
    OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
if(NOT COMMIT)
  set(COMMIT unknown)
endif()
file(CONFIGURE OUTPUT ${FILE} CONTENT "#define FRINGE_COMMIT \"@COMMIT@\"\n" @ONLY)
