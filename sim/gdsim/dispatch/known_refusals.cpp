#include <gdsim/dispatch/known_refusals.hpp>

namespace gdsim {

KnownRefusals::KnownRefusals(std::size_t questions, std::size_t cores) : known_(questions), gained_at_(cores, 0) {
  for (std::size_t core = 0; core < cores; ++core)
    places_.push_back(recent_.insert(recent_.end(), static_cast<CoreId>(core)));
}

}  // namespace gdsim
