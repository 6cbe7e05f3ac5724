# Sources that are compiled once per type: one object library per type, from one list of sources.
# They depend on fringe_flags alone, so the library and the tests' second build of it (tests/simt)
# link the same objects.
include(CheckSymbolExists)
list(FILTER FRINGE_SOURCES EXCLUDE REGEX "/src/cpu/.*/typed/")
set(FRINGE_TYPED_LIBRARIES "")
set(FRINGE_TYPED_OBJECTS "")

# An object library fringe_NAME of SOURCES with FRI_DEFINITION... defined.
function(fringe_typed name sources)
  list(TRANSFORM ARGN PREPEND FRI_)
  add_library(fringe_${name} OBJECT ${sources})
  target_compile_definitions(fringe_${name} PRIVATE ${ARGN})
  target_link_libraries(fringe_${name} PRIVATE fringe_flags)
  set(FRINGE_TYPED_LIBRARIES ${FRINGE_TYPED_LIBRARIES} fringe_${name} PARENT_SCOPE)
  set(FRINGE_TYPED_OBJECTS ${FRINGE_TYPED_OBJECTS} $<TARGET_OBJECTS:fringe_${name}> PARENT_SCOPE)
endfunction()

# The SSSP algorithms: per pair of weight type and distance type (src/cpu/sssp/typed/pair.h).
file(GLOB FRINGE_TYPED_SSSP CONFIGURE_DEPENDS src/cpu/sssp/typed/*.c)
foreach(pair I32_I32 I32_I64 I64_I64 F32_F32 F32_F64 F64_F64)
  string(TOLOWER sssp_${pair} name)
  fringe_typed(${name} "${FRINGE_TYPED_SSSP}" PAIR_${pair})
endforeach()

# Paths between vertices: per weight type (src/cpu/path/typed/search.h).
file(GLOB FRINGE_TYPED_PATH CONFIGURE_DEPENDS src/cpu/path/typed/*.c)
foreach(weight I32 I64 F32 F64)
  string(TOLOWER path_${weight} name)
  fringe_typed(${name} "${FRINGE_TYPED_PATH}" ROUTE_${weight})
endforeach()

# Floyd-Warshall: per type of the matrix and instruction set
# (src/cpu/apsp/floyd_warshall/typed/element.h).
set(FRINGE_FLOYD src/cpu/apsp/floyd_warshall/typed)
set(FRINGE_ISAS PORTABLE)
check_symbol_exists(__x86_64__ stdint.h FRINGE_X86_64)
if(FRINGE_X86_64)
  list(APPEND FRINGE_ISAS AVX2 AVX512)
endif()
foreach(element I32 I64 F32 F64)
  string(TOLOWER floyd_${element} name)
  fringe_typed(${name} ${FRINGE_FLOYD}/cells.c ELEMENT_${element})
  foreach(isa ${FRINGE_ISAS})
    string(TOLOWER floyd_${isa}_${element} name)
    fringe_typed(${name} ${FRINGE_FLOYD}/block.c ELEMENT_${element} ISA_${isa})
  endforeach()
endforeach()
