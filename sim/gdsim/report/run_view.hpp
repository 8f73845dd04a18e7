#pragma once

#include <gdsim/base/int128.hpp>
#include <gdsim/device/terms.hpp>
#include <gdsim/record/core_timeline.hpp>
#include <gdsim/record/group_timeline.hpp>
#include <gdsim/record/phases.hpp>
#include <gdsim/record/time_use.hpp>
#include <gdsim/record/timeline.hpp>
#include <gdsim/report/run_report.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace gdsim {

/// One launch, as a row of a picture. Times are missing where the thing did not happen or is not known.
struct LaunchRow {
  std::string name;
  std::string kernel;
  std::vector<std::size_t> after;  ///< rows of launches that had to end first
  std::optional<Picoseconds> ready;
  std::optional<Picoseconds> first_dispatched;
  std::optional<Picoseconds> fully_dispatched;
  std::optional<Picoseconds> ended;
};

/// How many work-groups of a kernel one resource of a core allows.
struct LimitRow {
  std::string kernel;
  std::string resource;
  std::uint64_t work_groups = 0;
  bool is_least = false;
};

/// What a phase of a picture says.
struct PhaseRow {
  Picoseconds start;
  Picoseconds end;
  std::uint64_t threads = 0;
  Ratio running_mean;
  std::uint64_t cores_busy = 0;
};

/// All that pictures of a run show, wherever it came from. The spans refer to values that must outlive it.
struct RunView {
  std::string title;
  std::string device;
  Terms terms;
  std::uint32_t cores = 0;
  std::uint64_t contexts_total = 0;
  std::string outcome;
  Picoseconds start;
  Picoseconds end;
  std::uint64_t work_groups_total = 0;
  std::uint64_t threads_total = 0;
  std::uint64_t peak_resident = 0;
  std::vector<PhaseRow> phases;
  std::size_t transitions = 0;
  PointsView<TimelinePoint> timeline;
  PointsView<CorePoint> core_points;
  std::span<const GroupPoint> group_points;  ///< empty: not kept, for there are too many
  std::vector<LaunchRow> launches;
  std::optional<TimeUse> time_use;   ///< of all threads; nothing: not known
  std::vector<LimitRow> limits;      ///< empty: not known
  std::string scenario;              ///< its text; empty: not known
  std::vector<std::string> changes;  ///< what was changed in it before it ran

  std::uint64_t contexts_per_core() const { return contexts_total / cores; }
};

/// More work-groups than this, or more changes of them, are not drawn one by one.
inline constexpr std::uint64_t kMostGroupsDrawn = 4'000;
inline constexpr std::size_t kMostGroupPointsDrawn = 10'000;

/// What pictures show of `report`, whose timeline and cores must have been kept.
RunView view_of(const RunReport& report);

}  // namespace gdsim
