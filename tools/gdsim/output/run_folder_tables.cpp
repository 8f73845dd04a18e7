#include "output/run_folder.hpp"

#include <gdsim/scenario/tables/csv_document.hpp>

#include <gdsim/analysis/words.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/report/csv/table_columns.hpp>

#include <set>
#include <tuple>

// The tables of a run's folder, row by row.

namespace gdsim::cli {

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
    phase.begin = csv.time(row, start);
    phase.end = csv.time(row, end);
    phase.resident = csv.count(row, threads);
    phase.cores_busy = csv.count(row, busy);
    if (const auto known = phase_kind_of(csv.text(row, kind))) {
      phase.kind = *known;
    } else {
      problems.add(row.mark, "kind is " + in_quotes(csv.text(row, kind)) + "; known: constant, band, ramp, tail");
    }
    view_.record.phases.phases.push_back(phase);
  }
}

/// The names of the columns give the memory levels.
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
  const bool knows_accesses = std::count(csv.header().begin(), csv.header().end(), "accessing_memory") > 0;
  for (const TimeColumn& column : series.columns)
    if (knows_accesses || column.name != "accessing_memory") places.push_back(csv.find(column.name));
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
    one.begin = csv.time(row, time);
    one.end = one.begin + csv.span(row, duration);
    for (const std::size_t place : places) one.means.push_back(mean(row, place));
    if (!knows_accesses) one.means.insert(one.means.begin() + TimeSeries::kAccess, 0);
    const auto launches = [&](std::size_t column) {
      const auto count = round_product({csv.number(row, column)}, {TimeSeries::kPerThread, 1});
      return static_cast<std::uint64_t>(std::max<std::int64_t>(count.value_or(0), 0));
    };
    one.copies = launches(copies);
    one.dispatch = launches(dispatch);
    if (one.means[TimeSeries::kAccess] > one.means[TimeSeries::kComputing])
      problems.add(row.mark, "accessing_memory is more than executing, of which it is a part");
    else
      one.means[TimeSeries::kComputing] -= one.means[TimeSeries::kAccess];
    series.rows.push_back(std::move(one));
  }
  name_parts_of_executing(series);
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
    if (band.begin >= band.end || (!view_.bands.empty() && view_.bands.back().end != band.begin))
      problems.add(row.mark, "this stretch of time does not follow the one before it");
    view_.bands.push_back(band);
  }
}

void RunFolder::read_launches(const SourceText& source, const SummaryLaunches& summary, Diagnostics& problems) {
  CsvColumns csv(source, problems);
  const auto name = csv.find(column::kLaunch), kernel = csv.find(column::kKernel), queue = csv.find(column::kQueue),
             ready = csv.find(column::kReady), first = csv.find(column::kFirstDispatched),
             full = csv.find(column::kFullyDispatched), ended = csv.find(column::kEnded),
             submitted = csv.find(column::kSubmitted), begun = csv.find(column::kBegun),
             dispatched = csv.find(column::kDispatchedGroups), groups_ended = csv.find(column::kEndedGroups);
  for (const CsvRow& row : csv.rows()) launch_rows_.try_emplace(csv.text(row, name), launch_rows_.size());
  const auto row_of = [&](const std::string& launch, const SourceMark& mark) {
    const auto found = launch_rows_.find(launch);
    if (found == launch_rows_.end()) problems.add(mark, "launches.csv knows no launch " + in_quotes(launch));
    return found == launch_rows_.end() ? 0 : found->second;
  };
  for (const CsvRow& row : csv.rows()) {
    LaunchRow launch;
    launch.name = csv.text(row, name);
    launch.kernel = csv.text(row, kernel);
    launch.queue = csv.text(row, queue);
    LaunchRecord life;
    life.submitted = csv.time_if_any(row, submitted);
    life.ready = csv.time_if_any(row, ready);
    life.begun = csv.time_if_any(row, begun);
    if (life.begun) view_.record.begin = std::min(view_.record.begin, *life.begun);
    life.first_dispatched = csv.time_if_any(row, first);
    life.fully_dispatched = csv.time_if_any(row, full);
    life.ended = csv.time_if_any(row, ended);
    life.work_groups_dispatched = csv.count(row, dispatched);
    life.work_groups_ended = csv.count(row, groups_ended);
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
    const std::string& placement = csv.text(row, placed);
    change.state = {csv.count32(row, threads), csv.count32(row, waiting), csv.count32(row, ended),
                    placement == name_of(GroupPlacement::full)    ? GroupPlacement::full
                    : placement == name_of(GroupPlacement::saved) ? GroupPlacement::saved
                                                                  : GroupPlacement::partial};
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

void RunFolder::keep_group_lives() {
  const SourceText* source = work_groups();
  if (source == nullptr || view_.record.work_groups_total > kMaxGroupLives) return;
  Diagnostics problems;
  CsvColumns csv(*source, problems);
  const auto launch = csv.find(column::kLaunch), group = csv.find(column::kWorkGroup), core = csv.find(column::kCore),
             threads = csv.find(column::kFirstThreads), first = csv.find(column::kFirstPlaced),
             full = csv.find(column::kFullyPlaced), ended = csv.find(column::kEnded);
  group_lives_.assign(view_.launches.size(), {});
  std::uint64_t kept = 0;
  for (const CsvRow& row : csv.rows()) {
    const auto found = launch_rows_.find(csv.text(row, launch));
    const std::uint64_t number = csv.count(row, group);
    WorkGroupRecord life;
    life.core = static_cast<CoreId>(csv.count32(row, core));
    life.threads_first_placed = csv.count32(row, threads);
    life.first_placed = csv.time(row, first);
    life.fully_placed = csv.time_if_any(row, full);
    life.ended = csv.time_if_any(row, ended);
    const bool is_in_run = life.first_placed >= view_.record.first_dispatch &&
                           life.first_placed <= life.ended.value_or(view_.record.end) &&
                           life.ended.value_or(view_.record.end) <= view_.record.end;
    if (found == launch_rows_.end() || number >= view_.record.work_groups_total || index_of(life.core) >= view_.cores ||
        !is_in_run || !life.was_placed()) {
      problems.add(row.mark, "this work-group contradicts the other files of the run");
      continue;
    }
    std::vector<WorkGroupRecord>& lives = group_lives_[found->second];
    if (lives.size() <= number) {
      kept += number + 1 - lives.size();
      if (kept <= view_.record.work_groups_total) lives.resize(static_cast<std::size_t>(number) + 1);
    }
    // All launches together have at most the run's work-groups, and no launch lists a work-group twice.
    if (kept > view_.record.work_groups_total || lives[static_cast<std::size_t>(number)].was_placed()) {
      problems.add(row.mark, "there are more work-groups than the run has");
      break;
    }
    lives[static_cast<std::size_t>(number)] = life;
  }
  problems.throw_if_any();
  for (const std::vector<WorkGroupRecord>& lives : group_lives_) view_.group_lives.emplace_back(lives);
}
}  // namespace gdsim::cli
