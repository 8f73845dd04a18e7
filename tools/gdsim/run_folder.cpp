#include "run_folder.hpp"

#include "csv_columns.hpp"

#include <gdsim/scenario/yaml_document.hpp>
#include <gdsim/scenario/yaml_values.hpp>

#include <algorithm>
#include <map>

namespace gdsim::cli {
namespace {

/// Values of summary.json. JSON is YAML: the strict reader of scenarios reads it, with places for its messages.
class SummaryReader {
 public:
  SummaryReader(const YamlNode& root, Diagnostics& problems) : root_(root), values_(problems) {}

  std::string text(std::string_view key) const {
    const YamlNode* node = find(key);
    return node == nullptr ? "" : node->text;
  }

  std::uint64_t count(std::string_view key) const {
    const YamlNode* node = find(key);
    return node == nullptr ? 0 : values_.whole(*node, key).value_or(0);
  }

  Picoseconds time(std::string_view key) const {
    const YamlNode* node = find(key);
    if (node == nullptr) return {};
    const auto time = parse_nanoseconds(node->text);
    if (!time) values_.fail(*node, key, describe(*node) + " is no time in nanoseconds");
    return time.value_or(Picoseconds{});
  }

  std::size_t items(std::string_view key) const {
    const YamlNode* node = find(key);
    return node == nullptr ? 0 : node->items.size();
  }

 private:
  const YamlNode* find(std::string_view key) const {
    const YamlNode* node = root_.find(key);
    if (node == nullptr) values_.fail(root_, key, "is missing");
    return node;
  }

