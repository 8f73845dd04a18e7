#pragma once

#include <gdsim/record/phases.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace gdsim {

/// The phases of a run, on a device of so many contexts.
struct PhasesOfRun {
  const std::vector<Phase>& phases;
  std::uint64_t contexts = 0;
};

/// Phases of two runs that are the same thing, by their positions; or one that only one of the runs has.
struct PhasePair {
  std::optional<std::size_t> a;
  std::optional<std::size_t> b;

  friend bool operator==(const PhasePair&, const PhasePair&) = default;
};

/// Both phases are of one kind and hold as much of their devices: constant ones exactly, others up to what may differ
/// within a band.
bool is_same_phase(const Phase& a, std::uint64_t contexts_a, const Phase& b, std::uint64_t contexts_b);

/// As many pairs as possible without changing the order of either run, and between them the phases that have no
/// partner: those of a first.
std::vector<PhasePair> pair_phases(const PhasesOfRun& a, const PhasesOfRun& b);

}  // namespace gdsim
