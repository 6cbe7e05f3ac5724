# The GPU side: built where nvcc is found, left out in words where it is not. The CUDA runtime is
# linked statically, so that the library loads where there is no driver.
list(FILTER FRINGE_SOURCES EXCLUDE REGEX "^src/cuda/")
file(GLOB_RECURSE FRINGE_CUDA_SOURCES RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} CONFIGURE_DEPENDS src/cuda/*.c src/cuda/*.cu
  papers/bfs/*.c papers/bfs/*.cu papers/sssp/*.cu)
set(FRINGE_HAVE_CUDA OFF)
# What a build with FRINGE_GPU_STRATEGIES=auto has of src/cuda: the strategies of CUDA_AUTO in src/core/registry.c and
# what they call. tests/simt links these with the kernels on the host.
set(FRINGE_CUDA_AUTO "(papers/sssp/topology_bf|src/cuda/((device|graph|bfs/auto|sssp/auto)/|drivers/(apsp|bfs|persistent|query|sssp)))")

# The compute capability of the first GPU, "90" for 9.0; empty where nvidia-smi lists none.
function(fringe_gpu_at_hand result)
  execute_process(COMMAND nvidia-smi --query-gpu=compute_cap --format=csv,noheader
    OUTPUT_VARIABLE capability RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  set(${result} "" PARENT_SCOPE)
  if(NOT failed AND capability MATCHES "^([0-9]+)[.]([0-9])")
    set(${result} ${CMAKE_MATCH_1}${CMAKE_MATCH_2} PARENT_SCOPE)
  endif()
endfunction()

# "75-real;80-real;...;120": what nvcc knows of the list (100 and 120 need CUDA 12.8), PTX for the last.
function(fringe_release_architectures known result)
  set(list "")
  foreach(arch 75 80 86 89 90 100 120)
    if(known MATCHES "compute_${arch}[^0-9]")
      list(TRANSFORM list REPLACE "^([0-9]+)$" "\\1-real")
      list(APPEND list ${arch})
    endif()
  endforeach()
  set(${result} ${list} PARENT_SCOPE)
endfunction()

if(NOT FRINGE_CUDA MATCHES "^(AUTO|GPU|ON|OFF)$")
  message(FATAL_ERROR "FRINGE_CUDA is AUTO, GPU, ON or OFF, not ${FRINGE_CUDA}")
endif()
if(NOT FRINGE_GPU_STRATEGIES MATCHES "^(all|auto)$")
  message(FATAL_ERROR "FRINGE_GPU_STRATEGIES is all or auto, not ${FRINGE_GPU_STRATEGIES}")
elseif(FRINGE_GPU_STRATEGIES STREQUAL "auto" AND FRINGE_TESTS)
  message(FATAL_ERROR "The tests need all GPU strategies: FRINGE_GPU_STRATEGIES=auto goes with FRINGE_TESTS=OFF")
endif()

# Why there are no GPU strategies; empty: they are built.
fringe_gpu_at_hand(FRINGE_GPU)
set(FRINGE_CUDA_LACKS "")
if(FRINGE_CUDA STREQUAL "OFF")
  set(FRINGE_CUDA_LACKS "FRINGE_CUDA is OFF")
elseif(FRINGE_SANITIZE)
  set(FRINGE_CUDA_LACKS "not with sanitizers")
elseif(FRINGE_CUDA STREQUAL "GPU" AND NOT FRINGE_GPU)
  set(FRINGE_CUDA_LACKS "no GPU here")
elseif(NOT CMAKE_CUDA_COMPILER)
  if(DEFINED ENV{CUDACXX})
    set(CMAKE_CUDA_COMPILER $ENV{CUDACXX})
  else()
    find_program(FRINGE_NVCC nvcc HINTS /usr/local/cuda/bin)
    if(FRINGE_NVCC)
      set(CMAKE_CUDA_COMPILER ${FRINGE_NVCC})
    else()
      set(FRINGE_CUDA_LACKS "no nvcc here (NVIDIA's CUDA toolkit has it)")
    endif()
  endif()
endif()

if(NOT FRINGE_CUDA_LACKS)
  execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --list-gpu-arch OUTPUT_VARIABLE known)
  execute_process(COMMAND ${CMAKE_CUDA_COMPILER} --help OUTPUT_VARIABLE options)
  if(FRINGE_CUDA_ARCHITECTURES STREQUAL "release")
    fringe_release_architectures("${known}" CMAKE_CUDA_ARCHITECTURES)
    if(options MATCHES "--compress-mode") # CUDA 12.8; without it code is compressed less
      set(FRINGE_CUDA_COMPRESS --compress-mode=size)
    endif()
  elseif(FRINGE_CUDA_ARCHITECTURES)
    set(CMAKE_CUDA_ARCHITECTURES ${FRINGE_CUDA_ARCHITECTURES})
  elseif(FRINGE_CUDA STREQUAL "GPU")
    set(CMAKE_CUDA_ARCHITECTURES ${FRINGE_GPU}-real)
    if(NOT known MATCHES "compute_${FRINGE_GPU}[^0-9]")
      set(FRINGE_CUDA_LACKS "this nvcc does not know the GPU's compute capability ${FRINGE_GPU}")
    endif()
  elseif(FRINGE_GPU)
    set(CMAKE_CUDA_ARCHITECTURES ${FRINGE_GPU})
  else()
    set(CMAKE_CUDA_ARCHITECTURES 90)
  endif()
endif()

if(FRINGE_CUDA_LACKS STREQUAL "")
  enable_language(CUDA)
  find_package(CUDAToolkit REQUIRED)
  set(CMAKE_CUDA_STANDARD 17)
  set(CMAKE_CUDA_RUNTIME_LIBRARY Static)
  set(CMAKE_CUDA_VISIBILITY_PRESET hidden)
  set(FRINGE_HAVE_CUDA ON)
  set(which "")
  set(how "")
  if(NOT FRINGE_CUDA_OPTIMIZE AND options MATCHES "--Ofast-compile") # not every nvcc has it
    add_compile_options($<$<COMPILE_LANGUAGE:CUDA>:--Ofast-compile=max>)
    set(how ", not optimized")
  endif()
  if(FRINGE_GPU_STRATEGIES STREQUAL "auto")
    list(FILTER FRINGE_CUDA_SOURCES INCLUDE REGEX "^${FRINGE_CUDA_AUTO}")
    set(which ", auto of BFS and SSSP alone (make builds all)")
  endif()
  list(PREPEND FRINGE_SOURCES ${FRINGE_CUDA_SOURCES}) # first, so that no core waits for the longest kernels at the end
  message(STATUS "GPU strategies: built for compute capability ${CMAKE_CUDA_ARCHITECTURES}${which}${how}")
elseif(FRINGE_CUDA STREQUAL "ON")
  message(FATAL_ERROR "FRINGE_CUDA is ON and the GPU strategies cannot be built: ${FRINGE_CUDA_LACKS}")
else()
  message(STATUS "GPU strategies: left out, ${FRINGE_CUDA_LACKS}")
endif()

# racecheck, initcheck and synccheck see nothing in a program whose kernels may launch others, and
# racecheck cannot know which races are meant (src/cuda/prim/dialect.cuh).
if(FRINGE_SANITIZER_BUILD)
  add_compile_definitions(FRI_SANITIZER_BUILD)
endif()

# Kernels launch children, so device code is linked across files.
function(fringe_cuda_objects target)
  if(FRINGE_HAVE_CUDA)
    # cooperative_groups.h without the C++ standard library: the same PTX, two seconds less a file
    target_compile_definitions(${target} PRIVATE FRI_CUDA $<$<BOOL:${FRINGE_COUNTING}>:FRI_COUNTING>
      $<$<STREQUAL:${FRINGE_GPU_STRATEGIES},all>:FRI_CUDA_ALL>
      $<$<COMPILE_LANGUAGE:CUDA>:_CG_LIMIT_INCLUDED_DEPENDENCIES>)
    target_include_directories(${target} PRIVATE ${CUDAToolkit_INCLUDE_DIRS})
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:${FRINGE_CUDA_COMPRESS}>)
    set_target_properties(${target} PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
  endif()
endfunction()

function(fringe_cuda_library target)
  if(FRINGE_HAVE_CUDA)
    set_target_properties(${target} PROPERTIES CUDA_RESOLVE_DEVICE_SYMBOLS ON)
    target_link_options(${target} PRIVATE $<DEVICE_LINK:${FRINGE_CUDA_COMPRESS}>)
    target_link_libraries(${target} PRIVATE CUDA::cudart_static)
  endif()
endfunction()
