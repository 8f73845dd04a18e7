#pragma once

#include <gdsim/device/dispatch_rules.hpp>
#include <gdsim/dispatch/placement/placements.hpp>
#include <gdsim/infer/log/placement_log.hpp>

#include <cstdint>
#include <vector>

namespace gdsim {

/// A decision of the dispatcher in the log: the core of a work-group, with all earlier work-groups on the log's cores.
struct ReplayStep {
  std::uint32_t launch = 0;
  std::uint32_t kind = 0;  ///< launches whose work-groups have the same needs are of one kind
  std::uint32_t core = 0;
  std::uint32_t threads = 0;     ///< of the work-group
  std::uint64_t number = 0;      ///< of the work-group
  std::uint64_t grid = 0;        ///< work-groups of its launch
  std::uint64_t dispatched = 0;  ///< work-groups of its launch placed before it
  std::int64_t start = 0;
  std::int64_t free_since = 0;    ///< time since when its core could have taken it; only if it fits
  std::uint32_t bit = 0;          ///< its number among all decisions, launch by launch
  std::uint32_t candidates = 0;   ///< cores that could have taken it
  bool fits = false;              ///< its core is one of them
  bool is_released_now = false;   ///< a core was released at this very instant
  bool is_uncertain = false;      ///< another core was, or will be, released within the noise of the log
  bool is_first_wave = true;      ///< nothing has ended before this step
  bool continues_launch = false;  ///< the previous decision was one of its launch
  bool repeats_core = false;      ///< the previous decision was for the same core
  bool previous_fits = false;     ///< the core of the previous decision is a candidate
  std::uint32_t changes_end = 0;  ///< changes up to here come before it
};

/// Makes the core a candidate for work-groups of this kind, or no candidate. Its level is stored separately, by
/// placement.
struct CoreChange {
  std::uint32_t core = 0;
  std::uint32_t kind = 0;
  bool is_candidate = false;
};

/// One session of a log, decision by decision. It has the data that all rules share, computed once.
struct Replay {
  std::uint32_t cores = 0;
  std::uint32_t kinds = 0;
  std::vector<ReplayStep> steps;
  std::vector<CoreChange> changes;
  std::vector<std::vector<std::uint32_t>> levels;  ///< by placement of the catalog: of each change
};

/// The parameters that all sessions share.
struct ReplaySetting {
  const PlacementCatalog& policies;
  LogTime time = LogTime::none;
  std::int64_t recovery = 0;  ///< time from the end of a slot's use to its reuse, in units of LoggedGroup::start
  /// Whole, or partial: the threads for which there is room, the others as threads of the core end, all until the end
  /// of their work-group.
  Admission admission = Admission::whole;
  std::int64_t noise = 0;  ///< of starts and ends, in the same units
};

/// Replays a session. Without times, it stops when no further work-group fits. Decisions are numbered from `first_bit`
/// on, including those that are left out.
Replay replay(const LogSession& session, const LogFootprints& footprints, const ReplaySetting& setting,
              std::uint32_t first_bit);

}  // namespace gdsim
