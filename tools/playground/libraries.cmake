# The outside libraries of what runs in a browser, as targets of the names that the library links. Those that have headers
# alone are this machine's; the others are compiled from source.

set(GDSIM_PLAYGROUND_SOURCES ${PROJECT_BINARY_DIR}/sources)
execute_process(COMMAND ${CMAKE_CURRENT_LIST_DIR}/fetch_sources.sh ${GDSIM_PLAYGROUND_SOURCES} COMMAND_ERROR_IS_FATAL ANY)
enable_language(C)

# The folder of all headers of this machine must not be searched: it has another C library.
set(headers ${PROJECT_BINARY_DIR}/headers)
file(MAKE_DIRECTORY ${headers})
foreach(name boost fmt nlohmann protozero)
  if(NOT EXISTS /usr/include/${name})
    message(FATAL_ERROR "There is no /usr/include/${name}: run tools/setup wasm")
  endif()
  file(CREATE_LINK /usr/include/${name} ${headers}/${name} SYMBOLIC)
endforeach()
include_directories(SYSTEM ${headers})

add_library(gdsim_headers_alone INTERFACE)
add_library(Boost::headers ALIAS gdsim_headers_alone)
add_library(nlohmann_json::nlohmann_json ALIAS gdsim_headers_alone)
add_library(gdsim_protozero ALIAS gdsim_headers_alone)
add_library(gdsim_fmt INTERFACE)
target_compile_definitions(gdsim_fmt INTERFACE FMT_HEADER_ONLY)
add_library(fmt::fmt ALIAS gdsim_fmt)

set(yaml ${GDSIM_PLAYGROUND_SOURCES}/libyaml)
add_library(gdsim_yaml STATIC
  ${yaml}/src/api.c ${yaml}/src/loader.c ${yaml}/src/parser.c ${yaml}/src/reader.c ${yaml}/src/scanner.c)
target_compile_definitions(gdsim_yaml PRIVATE
  YAML_VERSION_MAJOR=0 YAML_VERSION_MINOR=2 YAML_VERSION_PATCH=5 YAML_VERSION_STRING="0.2.5")
target_include_directories(gdsim_yaml SYSTEM PUBLIC ${yaml}/include)
add_library(PkgConfig::gdsim_yaml-0.1 ALIAS gdsim_yaml)

set(muparser ${GDSIM_PLAYGROUND_SOURCES}/muparser)
add_library(gdsim_muparser STATIC
  ${muparser}/src/muParser.cpp ${muparser}/src/muParserBase.cpp ${muparser}/src/muParserBytecode.cpp
  ${muparser}/src/muParserCallback.cpp ${muparser}/src/muParserError.cpp ${muparser}/src/muParserTokenReader.cpp)
target_compile_definitions(gdsim_muparser PUBLIC MUPARSER_STATIC)
target_include_directories(gdsim_muparser SYSTEM PUBLIC ${muparser}/include)
add_library(PkgConfig::gdsim_muparser ALIAS gdsim_muparser)

set(zlib ${GDSIM_PLAYGROUND_SOURCES}/zlib)
add_library(gdsim_zlib STATIC
  ${zlib}/adler32.c ${zlib}/crc32.c ${zlib}/inffast.c ${zlib}/inflate.c ${zlib}/inftrees.c ${zlib}/zutil.c)
target_include_directories(gdsim_zlib SYSTEM PUBLIC ${zlib})
add_library(PkgConfig::gdsim_zlib ALIAS gdsim_zlib)
set_target_properties(gdsim_yaml gdsim_muparser gdsim_zlib PROPERTIES UNITY_BUILD OFF)

# What needs these is left out of the library; there are no threads either.
add_library(gdsim_left_out INTERFACE)
add_library(Threads::Threads ALIAS gdsim_left_out)
