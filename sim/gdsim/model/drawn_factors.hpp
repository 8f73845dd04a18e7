#pragma once

#include <gdsim/model/draws.hpp>
#include <gdsim/model/factor_lanes.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// Draws factors ahead, many at once: those of work-groups whose numbers are close to each other, for these are placed
/// about the same time. What is asked for does not depend on it.
class DrawnFactors {
 public:
  /// FactorDraw::factor(). Of the work-group, so many threads are asked for: 1 if it has one factor for all.
  DrawnFactor factor(const FactorDraw& draw, const Sample& sample, std::uint32_t threads);

 private:
  /// Work-groups of a launch: the `number`-th of as many as have together kFactorsAtOnce threads, each of
  /// 2^thread_bits.
  struct BlockName {
    LaunchId launch{};
    std::uint64_t number = 0;
    unsigned thread_bits = 0;
    friend bool operator==(const BlockName&, const BlockName&) = default;
  };
  struct Block {
    std::optional<BlockName> name;  ///< nothing: nothing is drawn
    /// Factors that were asked for since it was drawn, of it or of another that would take its place.
    std::size_t asked = kFactorsAtOnce;
    FactorsAtOnce factors{};
  };
  /// So many blocks are kept: the dispatchers of a device do not all proceed alike.
  static constexpr std::size_t kBlocks = 16;

  std::vector<Block> blocks_;  ///< none before the first draw
};

}  // namespace gdsim
