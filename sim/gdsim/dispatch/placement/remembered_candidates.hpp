#pragma once

#include <gdsim/dispatch/placement/candidates.hpp>
#include <gdsim/fit/footprint.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {

/// A cache of the candidates of the last few requests that differed from the current one. If a few kernels are placed
/// in turn, only cores that have changed since a kernel's last request are evaluated, instead of all cores.
class RememberedCandidates {
 public:
  static constexpr std::size_t kMax = 64;
  using Requested = std::vector<const Footprint*>;

  /// Stores the candidates of a request of the class for `footprint`, as of the change `at`, by a swap: `candidates`
  /// must be filled again afterwards. `requested` has the requests by partition, if launches are in partitions.
  void keep(std::size_t request_class, const Footprint& footprint, std::uint64_t at, Candidates& candidates,
            const Requested& requested) {
    Kept& kept = place_for(candidates);
    kept.request_class = request_class;
    kept.footprint = &footprint;
    kept.at = at;
    kept.requested = requested;
    std::swap(kept.candidates, candidates);
  }
  /// Removes the candidates of a request of the class for the same footprint object from the cache, into `candidates`.
  /// Returns the change as of which they were stored, or nullopt if there are none.
  std::optional<std::uint64_t> take(std::size_t request_class, const Footprint& footprint, Candidates& candidates,
                                    Requested& requested) {
    const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& kept) {
      return kept.request_class == request_class && kept.footprint == &footprint;
    });
    if (found == kept_.end()) return std::nullopt;
    const std::uint64_t at = found->at;
    std::swap(candidates, found->candidates);
    std::swap(requested, found->requested);
    spare_.push_back(std::move(*found));
    if (found != std::prev(kept_.end())) *found = std::move(kept_.back());
    kept_.pop_back();
    return at;
  }

 private:
  struct Kept {
    std::size_t request_class = 0;
    const Footprint* footprint = nullptr;
    std::uint64_t at = 0;
    Candidates candidates;
    Requested requested;
  };

  /// Returns a new entry, or the oldest one if the cache is full. Reuses removed entries, because they hold large
  /// vectors.
  Kept& place_for(const Candidates& like) {
    if (kept_.size() == kMax)
      return *std::min_element(kept_.begin(), kept_.end(), [](const Kept& a, const Kept& b) { return a.at < b.at; });
    if (spare_.empty()) return kept_.emplace_back(Kept{0, nullptr, 0, like, {}});
    kept_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    return kept_.back();
  }

  std::vector<Kept> kept_;
  std::vector<Kept> spare_;  ///< removed entries, for reuse
};

}  // namespace gdsim
