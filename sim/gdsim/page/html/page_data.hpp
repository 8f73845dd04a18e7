#pragma once

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/report/number_format.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Totals of all launches of one kernel, or of all copies of one kind. Durations are as a profiler measures them.
struct KernelUse {
  std::string name;
  std::uint64_t launches = 0;
  std::uint64_t work_groups = 0;  ///< the maximum dispatched by one launch
  std::uint64_t ended = 0;        ///< ended launches; only they count below
  UInt128 sum = 0;                ///< picoseconds
  Duration longest;
  bool is_remote = false;  ///< launches of other devices, which are not counted
};

/// The kernel of a launch, or the direction of a copy: `copies to the host`.
std::string kernel_text(const LaunchRow& launch);

struct KernelUses {
  std::vector<KernelUse> kernels;      ///< in the order of their first launches
  std::vector<std::size_t> kernel_of;  ///< by launch
};

KernelUses kernel_uses(const RunView& view);

/// The lanes in which launches are drawn; empty: one for each queue, and for each direction of copies.
struct LaunchLanes {
  std::vector<std::string> of_launch;
  std::vector<std::string> order;                       ///< each lane once
  std::vector<std::vector<LaunchId>> collectives = {};  ///< the launches of each, which are drawn together
};

/// The launches of a run as JSON for the script of its page, sorted by their begins. If they are too many, the longest,
/// the critical ones, and the longest of the others are kept. `busy` then has, for each lane and each of 512 equal
/// parts of the run, the share of the part in which a launch runs.
std::string launch_data(const RunView& view, const LaunchLanes& lanes = {});

/// The data of a page's plots as JSON for its script: exact rows as in the CSV files, or bins if there are too many
/// rows. Safe inside a `<script>` element.
std::string page_data(const RunView& view, const LaunchLanes& lanes);

/// A text as JSON, safe inside a `<script>` element.
std::string script_string(std::string_view text);

/// Appends picoseconds since `from`; negative before it.
void append_picoseconds(std::string& text, SimTime from, SimTime time);

/// `"name":[a,b,c]`
template <class Range, class Append>
std::string script_column(std::string_view name, Range&& rows, Append append) {
  std::string text = "\"" + std::string(name) + "\":[";
  bool is_first = true;
  for (auto&& row : rows) {
    if (!is_first) text.push_back(',');
    is_first = false;
    append(text, row);
  }
  return text + "]";
}

/// Returns true if a run changes so few work-groups, on so few cores, that its page animates each change.
bool is_animated(const RunView& view);

/// Every change of every work-group as JSON, for the animation of dispatch:
/// - `changes`, eleven numbers each: picoseconds from the start; 0 comes, 1 changes, 2 leaves; launch; number; core;
///   threads; waiting ones; ended ones; 1 if a part of the work-group is not placed; where it is held meanwhile (0:
///   nowhere, or not known; 1: at its core; 2, 3, ...: at port 1, 2, ...); all its threads, 0 if that is not known, or
///   all are placed at once
/// - `ports`, their number, or null. Only the number of held ports is the dispatcher's: a work-group is drawn at the
///   free port of the lowest number
/// - `names` of launches; `exchanges`, the numbers of those that are collectives, if any are
std::string dispatch_changes(const RunView& view);

/// One work-group that was placed.
struct GroupLife {
  std::size_t launch = 0;
  std::uint64_t group = 0;
  SimTime begin;  ///< its first thread was placed
  SimTime end;    ///< the end of the run if the work-group had not ended
  bool has_ended = false;

  Duration duration() const { return end - begin; }
};

/// The number of durations in each of kBins equal parts from min to max.
struct Histogram {
  static constexpr std::size_t kBins = 32;

  std::uint64_t count = 0;
  Duration min;
  Duration median;  ///< by nearest rank, like p95
  Duration p95;
  Duration max;
  UInt128 sum = 0;  ///< picoseconds
  std::array<std::uint64_t, kBins> bins{};
};

/// Without durations, all values are zero.
Histogram histogram_of(std::vector<Duration> durations);

/// Returns for each core the work-groups whose first thread was placed on it, sorted by start, launch and number.
std::vector<std::vector<GroupLife>> lives_by_core(const RunView& view);

/// Returns the gaps from the end of a work-group on a core to the start of its replacement. Each start in turn uses the
/// first end that no earlier start has used. A start on resources that were free from the beginning has no gap.
std::vector<Duration> replacement_gaps(const std::vector<std::vector<GroupLife>>& lives);

/// The work-groups of a run as JSON for the script of its page: the number resident on every core over time, and the
/// single work-groups of all cores, or of as many cores as the page has room for. `changes` has their changes in a
/// small run, for its animation. `null` if the record lacks their starts and ends.
std::string group_data(const RunView& view);

/// Shows every group of cores over time, such as a shader engine or a GPC, in a section that is closed at first: a row
/// for each, by level. Empty on a device without groups, or if their use over time is not known.
std::string core_group_figures(const RunView& view);

/// For the script: `[{name, contexts, time, resident}]`, in the order of RunView::core_groups; null for a group that is
/// not drawn. A group that changes too often has means over `binned` intervals.
std::string core_group_data(const RunView& view);

}  // namespace gdsim
