#pragma once

#include <gdsim/device/limit.hpp>

#include <cstdint>
#include <string>

namespace gdsim {

/// How much of a work-group is placed at once.
enum class Admission : std::uint8_t {
  whole,    ///< all its threads on one core
  partial,  ///< as many as one core has free contexts for, at least one; the rest follow on that core
  spread,   ///< without barrier and SLM: as many as there are free contexts, over several cores; else whole
};

/// Which partially placed work-groups are handed to their core's local dispatcher, freeing the port.
enum class Handover : std::uint8_t { never, barrier_or_slm, always };

/// The four axes of dispatch. A device has a default for each; a scenario may override them one by one.
struct DispatchRules {
  std::string placement;  ///< a name in the policy catalog: which candidate core takes the next work-group
  Admission admission = Admission::whole;
  Limit ports;  ///< how many partially placed work-groups the global dispatcher can hold before it stalls
  Handover handover = Handover::never;
};

}  // namespace gdsim
