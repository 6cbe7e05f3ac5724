# fringe_test(NAME [SLOW] [BOX SECONDS] [LABELS LABEL...] COMMAND ...): a test of ctest with a limit of its own, in
# seconds of processor time: 5; 60 where it is SLOW; 30 beside the two cores of a time box of BOX seconds. Labels decide
# which of the tiers runs it (tools/tiers.txt): "quick": make test; "nightly": make nightly; else make test-all. A test
# that is not SLOW, of a folder that is not left to later tiers, is quick.
set(LIMIT ${CMAKE_CURRENT_LIST_DIR}/limit.sh)
set(LIMIT_FACTOR 1)
if(CMAKE_CROSSCOMPILING)
  set(LIMIT_FACTOR 40) # under an emulator
elseif(FRINGE_SANITIZE)
  set(LIMIT_FACTOR 4)
endif()
set(LATER simt bench gpu instructions) # folders

function(fringe_test name)
  cmake_parse_arguments(PARSE_ARGV 1 TEST SLOW BOX "LABELS;COMMAND")
  set(limit 5)
  if(TEST_SLOW)
    set(limit 60)
    list(APPEND TEST_LABELS slow)
  elseif(TEST_BOX)
    math(EXPR limit "2 * ${TEST_BOX} + 30")
    list(APPEND TEST_LABELS slow)
  endif()
  math(EXPR limit "${limit} * ${LIMIT_FACTOR}")
  get_filename_component(folder ${CMAKE_CURRENT_SOURCE_DIR} NAME)
  if(NOT "slow" IN_LIST TEST_LABELS AND NOT folder IN_LIST LATER)
    list(APPEND TEST_LABELS quick)
  endif()
  if(NOT folder STREQUAL "tests")
    list(PREPEND TEST_LABELS ${folder})
  endif()
  string(REGEX MATCHALL "TARGET_FILE:[a-z0-9_]+" programs "${TEST_COMMAND}")
  list(TRANSFORM programs REPLACE "TARGET_FILE:" "")
  list(POP_FRONT TEST_COMMAND program)
  if(TARGET ${program})
    list(APPEND programs ${program})
    set(program $<TARGET_FILE:${program}>)
  endif()
  if("quick" IN_LIST TEST_LABELS)
    set_property(GLOBAL APPEND PROPERTY FRINGE_QUICK ${programs})
  elseif(NOT "nightly" IN_LIST TEST_LABELS)
    set_property(GLOBAL APPEND PROPERTY FRINGE_LATER ${programs})
  endif()
  add_test(NAME ${name} COMMAND ${LIMIT} ${limit} ${program} ${TEST_COMMAND})
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77 LABELS "${TEST_LABELS}"
    FAIL_REGULAR_EXPRESSION "more than its limit") # also where a test passes by what it prints
endfunction()

# The targets tests_quick and tests_later: the programs of the tests of `make test`, and what `make test-all` has beside.
function(fringe_test_programs)
  foreach(tier quick later)
    string(TOUPPER FRINGE_${tier} name)
    get_property(programs GLOBAL PROPERTY ${name})
    list(REMOVE_DUPLICATES programs)
    add_custom_target(tests_${tier} DEPENDS ${programs})
  endforeach()
endfunction()
