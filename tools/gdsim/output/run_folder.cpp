#include "output/run_folder.hpp"

#include <gdsim/scenario/tables/csv_document.hpp>
#include "output/file_digest.hpp"
#include "output/file_lists.hpp"
#include "output/folder_commit.hpp"
#include "output/own_files.hpp"

#include <gdsim/analysis/levels.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/text.hpp>

#include <algorithm>

namespace gdsim::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kRole = "a file of a run's folder";

/// Lists the folders below that hold a run: `DIR/a, DIR/b`.
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

/// Computes the integrals over a phase, which phases.csv holds rounded.
void integrate(const ThreadLevels& levels, Phase& phase) {
  const Bin resident = bins_of(levels.resident, phase.begin, phase.end, 1).front();
  phase.resident_time = static_cast<Int128>(resident.integral);
  phase.min_resident = resident.min;
  phase.max_resident = resident.max;
  phase.running_time = static_cast<Int128>(bins_of(levels.running, phase.begin, phase.end, 1).front().integral);
}

/// The problem of a file whose content is not as summary.json lists it.
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

RunFolder::RunFolder(const fs::path& folder, FileRegister& inputs) : folder_(folder), inputs_(inputs), files_(inputs) {
  Diagnostics problems;
  const SourceText& summary = list_files(problems);
  summary_ = &summary;
  const SummaryLaunches launches = read_summary(summary, view_, problems);
  const Tables tables = open_tables(problems);
  require_whole(problems);
  problems.throw_if_any();
  read_tables(tables, launches, problems);
  if (problems.empty()) require_consistent(summary, problems);
  problems.throw_if_any();
  const ThreadLevels levels = device_levels(timeline_);
  for (Phase& phase : view_.record.phases.phases) integrate(levels, phase);
  view_.timeline = timeline_;
  view_.core_points = cores_;
  view_.group_points = groups_;
}

/// Throws InputError if the folder is not the complete folder of one run.
const SourceText& RunFolder::list_files(Diagnostics& problems) {
  const fs::path summary_path = place_in_folder(folder_, kSummaryFile);
  const std::string cases = cases_in(folder_);
  if (!fs::exists(summary_path))
    throw InputError(folder_.string() + " has no summary.json: it is not the whole folder of a run" +
                     (cases.empty() ? "" : ", but of several; name one of them: " + cases));
  const SourceText& summary = files_.read(summary_path, kRole);
  const auto list = listed_files(summary);
  if (!list)
    problems.add({&summary, 1, 1},
                 "there is no list `files` of what lies beside it, so it is not known whether the folder "
                 "is whole; write it again: gdsim run SCENARIO.yaml -o DIR");
  problems.throw_if_any();
  for (const ListedFile& file : *list) listed_.emplace(file.name, file);
  if (!listed_.contains("timeline.csv") && !cases.empty())
    throw InputError(folder_.string() + " is the folder of several runs; name one of them: " + cases);
  return summary;
}

RunFolder::Tables RunFolder::open_tables(Diagnostics& problems) {
  const auto if_listed = [&](const char* name) { return listed_.contains(name) ? &read(name, problems) : nullptr; };
  has_work_groups_ = listed_.contains("work_groups.csv");
  const Tables tables{read("timeline.csv", problems), read("cores.csv", problems),   read("phases.csv", problems),
                      read("launches.csv", problems), if_listed("group_states.csv"), if_listed("time_use.csv"),
                      if_listed("repetitions.csv"),   if_listed("bands.csv")};
  if (const SourceText* scenario = if_listed("scenario_as_run.yaml")) view_.scenario = scenario->text();
  return tables;
}

void RunFolder::read_tables(const Tables& tables, const SummaryLaunches& launches, Diagnostics& problems) {
  read_timeline(tables.timeline, problems);
  read_cores(tables.cores, problems);
  read_phases(tables.phases, problems);
  read_launches(tables.launches, launches, problems);
  if (tables.time_use != nullptr) read_time_use(*tables.time_use, problems);
  if (tables.repetitions != nullptr) view_.runs = CsvColumns(*tables.repetitions, problems).rows().size();
  if (tables.bands != nullptr) read_bands(*tables.bands, problems);
  view_.are_groups_known = tables.groups != nullptr;
  if (tables.groups != nullptr) read_group_states(*tables.groups, problems);
}

const SourceText* RunFolder::work_groups() {
  return has_work_groups_ ? &files_.read(place_in_folder(folder_, "work_groups.csv"), kRole) : nullptr;
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
  const SourceText& source = files_.read(place, kRole);
  if (digest_of(source.text()) != FileDigest{expected.bytes, expected.sha256})
    problems.add(not_whole(place, "has other content", expected));
  return source;
}

void RunFolder::require_whole(Diagnostics& problems) {
  for (const auto& [name, expected] : listed_) {
    const fs::path place = place_in_folder(folder_, name);
    const auto digest = digest_of_file(place);
    inputs_.add(place, kRole);
    if (digest != FileDigest{expected.bytes, expected.sha256})
      problems.add(not_whole(place, digest ? "has other content" : "is missing, or cannot be read", expected));
  }
  listed_.clear();
}

void RunFolder::require_consistent(const SourceText& source, Diagnostics& problems) const {
  const SourceMark mark{&source, 1, 1};
  // A run that ended before its first dispatch has no change points.
  const bool has_begun = !timeline_.empty();
  if (has_begun == cores_.empty() || view_.cores == 0 || view_.record.contexts_total == 0 ||
      view_.record.contexts_total % view_.cores != 0) {
    problems.add(mark, "the files of this folder are not those of one run");
    return;
  }
  const auto is_in_run = [&](SimTime time) { return time >= view_.record.first_dispatch && time <= view_.record.end; };
  const auto rises = [](const auto& a, const auto& b) { return a.time < b.time; };
  bool fits = view_.record.begin <= view_.record.first_dispatch && view_.record.first_dispatch <= view_.record.end &&
              (has_begun || view_.record.first_dispatch == view_.record.end) &&
              std::is_sorted(timeline_.begin(), timeline_.end(), rises) &&
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
    fits = fits && is_in_run(row.begin) && is_in_run(row.end) && row.begin < row.end;
  for (const Phase& phase : view_.record.phases.phases)
    fits = fits && is_in_run(phase.begin) && is_in_run(phase.end) && phase.begin < phase.end;
  for (const GroupPoint& point : groups_)
    fits = fits && is_in_run(point.time) && index_of(point.change.core) < view_.cores;
  if (!fits) problems.add(mark, "the files of this folder contradict each other");
}

}  // namespace gdsim::cli
