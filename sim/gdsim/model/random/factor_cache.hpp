#pragma once

#include <gdsim/model/random/draws.hpp>
#include <gdsim/model/random/factor_lanes.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// A cache that draws factors of many consecutive work-groups at once, because these are placed at about the same time.
/// The factors are those of FactorDraw::factor().
class FactorCache {
 public:
  /// Returns the factor. `draw` must be the same for all samples of a launch. `threads` is the number of threads of the
  /// work-group that draw a factor each; 1 if the work-group has a single factor.
  DrawnFactor factor(const FactorDraw& draw, const Sample& sample, std::uint32_t threads);

 private:
  /// Run `number`, from 0, of a launch's work-groups. A run has kFactorsAtOnce / 2^thread_bits work-groups.
  struct Key {
    LaunchId launch{};
    std::uint64_t number = 0;
    unsigned thread_bits = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Entry {
    std::optional<Key> key;  ///< nullopt: empty
    /// Number of requests since it was filled, for it or for runs that may replace it. An empty entry may be replaced.
    std::size_t requests = kFactorsAtOnce;
    FactorsAtOnce factors{};
  };
  /// Several entries, because parts of a device are at different work-groups at the same time.
  static constexpr std::size_t kEntries = 16;

  std::vector<Entry> entries_;  ///< empty before the first draw
};

}  // namespace gdsim
