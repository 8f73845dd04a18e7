# `cpack -G DEB`: the packages gdsim (program, models, scenarios) and libgdsim-dev (library, headers, CMake package).
set(CPACK_PACKAGE_NAME gdsim)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_VENDOR gdsim)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "GPU dispatch simulator")
set(CPACK_PACKAGE_DIRECTORY ${PROJECT_BINARY_DIR}/packages)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL core tools)

set(GDSIM_PACKAGE_MAINTAINER "gdsim maintainers <maintainers@gdsim.invalid>" CACHE STRING "Maintainer: of Debian packages")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER ${GDSIM_PACKAGE_MAINTAINER})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME gdsim)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION science)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_TOOLS_DESCRIPTION
"gdsim simulates how a GPU dispatches the work-groups of kernels onto its
cores: whether each fits, waits, is placed in part, or stalls at a barrier.
It writes the occupancy of the device and of every core as exact steps over
time, and has models of more than 80 GPUs of Intel, NVIDIA and AMD.")

set(CPACK_DEBIAN_CORE_PACKAGE_NAME libgdsim-dev)
set(CPACK_DEBIAN_CORE_PACKAGE_SECTION libdevel)
# What programs link that link the static library.
set(CPACK_DEBIAN_CORE_PACKAGE_DEPENDS "libfmt-dev, libyaml-dev, libmuparser-dev, pkg-config")
set(CPACK_COMPONENT_CORE_DESCRIPTION
"gdsim simulates how a GPU dispatches the work-groups of kernels onto its
cores. This package has the C++ library: a static one, its headers, its
CMake package and what pkg-config reads.")

# What Debian wants beside the files: a copyright file and a changelog in every package.
string(TIMESTAMP GDSIM_PACKAGE_DATE "%a, %d %b %Y %H:%M:%S +0000" UTC)
foreach(pair "tools;gdsim" "core;libgdsim-dev")
  list(GET pair 0 component)
  list(GET pair 1 package)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${package})
  configure_file(changelog.in ${folder}/changelog.Debian @ONLY)
  execute_process(COMMAND gzip -n9 -f ${folder}/changelog.Debian)
  install(FILES ${folder}/changelog.Debian.gz copyright
    DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
  install(FILES lintian-overrides
    DESTINATION ${CMAKE_INSTALL_DATADIR}/lintian/overrides COMPONENT ${component} RENAME ${package})
endforeach()
# Packages cannot share files either: the models are in gdsim, which libgdsim-dev recommends.
set(CPACK_DEBIAN_CORE_PACKAGE_RECOMMENDS gdsim)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/without_models.cmake)
include(CPack)
