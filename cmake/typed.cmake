# The SSSP algorithms (src/cpu/sssp/typed) are compiled once per pair of weight type and distance
# type: one object library per pair, from one list of sources. They depend on fringe_flags alone, so
# the library and the tests' second build of it (tests/simt) link the same objects.
set(FRINGE_PAIRS i32_i32 i32_i64 i64_i64 f32_f32 f32_f64 f64_f64)
list(FILTER FRINGE_SOURCES EXCLUDE REGEX "/src/cpu/sssp/typed/")
file(GLOB FRINGE_TYPED_SOURCES CONFIGURE_DEPENDS src/cpu/sssp/typed/*.c)
set(FRINGE_TYPED_OBJECTS "")
foreach(pair ${FRINGE_PAIRS})
  add_library(fringe_sssp_${pair} OBJECT ${FRINGE_TYPED_SOURCES})
  string(TOUPPER FRI_PAIR_${pair} definition)
  target_compile_definitions(fringe_sssp_${pair} PRIVATE ${definition})
  target_link_libraries(fringe_sssp_${pair} PRIVATE fringe_flags)
  list(APPEND FRINGE_TYPED_OBJECTS $<TARGET_OBJECTS:fringe_sssp_${pair}>)
endforeach()
