#pragma once

#include <gdsim/record/phase_profile.hpp>
#include <gdsim/record/phases.hpp>

#include <span>

namespace gdsim {

/// The run that a profile is of.
struct ProfiledRun {
  SimTime start;
  SimTime end;
  std::uint64_t last_resident = 0;  ///< threads that are left at `end`
};

/// The phases that a profile shows; `items` follow each other without gaps from the first dispatch to the end.
///
/// The rules are in scenarios/README.md, "Phases", step by step; the functions are in that order.
PhaseList phases_of(std::span<const ProfileItem> items, const ProfiledRun& run, const PhaseRules& rules);

}  // namespace gdsim
