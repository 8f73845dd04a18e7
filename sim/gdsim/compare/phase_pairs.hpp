#pragma once

#include <gdsim/record/phases.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// The phases of a run, and the number of contexts of its device.
struct PhasesOfRun {
  const std::vector<Phase>& phases;
  std::uint64_t contexts = 0;
};

/// The positions of matching phases of two runs, or of a phase that only one run has.
struct PhasePair {
  std::optional<std::size_t> a;
  std::optional<std::size_t> b;

  friend bool operator==(const PhasePair&, const PhasePair&) = default;
};

/// Returns true if both phases are of one kind and hold the same share of their devices: exactly if constant, else up
/// to the difference allowed within a band.
bool is_same_phase(const Phase& a, std::uint64_t contexts_a, const Phase& b, std::uint64_t contexts_b);

/// Returns the maximum number of pairs that keeps the order of both runs. Phases without a partner are placed between
/// the pairs, those of `a` first.
std::vector<PhasePair> pair_phases(const PhasesOfRun& a, const PhasesOfRun& b);

}  // namespace gdsim
