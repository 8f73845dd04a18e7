# What is installed of the library: link gdsim::core, or one of the libraries that it consists of, after
# find_package(gdsim). Each has its own list of targets, so that who wants only gdsim::sim needs only what that links.
set(GDSIM_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/gdsim)
set(GDSIM_COMPONENTS sim report)
if(GDSIM_SCENARIO)
  list(APPEND GDSIM_COMPONENTS scenario core)
endif()
foreach(library IN LISTS GDSIM_COMPONENTS)
  install(TARGETS gdsim_${library} EXPORT gdsim-${library}-targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT core
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT core)
  install(EXPORT gdsim-${library}-targets NAMESPACE gdsim:: DESTINATION ${GDSIM_PACKAGE_DIR} COMPONENT core)
endforeach()
include(CMakePackageConfigHelpers)
configure_package_config_file(gdsim-config.cmake.in ${CMAKE_CURRENT_BINARY_DIR}/gdsim-config.cmake
  INSTALL_DESTINATION ${GDSIM_PACKAGE_DIR})
write_basic_package_version_file(${CMAKE_CURRENT_BINARY_DIR}/gdsim-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gdsim-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/gdsim-config-version.cmake
  DESTINATION ${GDSIM_PACKAGE_DIR} COMPONENT core)

# The same for other build systems: `pkg-config --cflags --libs gdsim-scenario`.
set(GDSIM_PKGCONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH GDSIM_PKGCONFIG_TO_PREFIX /prefix/${GDSIM_PKGCONFIG_DIR} /prefix)
list(JOIN GDSIM_SCENARIO_MODULES ", " modules)
set(requires_sim "fmt >= ${GDSIM_FMT_VERSION}")
set(requires_report "gdsim-sim = ${PROJECT_VERSION}, ${requires_sim}")
set(requires_scenario "gdsim-report = ${PROJECT_VERSION}, ${requires_sim}, ${modules}")
list(REMOVE_ITEM GDSIM_COMPONENTS core)
foreach(GDSIM_LIBRARY IN LISTS GDSIM_COMPONENTS)
  set(GDSIM_REQUIRES ${requires_${GDSIM_LIBRARY}})
  configure_file(gdsim.pc.in ${CMAKE_CURRENT_BINARY_DIR}/gdsim-${GDSIM_LIBRARY}.pc @ONLY)
  install(FILES ${CMAKE_CURRENT_BINARY_DIR}/gdsim-${GDSIM_LIBRARY}.pc
    DESTINATION ${GDSIM_PKGCONFIG_DIR} COMPONENT core)
endforeach()

# The models: what read_device_model() and read_scenario() are given the folder of.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/models DESTINATION ${CMAKE_INSTALL_DATADIR}/gdsim COMPONENT core
  FILES_MATCHING PATTERN "*.yaml" PATTERN "*.csv")
