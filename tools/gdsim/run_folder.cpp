#include "run_folder.hpp"

#include "csv_columns.hpp"
#include "file_digest.hpp"
#include "file_lists.hpp"
#include "folder_commit.hpp"
#include "own_files.hpp"

#include <gdsim/base/printable.hpp>
#include <gdsim/report/csv/table_columns.hpp>
#include <gdsim/report/group_words.hpp>
#include <gdsim/report/levels.hpp>

#include <algorithm>
#include <set>
#include <tuple>

namespace gdsim::cli {
namespace {

namespace fs = std::filesystem;

/// `DIR/a, DIR/b`: folders below that hold a run.
std::string cases_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (fs::exists(entry.path() / "summary.json", ignored)) names.push_back(entry.path().string());
  std::sort(names.begin(), names.end());
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// What phases.csv has rounded: the integrals over a phase.
void integrate(const ThreadLevels& levels, Phase& phase) {
  const Bin resident = bins_of(levels.resident, phase.start, phase.end, 1).front();
  phase.resident_time = static_cast<Int128>(resident.integral);
  phase.min_resident = resident.least;
  phase.max_resident = resident.most;
  phase.running_time = static_cast<Int128>(bins_of(levels.running, phase.start, phase.end, 1).front().integral);
}

/// A file that is not what summary.json lists.
Diagnostic not_whole(const fs::path& file, const std::string& what, const ListedFile& expected) {
  return {"not_whole",
          what + "; summary.json lists " + std::to_string(expected.bytes) + " bytes with sha256 " + expected.sha256 +
              ": the folder is not whole, or another run is writing it; write it again: gdsim run SCENARIO.yaml -o DIR",
          file.string(),
          0,
          0,
          {}};
}

}  // namespace

RunFolder::RunFolder(const fs::path& folder) : folder_(folder) {
  const fs::path summary_path = place_in_folder(folder, kSummaryFile);
  const std::string cases = cases_in(folder);
  if (!fs::exists(summary_path))
    throw InputError(folder.string() + " has no summary.json: it is not the whole folder of a run" +
                     (cases.empty() ? "" : ", but of several; name one of them: " + cases));
  const SourceText& summary = files_.read(summary_path);
  const auto list = listed_files(summary);
  Diagnostics problems;
  if (!list) {
    problems.add({&summary, 1, 1},
                 "there is no list `files` of what lies beside it, so it is not known whether the folder "
                 "is whole; write it again: gdsim run SCENARIO.yaml -o DIR");
    problems.throw_if_any();
  }
  for (const ListedFile& file : *list) listed_.emplace(file.name, file);
  if (listed_.count("timeline.csv") == 0 && !cases.empty())
    throw InputError(folder.string() + " is the folder of several runs; name one of them: " + cases);
  const SummaryLaunches launches = read_summary(summary, view_, problems);
  has_work_groups_ = listed_.contains("work_groups.csv");
  view_.are_groups_known = listed_.count("group_states.csv") > 0;
  const bool has_scenario = listed_.count("scenario_as_run.yaml") > 0;
  const SourceText& timeline = read("timeline.csv", problems);
  const SourceText& cores = read("cores.csv", problems);
  const SourceText& phases = read("phases.csv", problems);
  const SourceText& launch_rows = read("launches.csv", problems);
  const SourceText* groups = view_.are_groups_known ? &read("group_states.csv", problems) : nullptr;
  const SourceText* time_use = listed_.count("time_use.csv") > 0 ? &read("time_use.csv", problems) : nullptr;
  const SourceText* repetitions = listed_.count("repetitions.csv") > 0 ? &read("repetitions.csv", problems) : nullptr;
  const SourceText* bands = listed_.count("bands.csv") > 0 ? &read("bands.csv", problems) : nullptr;
  if (has_scenario) view_.scenario = read("scenario_as_run.yaml", problems).text();
  require_whole(problems);
  problems.throw_if_any();
  read_timeline(timeline, problems);
  read_cores(cores, problems);
  read_phases(phases, problems);
  read_launches(launch_rows, launches, problems);
  if (time_use != nullptr) read_time_use(*time_use, problems);
  if (repetitions != nullptr) view_.runs = CsvColumns(*repetitions, problems).rows().size();
  if (bands != nullptr) read_bands(*bands, problems);
  if (groups != nullptr) read_group_states(*groups, problems);
  if (problems.empty()) require_consistent(summary, problems);
  problems.throw_if_any();
  const ThreadLevels levels = device_levels(timeline_);
  for (Phase& phase : view_.record.phases.phases) integrate(levels, phase);
  view_.timeline = timeline_;
  view_.core_points = cores_;
  view_.group_points = groups_;
}

const SourceText* RunFolder::work_groups() {
  return has_work_groups_ ? &files_.read(place_in_folder(folder_, "work_groups.csv")) : nullptr;
}

const SourceText& RunFolder::read(const std::string& name, Diagnostics& problems) {
  const fs::path place = place_in_folder(folder_, name);
  const auto listed = listed_.find(name);
  if (listed == listed_.end()) {
    problems.add(Diagnostic{"not_whole", "is not in the list of summary.json", place.string(), 0, 0, {}});
    return files_.keep(name, {});
  }
  const ListedFile expected = listed->second;
  listed_.erase(listed);
  if (!fs::exists(place)) {
    problems.add(not_whole(place, "is missing, or cannot be read", expected));
    return files_.keep(name, {});
  }
  const SourceText& source = files_.read(place);
  if (digest_of(source.text()) != FileDigest{expected.bytes, expected.sha256})
    problems.add(not_whole(place, "has other content", expected));
  return source;
}

void RunFolder::require_whole(Diagnostics& problems) {
  for (const auto& [name, expected] : listed_) {
    const fs::path place = place_in_folder(folder_, name);
    const auto digest = digest_of_file(place);
    if (digest != FileDigest{expected.bytes, expected.sha256})
      problems.add(not_whole(place, digest ? "has other content" : "is missing, or cannot be read", expected));
  }
  listed_.clear();
}

void RunFolder::read_timeline(const SourceText& source, Diagnostics& problems) {
  CsvColumns csv(source, problems);
  const auto time = csv.find(column::kTime), threads = csv.find(column::kResident),
             running = csv.find(column::kRunning), groups = csv.find(column::kResidentGroups),
             partial = csv.find(column::kPartialGroups), busy = csv.find(column::kBusyCores),
             slm = csv.find(column::kSlm);
  for (const CsvRow& row : csv.rows()) {
    DeviceCounts counts;
    counts.resident = {csv.count(row, threads), csv.count(row, running), csv.count(row, groups),
                       Bytes{static_cast<std::int64_t>(csv.count(row, slm))}};
    counts.work_groups_partial = csv.count(row, partial);
    counts.cores_busy = csv.count(row, busy);
    view_.record.peak_resident = std::max(view_.record.peak_resident, counts.resident.threads);
    timeline_.push_back({csv.time(row, time), counts});
  }
}

void RunFolder::read_cores(const SourceText& source, Diagnostics& problems) {
  CsvColumns csv(source, problems);
  const auto time = csv.find(column::kTime), core = csv.find(column::kCore), threads = csv.find(column::kResident),
             running = csv.find(column::kRunning), groups = csv.find(column::kResidentGroups),
             slm = csv.find(column::kSlm);
  for (const CsvRow& row : csv.rows()) {
    cores_.push_back({csv.time(row, time), static_cast<CoreId>(csv.count32(row, core)),
                      CoreResidency{csv.count32(row, threads), csv.count32(row, running), csv.count32(row, groups),
                                    Bytes{static_cast<std::int64_t>(csv.count(row, slm))}}});
  }
}

void RunFolder::read_phases(const SourceText& source, Diagnostics& problems) {
  CsvColumns csv(source, problems);
  const auto start = csv.find(column::kStart), end = csv.find(column::kEnd), threads = csv.find(column::kResident),
             busy = csv.find(column::kBusyCores), kind = csv.find(column::kKind);
  for (const CsvRow& row : csv.rows()) {
    Phase phase;
    phase.start = csv.time(row, start);
    phase.end = csv.time(row, end);
    phase.resident = csv.count(row, threads);
    phase.cores_busy = csv.count(row, busy);
    if (const auto known = phase_kind_of(csv.text(row, kind))) {
      phase.kind = *known;
    } else {
      problems.add(row.mark, "kind is '" + printable(csv.text(row, kind)) + "'; known: constant, band, ramp, tail");
    }
    view_.record.phases.phases.push_back(phase);
  }
}

/// The levels of the memory are known by the names of their columns.
void RunFolder::read_time_use(const SourceText& source, Diagnostics& problems) {
  constexpr std::string_view memory = "waiting_for_memory_";
  CsvColumns csv(source, problems);
  std::vector<std::string> levels;
  for (const std::string& name : csv.header())
    if (name.starts_with(memory) && name != "waiting_for_memory_core") levels.push_back(name.substr(memory.size()));
  TimeSeries& series = view_.time_series;
  series.columns = time_columns(levels, view_.terms.slm);
  const auto time = csv.find(column::kTime), duration = csv.find(column::kDuration), copies = csv.find(column::kCopies),
             dispatch = csv.find(column::kDispatch);
  std::vector<std::size_t> places;
  for (const TimeColumn& column : series.columns) places.push_back(csv.find(column.name));
  const auto mean = [&](const CsvRow& row, std::size_t column) {
    const auto value = round_product({csv.number(row, column)}, {TimeSeries::kPerThread, 1});
    if (value && *value >= 0 &&
        static_cast<UInt128>(*value) <= UInt128{view_.record.contexts_total} * TimeSeries::kPerThread)
      return static_cast<std::uint64_t>(*value);
    problems.add(row.mark, csv.header()[column] + " is no number of threads that the device could hold");
    return std::uint64_t{0};
  };
  for (const CsvRow& row : csv.rows()) {
    TimeSeries::Row one;
    one.start = csv.time(row, time);
    one.end = one.start + csv.time(row, duration);
    for (const std::size_t place : places) one.means.push_back(mean(row, place));
    const auto launches = [&](std::size_t column) {
      const auto count = round_product({csv.number(row, column)}, {TimeSeries::kPerThread, 1});
      return static_cast<std::uint64_t>(std::max<std::int64_t>(count.value_or(0), 0));
    };
    one.copies = launches(copies);
    one.dispatch = launches(dispatch);
    series.rows.push_back(std::move(one));
  }
}

void RunFolder::read_bands(const SourceText& source, Diagnostics& problems) {
  CsvColumns csv(source, problems);
  const auto start = csv.find(column::kStart), end = csv.find(column::kEnd);
  std::vector<std::size_t> places;
  for (const std::string_view name : kBandColumns) places.push_back(csv.find(name));
  for (const CsvRow& row : csv.rows()) {
    BandRow band{csv.time(row, start), csv.time(row, end), {}};
    for (std::size_t i = 0; i < places.size(); ++i) {
      const auto percent = round_product({csv.number(row, places[i])}, {BandRow::kPerPercent, 1});
      if (percent && *percent >= 0 && static_cast<std::uint64_t>(*percent) <= 100 * BandRow::kPerPercent) {
        band.percent[i] = static_cast<std::uint64_t>(*percent);
      } else {
        problems.add(row.mark, std::string(kBandColumns[i]) + " is no percentage from 0 to 100");
      }
    }
    if (band.start >= band.end || (!view_.bands.empty() && view_.bands.back().end != band.start))
      problems.add(row.mark, "this stretch of time does not follow the one before it");
    view_.bands.push_back(band);
  }
}

void RunFolder::read_launches(const SourceText& source, const SummaryLaunches& summary, Diagnostics& problems) {
  CsvColumns csv(source, problems);
  const auto name = csv.find(column::kLaunch), kernel = csv.find(column::kKernel), ready = csv.find(column::kReady),
             first = csv.find(column::kFirstDispatched), full = csv.find(column::kFullyDispatched),
             ended = csv.find(column::kEnded), submitted = csv.find(column::kSubmitted),
             begun = csv.find(column::kBegun), dispatched = csv.find(column::kDispatchedGroups),
             groups_ended = csv.find(column::kEndedGroups);
  for (const CsvRow& row : csv.rows()) launch_rows_.try_emplace(csv.text(row, name), launch_rows_.size());
  const auto row_of = [&](const std::string& launch, const SourceMark& mark) {
    const auto found = launch_rows_.find(launch);
    if (found == launch_rows_.end()) problems.add(mark, "launches.csv knows no launch '" + launch + "'");
    return found == launch_rows_.end() ? 0 : found->second;
  };
  for (const CsvRow& row : csv.rows()) {
    LaunchRow launch;
    launch.name = csv.text(row, name);
    launch.kernel = csv.text(row, kernel);
    LaunchRecord life;
    life.submitted = csv.time_if_any(row, submitted);
    life.ready = csv.time_if_any(row, ready);
    life.begun = csv.time_if_any(row, begun);
    life.first_dispatched = csv.time_if_any(row, first);
    life.fully_dispatched = csv.time_if_any(row, full);
    life.ended = csv.time_if_any(row, ended);
    life.groups_dispatched = csv.count(row, dispatched);
    life.groups_ended = csv.count(row, groups_ended);
    if (const auto more = summary.by_name.find(launch.name); more != summary.by_name.end()) {
      launch.is_copy = !more->second.copy.empty();
      if (launch.is_copy) launch.kernel = more->second.copy;
      for (const std::string& before : more->second.after) launch.after.push_back(row_of(before, row.mark));
      life.slack = more->second.slack;
      life.waited = more->second.waited;
    }
    view_.launches.push_back(std::move(launch));
    view_.record.launches.push_back(life);
  }
  for (const std::string& launch : summary.critical_path)
    view_.record.critical_path.push_back(static_cast<LaunchId>(row_of(launch, {&source, 1, 1})));
}

void RunFolder::read_group_states(const SourceText& source, Diagnostics& problems) {
  CsvColumns csv(source, problems);
  const auto time = csv.find(column::kTime), launch = csv.find(column::kLaunch), group = csv.find(column::kWorkGroup),
             core = csv.find(column::kCore), kind = csv.find(column::kChange), placed = csv.find(column::kPlaced),
             threads = csv.find(column::kResident), waiting = csv.find(column::kWaiting),
             ended = csv.find(column::kThreadsEnded);
  using Kind = GroupChange::Kind;
  std::set<std::tuple<std::size_t, std::uint64_t, std::uint32_t>> here;
  for (const CsvRow& row : csv.rows()) {
    const auto found = launch_rows_.find(csv.text(row, launch));
    GroupChange change;
    const std::string& word = csv.text(row, kind);
    change.kind = word == name_of(Kind::comes)    ? Kind::comes
                  : word == name_of(Kind::leaves) ? Kind::leaves
                                                  : Kind::changes;
    change.work_group = WorkGroupId{csv.count(row, group)};
    change.core = static_cast<CoreId>(csv.count32(row, core));
    change.state = {
        csv.count32(row, threads), csv.count32(row, waiting), csv.count32(row, ended),
        csv.text(row, placed) == name_of(GroupPlacement::full) ? GroupPlacement::full : GroupPlacement::partial};
    const std::size_t number = found == launch_rows_.end() ? 0 : found->second;
    const auto key = std::make_tuple(number, number_of(change.work_group), static_cast<std::uint32_t>(change.core));
    const bool is_here = here.contains(key);
    if (found == launch_rows_.end() || is_here == (change.kind == Kind::comes) ||
        UInt128{change.state.waiting} + change.state.ended > change.state.threads)
      problems.add(row.mark, "this change of a work-group does not fit to the rows before it");
    if (change.kind == Kind::leaves)
      here.erase(key);
    else
      here.insert(key);
    change.launch = static_cast<LaunchId>(number);
    groups_.push_back({csv.time(row, time), change});
  }
}

/// What pictures rely on: they must not trust files more than the simulation.
void RunFolder::require_consistent(const SourceText& source, Diagnostics& problems) const {
  const SourceMark mark{&source, 1, 1};
  if (timeline_.empty() || cores_.empty() || view_.cores == 0 || view_.record.contexts_total == 0 ||
      view_.record.contexts_total % view_.cores != 0) {
    problems.add(mark, "the files of this folder are not those of one run");
    return;
  }
  const auto is_in_run = [&](Picoseconds time) { return time >= view_.record.start && time <= view_.record.end; };
  const auto rises = [](const auto& a, const auto& b) { return a.time < b.time; };
  bool fits = std::is_sorted(timeline_.begin(), timeline_.end(), rises) &&
              std::is_sorted(cores_.begin(), cores_.end(), rises) &&
              std::is_sorted(groups_.begin(), groups_.end(), rises);
  for (const TimelinePoint& point : timeline_)
    fits = fits && is_in_run(point.time) && point.counts.resident.running <= point.counts.resident.threads &&
           point.counts.cores_busy <= view_.cores &&
           point.counts.resident.threads <= point.counts.cores_busy * view_.record.contexts_per_core;
  for (const CorePoint& point : cores_)
    fits = fits && is_in_run(point.time) && index_of(point.core) < view_.cores &&
           point.resident.running <= point.resident.threads && point.resident.threads <= view_.record.contexts_per_core;
  for (const TimeSeries::Row& row : view_.time_series.rows)
    fits = fits && is_in_run(row.start) && is_in_run(row.end) && row.start < row.end;
  for (const Phase& phase : view_.record.phases.phases)
    fits = fits && is_in_run(phase.start) && is_in_run(phase.end) && phase.start < phase.end;
  for (const GroupPoint& point : groups_)
    fits = fits && is_in_run(point.time) && index_of(point.change.core) < view_.cores;
  if (!fits) problems.add(mark, "the files of this folder contradict each other");
}

}  // namespace gdsim::cli
