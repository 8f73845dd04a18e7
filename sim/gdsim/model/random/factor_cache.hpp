#pragma once

#include <gdsim/model/random/draws.hpp>
#include <gdsim/model/random/factor_lanes.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// Draws many factors ahead at once, for work-groups whose numbers are close to each other, because these are placed at
/// about the same time. The factors are those of FactorDraw::factor().
class FactorCache {
 public:
  /// `draw` is always the same for a launch. `threads`: number of threads of the work-group that draw; 1 if it has one
  /// factor.
  DrawnFactor factor(const FactorDraw& draw, const Sample& sample, std::uint32_t threads);

 private:
  /// A launch's work-groups are cut into runs of kFactorsAtOnce / 2^thread_bits; this is run `number`, from 0.
  struct Key {
    LaunchId launch{};
    std::uint64_t number = 0;
    unsigned thread_bits = 0;
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Entry {
    std::optional<Key> key;  ///< nullopt: empty
    /// Requests since it was filled, for it or for a run that would replace it. An empty entry is replaced at once.
    std::size_t requests = kFactorsAtOnce;
    FactorsAtOnce factors{};
  };
  /// Parts of a device are at different work-groups at the same time.
  static constexpr std::size_t kEntries = 16;

  std::vector<Entry> entries_;  ///< none before the first draw
};

}  // namespace gdsim
