#include "run_folder.hpp"

#include "csv_columns.hpp"
#include "file_digest.hpp"
#include "file_lists.hpp"
#include "folder_commit.hpp"
#include "own_files.hpp"

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

/// The mean of running threads in a phase, which phases.csv has rounded.
Ratio running_mean(const Timeline& timeline, Picoseconds start, Picoseconds end) {
  const Bin bin = bins_of(device_levels(timeline).running, start, end, 1).front();
  return bin.mean();
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
  const auto list = listed_files(summary.text());
  Diagnostics problems;
  if (!list) {
    problems.add({&summary, 1, 1},
                 "there is no list `files` of what lies beside it, hence nobody knows whether the folder "
                 "is whole; write it again: gdsim run SCENARIO.yaml -o DIR");
    problems.throw_if_any();
  }
  for (const ListedFile& file : *list) listed_.emplace(file.name, file);
  if (listed_.count("timeline.csv") == 0 && !cases.empty())
    throw InputError(folder.string() + " is the folder of several runs; name one of them: " + cases);
  const SummaryLaunches launches = read_summary(summary, view_, problems);
  view_.are_groups_known = listed_.count("group_states.csv") > 0;
  const bool has_scenario = listed_.count("scenario_as_run.yaml") > 0;
  const SourceText& timeline = read("timeline.csv", problems);
  const SourceText& cores = read("cores.csv", problems);
  const SourceText& phases = read("phases.csv", problems);
  const SourceText& launch_rows = read("launches.csv", problems);
  const SourceText* groups = view_.are_groups_known ? &read("group_states.csv", problems) : nullptr;
  if (has_scenario) view_.scenario = read("scenario_as_run.yaml", problems).text();
  require_whole(problems);
  problems.throw_if_any();
  read_timeline(timeline, problems);
  read_cores(cores, problems);
  read_phases(phases, problems);
  read_launches(launch_rows, launches, problems);
  if (groups != nullptr) read_group_states(*groups, problems);
  if (problems.empty()) require_consistent(summary, problems);
  problems.throw_if_any();
  for (PhaseRow& phase : view_.phases) phase.running_mean = running_mean(timeline_, phase.start, phase.end);
  view_.timeline = timeline_;
  view_.core_points = cores_;
  view_.group_points = groups_;
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
    cores_.push_back({csv.time(row, time), static_cast<CoreId>(csv.count32(row, core)),
                      Residency{csv.count(row, threads), csv.count(row, running), csv.count(row, groups),
                                Bytes{static_cast<std::int64_t>(csv.count(row, slm))}}});
  }
}

void RunFolder::read_phases(const SourceText& source, Diagnostics& problems) {
  CsvColumns csv(source, problems);
  const auto start = csv.find("start_ns"), end = csv.find("end_ns"), threads = csv.find("threads_resident"),
             busy = csv.find("cores_busy");
  for (const CsvRow& row : csv.rows())
    view_.phases.push_back(
        {csv.time(row, start), csv.time(row, end), csv.count(row, threads), Ratio{}, csv.count(row, busy)});
}

void RunFolder::read_launches(const SourceText& source, const SummaryLaunches& summary, Diagnostics& problems) {
  CsvColumns csv(source, problems);
  const auto name = csv.find("launch"), kernel = csv.find("kernel"), ready = csv.find("ready_ns"),
             first = csv.find("first_dispatched_ns"), full = csv.find("fully_dispatched_ns"),
             ended = csv.find("ended_ns");
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
    launch.ready = csv.time_if_any(row, ready);
    launch.first_dispatched = csv.time_if_any(row, first);
    launch.fully_dispatched = csv.time_if_any(row, full);
    launch.ended = csv.time_if_any(row, ended);
    if (const auto more = summary.by_name.find(launch.name); more != summary.by_name.end()) {
      launch.is_copy = !more->second.copy.empty();
      if (launch.is_copy) launch.kernel = more->second.copy;
      for (const std::string& before : more->second.after) launch.after.push_back(row_of(before, row.mark));
      launch.slack = more->second.slack;
      launch.waited = more->second.waited;
    }
    view_.launches.push_back(std::move(launch));
  }
  for (const std::string& launch : summary.critical_path)
    view_.critical_path.push_back(row_of(launch, {&source, 1, 1}));
}

void RunFolder::read_group_states(const SourceText& source, Diagnostics& problems) {
  CsvColumns csv(source, problems);
  const auto time = csv.find("time_ns"), launch = csv.find("launch"), group = csv.find("work_group"),
             core = csv.find("core"), kind = csv.find("change"), placed = csv.find("placed"),
             threads = csv.find("threads_resident"), waiting = csv.find("threads_waiting"),
             ended = csv.find("threads_ended");
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
  if (timeline_.empty() || cores_.empty() || view_.cores == 0 || view_.contexts_total == 0 ||
      view_.contexts_total % view_.cores != 0) {
    problems.add(mark, "the files of this folder are not those of one run");
    return;
  }
  const auto is_in_run = [&](Picoseconds time) { return time >= view_.start && time <= view_.end; };
  const auto rises = [](const auto& a, const auto& b) { return a.time < b.time; };
  bool fits = std::is_sorted(timeline_.begin(), timeline_.end(), rises) &&
              std::is_sorted(cores_.begin(), cores_.end(), rises) &&
              std::is_sorted(groups_.begin(), groups_.end(), rises);
  for (const TimelinePoint& point : timeline_)
    fits = fits && is_in_run(point.time) && point.counts.resident.running <= point.counts.resident.threads &&
           point.counts.cores_busy <= view_.cores &&
           point.counts.resident.threads <= point.counts.cores_busy * view_.contexts_per_core();
  for (const CorePoint& point : cores_)
    fits = fits && is_in_run(point.time) && index_of(point.core) < view_.cores &&
           point.resident.running <= point.resident.threads && point.resident.threads <= view_.contexts_per_core();
  for (const PhaseRow& phase : view_.phases)
    fits = fits && is_in_run(phase.start) && is_in_run(phase.end) && phase.start < phase.end;
  for (const GroupPoint& point : groups_)
    fits = fits && is_in_run(point.time) && index_of(point.change.core) < view_.cores;
  if (!fits) problems.add(mark, "the files of this folder contradict each other");
}

}  // namespace gdsim::cli
