#pragma once

#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <optional>

namespace gdsim {

/// Whether a kernel asked to be given more shared local memory than the default limit.
enum class SlmOptIn : std::uint8_t { no, yes };

/// The shared local memory of a work-group, as asked.
struct SlmRequest {
  Bytes total;
  Bytes dynamic;  ///< the part of `total` that is given at launch
  SlmOptIn opt_in = SlmOptIn::yes;
  std::optional<Bytes> max_dynamic;  ///< the most dynamic memory that the kernel opted in for; nothing: what it asks
  std::optional<std::uint32_t> carveout_percent;  ///< how much of the core should be memory, the rest being cache
};

/// Whether threads are compiled for the usual register file or the large one.
enum class GrfMode : std::uint8_t { normal, large };

/// What a work-group needs of its core besides contexts.
struct KernelNeeds {
  SlmRequest slm;
  std::uint32_t registers = 0;               ///< vector registers per work-item
  std::uint32_t accumulation_registers = 0;  ///< per work-item
  std::uint32_t scalar_registers = 0;        ///< per thread
  GrfMode grf = GrfMode::normal;
  std::optional<std::uint32_t> barriers;  ///< per work-group; nothing: what the program or the device implies
};

}  // namespace gdsim
