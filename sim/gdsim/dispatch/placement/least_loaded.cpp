#include <gdsim/dispatch/placement/least_loaded.hpp>

namespace gdsim {

std::size_t LeastLoaded::cost(const Core& core, const Footprint&) const { return core.occupied(); }

}  // namespace gdsim
