# random_program(NAME LIBRARY): the random test of the public interface against one library. Also for tests/simt and
# tests/gpu.
file(GLOB RANDOM_SOURCES CONFIGURE_DEPENDS ${CMAKE_CURRENT_LIST_DIR}/*.c)
set(RANDOM_FOLDER ${CMAKE_CURRENT_LIST_DIR})
if(NOT TARGET random_commit)
  add_custom_target(random_commit BYPRODUCTS ${CMAKE_BINARY_DIR}/random/commit.h
    COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_BINARY_DIR}/random
    COMMAND ${CMAKE_COMMAND} -DCOMMIT=${FRINGE_COMMIT} -DSOURCE=${CMAKE_SOURCE_DIR}
      -DFILE=${CMAKE_BINARY_DIR}/random/commit.h -P ${CMAKE_SOURCE_DIR}/cmake/commit.cmake VERBATIM)
endif()

function(random_program name library)
  add_executable(${name} ${RANDOM_SOURCES})
  target_include_directories(${name} PRIVATE ${RANDOM_FOLDER} ${CMAKE_BINARY_DIR}/random)
  target_link_libraries(${name} PRIVATE fringe_flags ${library} pthread m)
  set_target_properties(${name} PROPERTIES ENABLE_EXPORTS ON) # names in backtraces
  target_compile_options(${name} PRIVATE -fvisibility=default)
  add_dependencies(${name} random_commit)
endfunction()

# A test that runs it for `seconds` seconds, with further labels.
function(random_test name program seconds labels)
  fringe_test(${name} BOX ${seconds} LABELS ${labels}
    COMMAND ${program} --seconds ${seconds} --found ${CMAKE_BINARY_DIR}/random-found ${ARGN})
endfunction()
