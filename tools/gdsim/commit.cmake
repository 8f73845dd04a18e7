cmake_minimum_required(VERSION 3.25)
# Writes FILE, a header with the commit of the sources in ROOT, if it says something else than before. Run with every
# build, so that the program never names a commit that it was not built from.
set(commit "${GIVEN}")
if(NOT commit AND EXISTS "${ROOT}/.git")
  execute_process(COMMAND git -C "${ROOT}" describe --always --exclude=* --abbrev=12 --dirty=-modified
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  if(NOT failed EQUAL 0)
    set(commit "")
  endif()
endif()
file(CONFIGURE OUTPUT "${FILE}" CONTENT "#pragma once

/// The commit that this was built from; empty if it is not known.
#define GDSIM_COMMIT \"@commit@\"
" @ONLY)
