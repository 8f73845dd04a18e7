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

/// The candidates of the last few requests that differed from the current one. If few kernels are placed in turn, each
/// finds its candidates again, and only cores that have changed since are evaluated: without this, each of its requests
/// would cost the number of cores.
class RememberedCandidates {
 public:
  static constexpr std::size_t kMax = 64;
  using Requested = std::vector<const Footprint*>;

  /// Keeps the candidates of a request of the class, for `footprint`, as of the change `at`. They are swapped out: the
  /// caller fills those that it gets instead. `requested`: the requests by part, if launches are in parts.
  void keep(std::size_t request_class, const Footprint& footprint, std::uint64_t at, Candidates& candidates,
            const Requested& requested) {
    Kept& kept = place_for(candidates);
    kept.request_class = request_class;
    kept.footprint = &footprint;
    kept.at = at;
    kept.requested = requested;
    std::swap(kept.candidates, candidates);
  }
  /// Gives back the candidates for a request of the class and this very footprint object. Returns the change as of
  /// which they were kept, or nullopt if none are kept.
  std::optional<std::uint64_t> take(std::size_t request_class, const Footprint& footprint, Candidates& candidates,
                                    Requested& requested) {
    const auto found = std::find_if(kept_.begin(), kept_.end(), [&](const Kept& one) {
      return one.request_class == request_class && one.footprint == &footprint;
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

  /// Returns another entry, or the oldest. Entries that were given back are reused, because each holds vectors of the
  /// number of cores.
  Kept& place_for(const Candidates& like) {
    if (kept_.size() == kMax)
      return *std::min_element(kept_.begin(), kept_.end(), [](const Kept& a, const Kept& b) { return a.at < b.at; });
    if (spare_.empty()) return kept_.emplace_back(Kept{0, nullptr, 0, like, {}});
    kept_.push_back(std::move(spare_.back()));
    spare_.pop_back();
    return kept_.back();
  }

  std::vector<Kept> kept_;
  std::vector<Kept> spare_;  ///< scratch
};

}  // namespace gdsim
