#pragma once

#include <gdsim/program/tile_step.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace gdsim {

/// Identifies the tile phase counts of a cohort.
enum class TilePhases : std::uint32_t {};
inline constexpr TilePhases kNoTilePhases{0xFFFF'FFFF};

/// The numbers of arrivals and waits of cohorts at barriers in the bodies of the tiles that they have completed. They
/// are counted here, because a flat program does not determine the tiles that its threads take.
class TilePhaseCounts {
 public:
  /// Adds to the counts of `phases`; creates counts if it has none.
  void add(TilePhases& phases, std::span<const PhaseCount> more) {
    if (more.empty()) return;
    if (phases == kNoTilePhases) phases = open();
    std::vector<std::uint64_t>& counts = counts_[static_cast<std::size_t>(phases)];
    for (const PhaseCount& one : more) {
      if (counts.size() <= one.at) counts.resize(one.at + std::size_t{1}, 0);
      counts[one.at] += one.count;
    }
  }
  /// Returns the count at position `at`, which is arrivals_at() or waits_at() of a barrier.
  std::uint64_t at(TilePhases phases, std::uint32_t at) const {
    if (phases == kNoTilePhases) return 0;
    const std::vector<std::uint64_t>& counts = counts_[static_cast<std::size_t>(phases)];
    return at < counts.size() ? counts[at] : 0;
  }
  TilePhases copy(TilePhases phases) {
    const TilePhases other = open();
    counts_[static_cast<std::size_t>(other)] = counts_[static_cast<std::size_t>(phases)];
    return other;
  }
  void release(TilePhases phases) {
    if (phases == kNoTilePhases) return;
    counts_[static_cast<std::size_t>(phases)].clear();
    free_.push_back(phases);
  }

 private:
  TilePhases open() {
    if (free_.empty()) {
      counts_.emplace_back();
      return TilePhases{static_cast<std::uint32_t>(counts_.size() - 1)};
    }
    const TilePhases phases = free_.back();
    free_.pop_back();
    return phases;
  }

  std::vector<std::vector<std::uint64_t>> counts_;
  std::vector<TilePhases> free_;
};

}  // namespace gdsim
