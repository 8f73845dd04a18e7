# How the library is compiled: in which pieces, and how fast its code has to be.

set(GDSIM_FILES_PER_PIECE 20)

# Modules of gdsim_sim that work once for each run, not at each of its instants. With -O1 they compile in two thirds of the
# time, and no run that is counted (tools/test instructions) needs 3 % more instructions.
set(GDSIM_COLD_MODULES base check compile device generated occupancy program)

# Sets `result` to the name of the module that a source belongs to.
function(gdsim_module_of source result)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE place)
  set(${result} generated PARENT_SCOPE)
  if(place MATCHES "^gdsim/([a-z_]+)/")
    set(${result} ${CMAKE_MATCH_1} PARENT_SCOPE)
  endif()
endfunction()

# Moves the sources of GDSIM_COLD_MODULES from gdsim_sim to gdsim_sim_cold, whose objects become a part of gdsim_sim.
function(gdsim_split_cold_modules)
  get_target_property(sources gdsim_sim SOURCES)
  foreach(source IN LISTS sources)
    gdsim_module_of(${source} module)
    if(module IN_LIST GDSIM_COLD_MODULES)
      list(APPEND cold ${source})
    endif()
  endforeach()
  list(REMOVE_ITEM sources ${cold})
  set_target_properties(gdsim_sim PROPERTIES SOURCES "${sources}")
  add_library(gdsim_sim_cold OBJECT ${cold})
  target_include_directories(gdsim_sim_cold PRIVATE ${CMAKE_CURRENT_SOURCE_DIR} ${CMAKE_CURRENT_BINARY_DIR}/include)
  target_link_libraries(gdsim_sim_cold PRIVATE gdsim_build_options Boost::headers fmt::fmt)
  target_sources(gdsim_sim PRIVATE $<TARGET_OBJECTS:gdsim_sim_cold>)
endfunction()

# Where many files are compiled at once (CMAKE_UNITY_BUILD), a module is never mixed with others, and some are one piece
# each (GDSIM_MODULES_IN_ONE_PIECE).
function(gdsim_compile_by_module target)
  set_target_properties(${target} PROPERTIES UNITY_BUILD_MODE GROUP)
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources EXCLUDE REGEX "TARGET_OBJECTS")
  foreach(source IN LISTS sources)
    gdsim_module_of(${source} module)
    set(group gdsim_${module})
    if(NOT module IN_LIST GDSIM_MODULES_IN_ONE_PIECE)
      math(EXPR files_of_${group} "0${files_of_${group}} + 1")
      math(EXPR part "${files_of_${group}} / ${GDSIM_FILES_PER_PIECE}")
      string(APPEND group "_${part}")
    endif()
    set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}")
  endforeach()
endfunction()

# Flags that suit what the library does (GDSIM_TUNE).
function(gdsim_tune target)
  if(target STREQUAL "gdsim_sim")
    # Under sanitizers, what simulates is optimised; the rest compiles in less than half the time, and does little.
    if(GDSIM_SANITIZE)
      target_compile_options(gdsim_sim PRIVATE $<$<CONFIG:Debug>:-O1>)
    endif()
  # The importer gains from -O2, which takes a third longer to compile; what reads, writes and studies gains little. In the
  # playground, small code of the importer counts more: it is loaded before the page does anything.
  elseif(NOT target STREQUAL "gdsim_import")
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O1>)
  elseif(EMSCRIPTEN)
    target_compile_options(gdsim_import PRIVATE -Oz)
  else()
    target_compile_options(gdsim_import PRIVATE $<$<CONFIG:Release>:-O2>)
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
