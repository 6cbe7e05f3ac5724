# The files of the folders `typed` are compiled once per pair of weight type and distance type (src/cpu/typed.h): an
# object library per pair. They depend on fringe_flags alone, so the library and the tests' second build of it
# (tests/simt) link the same objects.
list(FILTER FRINGE_SOURCES EXCLUDE REGEX "^src/.*/typed/")
set(FRINGE_TYPED_LIBRARIES "")
set(FRINGE_TYPED_OBJECTS "")
file(GLOB all CONFIGURE_DEPENDS src/cpu/sssp/typed/*.c)                         # FRI_ALL_PAIRS
file(GLOB wide CONFIGURE_DEPENDS src/cpu/path/typed/*.c src/ranks/typed/*.c)    # FRI_WIDE_PAIRS
file(GLOB equal CONFIGURE_DEPENDS src/cpu/apsp/floyd_warshall/typed/*.c)        # FRI_EQUAL_PAIRS

function(fringe_typed weight dist)
  set(name fringe_${weight}_${dist})
  add_library(${name} OBJECT ${ARGN})
  target_compile_definitions(${name} PRIVATE FRI_WEIGHT=${weight} FRI_DIST=${dist})
  target_link_libraries(${name} PRIVATE fringe_flags)
  # gcc's -fsplit-paths, of -O3, makes branches of selections: int32 distances without parents take 1.3 to 1.5 times as long on
  # roads and grids.
  target_compile_options(${name} PRIVATE $<$<C_COMPILER_ID:GNU>:-fno-split-paths>)
  set(FRINGE_TYPED_LIBRARIES ${FRINGE_TYPED_LIBRARIES} ${name} PARENT_SCOPE)
  set(FRINGE_TYPED_OBJECTS ${FRINGE_TYPED_OBJECTS} $<TARGET_OBJECTS:${name}> PARENT_SCOPE)
endfunction()

fringe_typed(I32 I32 ${all} ${equal})
fringe_typed(I32 I64 ${all} ${wide})
fringe_typed(I64 I64 ${all} ${wide} ${equal})
fringe_typed(F32 F32 ${all} ${equal})
fringe_typed(F32 F64 ${all} ${wide})
fringe_typed(F64 F64 ${all} ${wide} ${equal})
target_compile_definitions(fringe_I64_I64 PRIVATE FRI_ONCE) # in all lists of pairs
