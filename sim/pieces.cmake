# How the library is compiled: in which pieces, and how fast its code has to be.

set(GDSIM_FILES_PER_PIECE 20)

# Modules that work once for each run, not at each of its instants. With -O1 they compile in two thirds of the time, and
# no run that is counted (tools/test instructions) needs 3 % more instructions.
set(GDSIM_MODULES_OF_NO_HASTE base check compile device occupancy program)

# Where many files are compiled at once (CMAKE_UNITY_BUILD), a module is never mixed with others, and some are one piece
# each (GDSIM_MODULES_IN_ONE_PIECE).
function(gdsim_compile_by_module target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE place)
    set(module generated)
    if(place MATCHES "^gdsim/([a-z_]+)/")
      set(module ${CMAKE_MATCH_1})
    endif()
    set(group gdsim_${module})
    if(NOT module IN_LIST GDSIM_MODULES_IN_ONE_PIECE)
      math(EXPR files_of_${group} "0${files_of_${group}} + 1")
      math(EXPR part "${files_of_${group}} / ${GDSIM_FILES_PER_PIECE}")
      string(APPEND group "_${part}")
    endif()
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}")
    # CMake compiles the files of a group as one that it writes, which has the options.
    if(module IN_LIST GDSIM_MODULES_OF_NO_HASTE AND CMAKE_UNITY_BUILD)
      set_source_files_properties("${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/Unity/unity_${group}_cxx.cxx"
        PROPERTIES COMPILE_OPTIONS "$<$<CONFIG:Release>:-O1>;$<$<CONFIG:Debug>:-O0>")
    endif()
  endforeach()
endfunction()

# Flags of an optimised build. A project that adds this one has its own.
function(gdsim_optimise target)
  if(NOT PROJECT_IS_TOP_LEVEL)
    return()
  endif()
  # Under sanitizers, what simulates is optimised; the rest compiles in less than half the time, and does little.
  if(GDSIM_SANITIZE AND target STREQUAL "gdsim_sim")
    target_compile_options(${target} PRIVATE $<$<CONFIG:Debug>:-O1>)
  endif()
  # What reads, writes and studies gains little from -O2, which takes a third longer to compile; the importer does. In the
  # playground, small code of the importer counts more: it is loaded before the page does anything.
  if(EMSCRIPTEN AND target STREQUAL "gdsim_import")
    target_compile_options(${target} PRIVATE -Oz)
  elseif(target STREQUAL "gdsim_import")
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O2>)
  elseif(NOT target STREQUAL "gdsim_sim")
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # So large a piece may grow by as much as its files would by themselves.
    if(CMAKE_UNITY_BUILD)
      target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:--param=inline-unit-growth=200>)
    endif()
    # Where functions and loops begin decides on a few percent: this way, it does not depend on what lies before them.
    target_compile_options(${target} PRIVATE
      $<$<CONFIG:Release>:-falign-functions=64> $<$<CONFIG:Release>:-falign-loops=32>)
  endif()
endfunction()
