#pragma once

#include <cstdio>
#include <cstdlib>

namespace gdsim::fuzz {

/// Ends the program as a crash does, so that a fuzzer keeps the input.
inline void require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %s\n", what);
  std::abort();
}

}  // namespace gdsim::fuzz
