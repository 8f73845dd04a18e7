#include <gdsim/dispatch/placement/placement.hpp>

namespace gdsim {

std::size_t Placement::cost(const Core&, const Footprint&) const { return 0; }

std::optional<std::size_t> Placement::choose(const IndexSet& offered) { return offered.next(0); }

}  // namespace gdsim
