#pragma once

#include <gdsim/workload/program.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace gdsim {

/// Return positions among the counts of a program. Arrivals at barriers are counted separately from waits for them.
inline constexpr std::uint32_t arrivals_at(std::uint32_t barrier) { return 2 * barrier; }
inline constexpr std::uint32_t waits_at(std::uint32_t barrier) { return 2 * barrier + 1; }

/// A number of arrivals or waits of a thread.
struct PhaseCount {
  std::uint32_t at = 0;  ///< arrivals_at() or waits_at() of a barrier
  std::uint64_t count = 0;
};

/// A step `tiles` on the path of threads of one role: where its ops are.
struct TileStep {
  std::uint32_t number = 0;  ///< number among the program's steps `tiles`, from 0
  std::uint64_t count = 0;   ///< tiles
  TileTake take{};
  TileTaker per{};
  std::uint32_t first_of_part = 0;       ///< the first thread of the role's part, see drift_parts()
  std::uint32_t leave_op = 0;            ///< the cost of a take that finds no tile; the program continues after it
  std::vector<std::uint32_t> first_ops;  ///< by body: the cost of the take; the body's steps begin after it
  std::vector<std::vector<PhaseCount>> phases;                ///< by body: the thread's arrivals and waits in it
  std::shared_ptr<const std::vector<std::uint32_t>> of_tile;  ///< see Tiles::of_tile

  std::uint32_t body_of(std::uint64_t tile) const { return of_tile->empty() ? 0 : (*of_tile)[tile]; }

  /// Returns the next tile, after `taken` tiles, of this one of `takers` takers, in a list whose tiles are assigned by
  /// number; nullopt: it has no more.
  std::optional<std::uint64_t> next_by_number(std::uint64_t taker, std::uint64_t takers, std::uint64_t taken) const {
    if (taker >= count || taken > (count - 1 - taker) / takers) return std::nullopt;
    return taker + taken * takers;
  }
};

}  // namespace gdsim
