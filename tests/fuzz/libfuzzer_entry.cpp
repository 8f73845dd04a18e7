#include "fuzz_targets.hpp"

#include <cstddef>
#include <cstdint>

/// libFuzzer calls this with every input. GDSIM_FUZZ_TARGET is the function of fuzz_targets.hpp to feed.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gdsim::fuzz::GDSIM_FUZZ_TARGET({reinterpret_cast<const char*>(data), size});
  return 0;
}
