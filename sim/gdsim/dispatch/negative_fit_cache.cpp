#include <gdsim/dispatch/negative_fit_cache.hpp>

namespace gdsim {

NegativeFitCache::NegativeFitCache(std::size_t classes, std::size_t first, std::size_t cores)
    : first_(first), refusals_(classes), released_at_(cores, 0) {
  for (std::size_t core = first; core < first + cores; ++core)
    places_.push_back(recent_.insert(recent_.end(), static_cast<CoreId>(core)));
}

}  // namespace gdsim