  const YamlNode& root_;
  ValueReader values_;
};

/// Of points of one instant, what leaves comes first.
bool happens_before(const GroupPoint& a, const GroupPoint& b) {
  const auto order = [](const GroupPoint& point) {
    return std::make_pair(point.time, point.change.kind == GroupChange::Kind::leaves ? 0 : 1);
  };
  return order(a) < order(b);
}

void merge(LaunchRow& launch, Picoseconds first, const std::optional<Picoseconds>& full,
           const std::optional<Picoseconds>& ended, bool is_first) {
  if (is_first) {
    launch.first_dispatched = first;
    launch.fully_dispatched = full;
    launch.ended = ended;
    return;
  }
  const auto later = [](std::optional<Picoseconds>& known, const std::optional<Picoseconds>& more) {
    known = known && more ? std::optional(std::max(*known, *more)) : std::nullopt;
  };
  launch.first_dispatched = std::min(*launch.first_dispatched, first);
  later(launch.fully_dispatched, full);
  later(launch.ended, ended);
}

}  // namespace

RunFolder::RunFolder(const std::filesystem::path& folder) {
  Diagnostics problems;
  const SourceText& summary = files_.read(folder / "summary.json");
  read_summary(summary, problems);
  read_timeline(files_.read(folder / "timeline.csv"), problems);
  read_cores(files_.read(folder / "cores.csv"), problems);
  read_phases(files_.read(folder / "phases.csv"), problems);
  read_work_groups(files_.read(folder / "work_groups.csv"), problems);
  if (problems.empty()) require_consistent(summary, problems);
  problems.throw_if_any();
  view_.timeline = timeline_;
  view_.core_points = cores_;
  view_.group_points = groups_;
}

void RunFolder::read_summary(const SourceText& source, Diagnostics& problems) {
  const auto root = read_yaml(source, problems);
  if (!root) return;
  const SummaryReader summary(*root, problems);
  view_.title = summary.text("scenario");
  view_.device = summary.text("device");
  view_.outcome = summary.text("outcome");
  view_.start = summary.time("start_ns");
  view_.end = summary.time("end_ns");
  view_.threads_total = summary.count("threads_total");
  view_.contexts_total = summary.count("contexts_total");
  view_.work_groups_total = summary.count("work_groups_total");
  view_.transitions = summary.items("transitions");
}

void RunFolder::read_timeline(const SourceText& source, Diagnostics& problems) {
  CsvColumns csv(source, problems);
  const auto time = csv.find("time_ns"), threads = csv.find("threads_resident"), running = csv.find("threads_running"),
             groups = csv.find("work_groups_resident"), partial = csv.find("work_groups_partial"),
             busy = csv.find("cores_busy"), slm = csv.find("slm_bytes");
  for (const CsvRow& row : csv.rows()) {
    DeviceCounts counts;
    counts.resident = {csv.count(row, threads), csv.count(row, running), csv.count(row, groups),
                       Bytes{static_cast<std::int64_t>(csv.count(row, slm))}};
    counts.work_groups_partial = csv.count(row, partial);
    counts.cores_busy = csv.count(row, busy);
    view_.peak_resident = std::max(view_.peak_resident, counts.resident.threads);
    timeline_.push_back({csv.time(row, time), counts});
  }
}

void RunFolder::read_cores(const SourceText& source, Diagnostics& problems) {
  CsvColumns csv(source, problems);
  const auto time = csv.find("time_ns"), core = csv.find("core"), threads = csv.find("threads_resident"),
             running = csv.find("threads_running"), groups = csv.find("work_groups_resident"),
             slm = csv.find("slm_bytes");
  for (const CsvRow& row : csv.rows()) {
    const std::uint32_t number = csv.count32(row, core);
    view_.cores = std::max(view_.cores, number + 1);
    cores_.push_back({csv.time(row, time), static_cast<CoreId>(number),
                      Residency{csv.count(row, threads), csv.count(row, running), csv.count(row, groups),
                                Bytes{static_cast<std::int64_t>(csv.count(row, slm))}}});
  }
}

void RunFolder::read_phases(const SourceText& source, Diagnostics& problems) {
  CsvColumns csv(source, problems);
  const auto start = csv.find("start_ns"), end = csv.find("end_ns"), threads = csv.find("threads_resident"),
             running = csv.find("threads_running_mean"), busy = csv.find("cores_busy");
  for (const CsvRow& row : csv.rows()) {
    const auto mean = round_product({csv.number(row, running)}, {10'000, 1});
    view_.phases.push_back({csv.time(row, start), csv.time(row, end), csv.count(row, threads),
                            Ratio{static_cast<UInt128>(mean.value_or(0)), 10'000}, csv.count(row, busy)});
  }
}

void RunFolder::read_work_groups(const SourceText& source, Diagnostics& problems) {
  CsvColumns csv(source, problems);
  const auto launch = csv.find("launch"), kernel = csv.find("kernel"), group = csv.find("work_group"),
             core = csv.find("core"), threads = csv.find("threads"), placed = csv.find("threads_first_placed"),
             first = csv.find("first_placed_ns"), full = csv.find("fully_placed_ns"), ended = csv.find("ended_ns");
  std::map<std::string, std::size_t> rows;
  std::vector<std::uint64_t> groups_of;
  for (const CsvRow& row : csv.rows()) {
    const auto [found, is_new] = rows.try_emplace(csv.text(row, launch), view_.launches.size());
    if (is_new) view_.launches.push_back({csv.text(row, launch), csv.text(row, kernel), {}, {}, {}, {}, {}});
    if (is_new) groups_of.push_back(0);
    const Picoseconds from = csv.time(row, first);
    const auto filled = csv.time_if_any(row, full);
    const auto until = csv.time_if_any(row, ended);
    if (csv.count(row, group) != groups_of[found->second]++ || (filled && *filled < from) ||
        (until && (!filled || *until <= from || *until < *filled)))
      problems.add(row.mark, "the work-group is out of turn, or its times are");
    merge(view_.launches[found->second], from, filled, until, is_new);
    if (csv.rows().size() > kMostGroupsDrawn) continue;
    GroupChange change{GroupChange::Kind::comes, static_cast<LaunchId>(found->second),
                       WorkGroupId{csv.count(row, group)}, static_cast<CoreId>(csv.count32(row, core)),
                       GroupState{csv.count32(row, placed), 0, 0, GroupPlacement::partial}};
    if (filled == from) change.state.placement = GroupPlacement::full;
    groups_.push_back({from, change});
    if (filled && *filled > from) {
      change.kind = GroupChange::Kind::changes;
      change.state = {csv.count32(row, threads), 0, 0, GroupPlacement::full};
      groups_.push_back({*filled, change});
    }
    change.kind = GroupChange::Kind::leaves;
    if (until) groups_.push_back({*until, change});
  }
  std::stable_sort(groups_.begin(), groups_.end(), happens_before);
}

/// What pictures rely on: they must not trust files more than the simulation.
void RunFolder::require_consistent(const SourceText& source, Diagnostics& problems) const {
  const SourceMark mark{&source, 1, 1};
  if (timeline_.empty() || cores_.empty() || view_.contexts_total == 0 || view_.contexts_total % view_.cores != 0) {
    problems.add(mark, "the files of this folder are not those of one run");
    return;
  }
  const auto is_in_run = [&](Picoseconds time) { return time >= view_.start && time <= view_.end; };
  const auto rises = [](const auto& a, const auto& b) { return a.time < b.time; };
  bool fits =
      std::is_sorted(timeline_.begin(), timeline_.end(), rises) && std::is_sorted(cores_.begin(), cores_.end(), rises);
  for (const TimelinePoint& point : timeline_)
    fits = fits && is_in_run(point.time) && point.counts.resident.running <= point.counts.resident.threads &&
           point.counts.cores_busy <= view_.cores &&
           point.counts.resident.threads <= point.counts.cores_busy * view_.contexts_per_core();
  for (const CorePoint& point : cores_)
    fits = fits && is_in_run(point.time) && point.resident.running <= point.resident.threads &&
           point.resident.threads <= view_.contexts_per_core();
  for (const PhaseRow& phase : view_.phases)
    fits = fits && is_in_run(phase.start) && is_in_run(phase.end) && phase.start <= phase.end;
  for (const GroupPoint& point : groups_)
    fits = fits && is_in_run(point.time) && index_of(point.change.core) < view_.cores;
  if (!fits) problems.add(mark, "the files of this folder contradict each other");
}

}  // namespace gdsim::cli
