#include <gdsim/report/format_catalog.hpp>

#include <gdsim/analysis/run_view.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/graph_dot.hpp>
#include <gdsim/report/json/summary_json.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
namespace {

Format format(std::string_view name, Keeps keeps, const CsvTable& table) {
  return {name, table.file(), keeps, [&table](const RunReport& report, Sink& sink) { table.write(report, sink); },
          {},   &table};
}

}  // namespace

std::vector<Format> built_in_formats() {
  return {format("timeline", Keeps::timeline, timeline_table()),
          format("cores", Keeps::cores, cores_table()),
          format("phases", Keeps::nothing, phases_table()),
          format("work-groups", Keeps::work_groups, work_groups_table()),
          {"summary", "summary.json", Keeps::nothing, write_summary_json},
          format("launches", Keeps::nothing, launches_table()),
          format("kernels", Keeps::launches, kernels_table()),
          format("group-states", Keeps::group_states, group_states_table()),
          {"graph", "graph.dot", Keeps::nothing, write_graph_dot},
          format("time-use", Keeps::waits, time_use_table()),
          format("groups", Keeps::core_groups, core_groups_table()),
          format("slices", Keeps::processes, slices_table()),
          format("repetitions", Keeps::repetitions, repetitions_table()),
          format("bands", Keeps::repetitions, bands_table())};
}

std::vector<Format> export_formats() {
  return {{"block-times", "block_times.json", Keeps::work_groups, write_block_times_json},
          {"ncu", "ncu.csv", Keeps::nothing, write_ncu_metrics_csv, "nvidia"}};
}

void KeptParts::watch(const std::set<Keeps>& keeps, const DeviceSpec& device, const Workload& workload,
                      std::optional<Duration> sample, RunOptions& options) {
  if (keeps.contains(Keeps::repetitions)) options.keep_timeline = KeepTimeline::resident_threads;
  if (keeps.contains(Keeps::timeline)) options.keep_timeline = KeepTimeline::yes;
  if (keeps.contains(Keeps::cores) || keeps.contains(Keeps::core_groups))
    options.observers.push_back(&cores_.emplace(device.cores));
  if (keeps.contains(Keeps::work_groups)) options.observers.push_back(&work_groups_.emplace(workload.launches.size()));
  if (keeps.contains(Keeps::launches)) options.observers.push_back(&launches_.emplace(workload.launches.size()));
  if (keeps.contains(Keeps::group_states)) {
    group_states_.emplace(kMaxGroupPointsDrawn);
    if (may_draw_groups(workload)) options.observers.push_back(&*group_states_);
  }
  if (keeps.contains(Keeps::tiles)) options.tile_log = &tiles_.emplace(kMaxTilesKept);
  const std::size_t columns = wait_column_count(device.memory ? device.memory->levels.size() : 0);
  if (keeps.contains(Keeps::waits)) options.wait_series.push_back(&waits_.emplace(columns));
  if (sample) options.wait_series.push_back(&sampled_waits_.emplace(columns, *sample, kMaxSamples));
}

void KeptParts::add_to(RunReport& report) const {
  if (cores_) report.cores = &*cores_;
  if (work_groups_) report.work_groups = &*work_groups_;
  if (launches_) report.launches = &*launches_;
  if (group_states_) report.group_states = &*group_states_;
  if (waits_) report.waits = &*waits_;
  if (sampled_waits_) report.sampled_waits = &*sampled_waits_;
  if (tiles_) report.tiles = &*tiles_;
}

namespace {

bool names_time(std::string_view name) { return name.ends_with("_ns"); }

/// Reads JSON from its begin to its end, and writes it again without times.
class JsonFilter {
 public:
  explicit JsonFilter(std::string_view json) : json_(json) {}

  std::string filtered() {
    while (at_ < json_.size()) {
      const char c = json_[at_];
      if (c == '"') {
        text();
      } else if (c == '-' || (c >= '0' && c <= '9')) {
        number();
      } else {
        punctuation(c);
      }
    }
    return std::move(out_);
  }

 private:
  bool is_in_times() const { return !open_.empty() && open_.back(); }

  void text() {
    std::size_t end = at_ + 1;
    while (end < json_.size() && json_[end] != '"') end += json_[end] == '\\' ? 2 : 1;
    end = end < json_.size() ? end + 1 : json_.size();
    last_ = json_.substr(at_, end - at_);
    out_ += last_;
    at_ = end;
  }

  void number() {
    const std::size_t end = std::min(json_.find_first_not_of("+-.0123456789eE", at_), json_.size());
    out_ += is_time_ ? "null" : std::string(json_.substr(at_, end - at_));
    at_ = end;
  }

  void punctuation(char c) {
    if (c == ':') is_time_ = is_in_times() || (last_.size() > 1 && names_time(last_.substr(1, last_.size() - 2)));
    if (c == '{' || c == '[') open_.push_back(is_time_);
    if ((c == '}' || c == ']') && !open_.empty()) open_.pop_back();
    if (c == '}' || c == ']' || c == ',') is_time_ = is_in_times();
    out_ += c;
    ++at_;
  }

  std::string_view json_;
  std::size_t at_ = 0;
  std::string out_;
  std::string_view last_;   ///< the last text, with its quotes
  bool is_time_ = false;    ///< the next number is a time
  std::vector<bool> open_;  ///< for each open bracket: what is in it are times
};

}  // namespace

std::string json_without_times(std::string_view json) { return JsonFilter(json).filtered(); }

}  // namespace gdsim
