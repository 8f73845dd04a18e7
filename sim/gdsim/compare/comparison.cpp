#include <gdsim/compare/comparison.hpp>

#include <gdsim/base/column_names.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace gdsim {
namespace {

enum class Column : std::uint8_t { launch, work_group, core, start, end, duration };

constexpr std::array kOfDurations{ColumnAliases<Column>{Column::launch, "launch"},
                                  ColumnAliases<Column>{Column::duration, "duration", UnitInName::time}};
constexpr std::array kOfPlacements{
    ColumnAliases<Column>{Column::launch, "launch"}, ColumnAliases<Column>{Column::work_group, "work_group"},
    ColumnAliases<Column>{Column::core, "core"}, ColumnAliases<Column>{Column::start, "start", UnitInName::time},
    ColumnAliases<Column>{Column::end, "end", UnitInName::time}};

using Columns = NamedColumns<Column>;

constexpr std::uint64_t kMaxGroup = std::uint64_t{1} << 40;

/// Returns true if the header has these columns.
bool has_columns(const SourceText& source, std::span<const ColumnAliases<Column>> known,
                 std::initializer_list<Column> wanted) {
  const std::vector<std::string> header = csv_header(source);
  return std::all_of(wanted.begin(), wanted.end(), [&](Column column) {
    return std::any_of(header.begin(), header.end(), [&](const std::string& name) {
      const ColumnAliases<Column>* alias = find_column(name, known);
      return alias != nullptr && alias->meaning == column;
    });
  });
}

/// Returns the measured time less the timer's addition, at least 0.
Duration without_timer(Duration measured, const TimerAllowance* timer) {
  if (timer == nullptr) return measured;
  return std::max(measured - timer->adds, Duration{0});
}

/// `-7.3 %`: the difference of the simulated duration from the measured one.
std::string difference_text(Duration simulated, Duration measured) {
  if (measured.count == 0) return "-";
  const bool is_less = simulated < measured;
  const Duration difference = is_less ? measured - simulated : simulated - measured;
  return (is_less ? "-" : "+") +
         to_fixed({static_cast<UInt128>(difference.count) * 100, static_cast<UInt128>(measured.count)}, 1) + " %";
}

std::string too_short_words(const TimerAllowance& timer) {
  return fmt::format(
      "The timer itself adds {}, and a measured time that is not longer shows nothing of the device: time many "
      "launches together.\n",
      to_text(timer.adds));
}

Duration simulated_duration(const Workload& workload, const RunRecord& record, const MeasuredDuration& row) {
  if (row.launch.empty()) return record.duration();
  for (std::size_t i = 0; i < workload.launches.size(); ++i)
    if (workload.launches[i].name == row.launch)
      if (const OptionalDuration duration = record.launches[i].duration()) return *duration;
  Diagnostics problems;
  problems.add(row.mark, "launch: " + in_quotes(row.launch) + " is none of the run, or has not ended");
  problems.throw_if_any();
  return {};
}

}  // namespace

bool is_durations(const SourceText& source) {
  const std::vector<std::string> header = csv_header(source);
  return std::all_of(header.begin(), header.end(),
                     [](const std::string& name) { return find_column<Column>(name, kOfDurations) != nullptr; }) &&
         has_columns(source, kOfDurations, {Column::duration});
}

std::vector<MeasuredDuration> read_measured_durations(const SourceText& source, Diagnostics& problems) {
  const std::size_t before = problems.size();
  const CsvDocument table = read_csv(source, problems);
  const Columns columns(table, kOfDurations, problems);
  if (problems.size() == before && table.rows.empty())
    problems.add({&source, 1, 1}, "no duration stands below the header");
  std::vector<MeasuredDuration> measured;
  if (problems.size() > before) return measured;
  for (const CsvRow& row : table.rows) {
    const std::string launch(columns.text(row, Column::launch));
    if (columns.has(Column::launch) && launch.empty()) columns.fail(row, Column::launch, "has no name");
    measured.push_back({launch, columns.duration(row, Column::duration), row.mark});
  }
  return measured;
}

std::string durations_text(const Workload& workload, const RunRecord& record,
                           const std::vector<MeasuredDuration>& measured, const TimerAllowance* timer) {
  std::string text = fmt::format("{:<24} {:>14} {:>14} {:>14} {:>10}\n", "launch", "simulated", "measured",
                                 timer == nullptr ? "" : "without timer", "difference");
  for (const MeasuredDuration& row : measured) {
    const Duration simulated = simulated_duration(workload, record, row);
    const Duration plain = without_timer(row.duration, timer);
    text += fmt::format("{:<24} {:>14} {:>14} {:>14} {:>10}\n", row.launch.empty() ? "the run" : printable(row.launch),
                        to_rounded_text(simulated), to_rounded_text(row.duration),
                        timer == nullptr ? "" : to_rounded_text(plain), difference_text(simulated, plain));
  }
  const bool are_too_short = timer != nullptr && std::any_of(measured.begin(), measured.end(), [&](const auto& row) {
                               return row.duration <= timer->adds;
                             });
  return text + (timer == nullptr ? "" : "Timer: " + timer_words(*timer) + ".\n") +
         (are_too_short ? too_short_words(*timer) : "");
}

std::string duration_words(Duration simulated, Duration measured, const TimerAllowance& timer) {
  const Duration plain = without_timer(measured, &timer);
  return fmt::format("measured {}, without {} of the timer {}; simulated {} ({})\nTimer: {}.\n",
                     to_rounded_text(measured), to_text(timer.adds), to_rounded_text(plain), to_rounded_text(simulated),
                     difference_text(simulated, plain), timer_words(timer)) +
         (measured <= timer.adds ? too_short_words(timer) : "");
}

std::vector<PlacedLaunch> placed_launches(const Workload& workload, const WorkGroupLog& log) {
  std::vector<PlacedLaunch> launches;
  for (std::size_t i = 0; i < workload.launches.size(); ++i)
    if (const auto groups = log.records_of(static_cast<LaunchId>(i)); !groups.empty())
      launches.push_back({workload.launches[i].name, {groups.begin(), groups.end()}});
  return launches;
}

namespace {

/// A work-group begins (+1) or ends (-1), at `time` after the first begin.
struct Change {
  Duration time;
  int of_measured = 0;
  int of_simulated = 0;
};

void add(std::vector<Change>& changes, Duration start, Duration end, int measured, int simulated) {
  changes.push_back({start, measured, simulated});
  changes.push_back({end, -measured, -simulated});
}

struct Areas {
  UInt128 between = 0;   ///< work-group-picoseconds
  UInt128 measured = 0;  ///< below the measured curve
};

Areas areas_of(std::vector<Change> changes) {
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) { return a.time < b.time; });
  Areas areas;
  std::int64_t measured = 0;
  std::int64_t simulated = 0;
  for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
    measured += changes[i].of_measured;
    simulated += changes[i].of_simulated;
    const auto time = static_cast<std::uint64_t>((changes[i + 1].time - changes[i].time).count);
    const std::int64_t distance = measured > simulated ? measured - simulated : simulated - measured;
    areas.between += static_cast<UInt128>(distance) * time;
    areas.measured += static_cast<UInt128>(measured) * time;
  }
  return areas;
}

/// A launch of the run, and its measured work-groups.
struct Pair {
  const PlacedLaunch* launch = nullptr;
  std::vector<const MeasuredGroup*> measured;
};

std::string names_of(const std::vector<PlacedLaunch>& launches) {
  constexpr std::size_t max_named = 10;
  std::string names;
  for (std::size_t i = 0; i < std::min(launches.size(), max_named); ++i)
    names += (i > 0 ? ", " : "") + printable(launches[i].name);
  return names + (launches.size() > max_named ? fmt::format(" and {} more", launches.size() - max_named) : "");
}

/// Returns the launches that were measured, in the order of the run.
std::vector<Pair> pairs_of(const std::vector<PlacedLaunch>& launches, const std::vector<MeasuredGroup>& measured) {
  if (launches.empty()) throw InputError("the run placed no work-group");
  const bool are_named = !measured.front().launch.empty();
  if (!are_named && launches.size() > 1)
    throw InputError(fmt::format(
        "the run has {} launches ({}): the measured file needs a column `launch` with the name of the launch of each "
        "work-group, as in `launch,work_group,core`",
        launches.size(), names_of(launches)));
  std::map<std::string_view, std::size_t> positions;
  for (std::size_t i = 0; i < launches.size(); ++i) positions.emplace(launches[i].name, i);
  std::vector<Pair> pairs(launches.size());
  Diagnostics problems;
  for (const MeasuredGroup& measured_group : measured) {
    const auto found = positions.find(measured_group.launch);
    if (are_named && found == positions.end()) {
      problems.add(measured_group.mark, "launch: " + in_quotes(measured_group.launch) +
                                            " is none of the run, which has " + names_of(launches));
      continue;
    }
    const std::size_t position = are_named ? found->second : 0;
    pairs[position].launch = &launches[position];
    pairs[position].measured.push_back(&measured_group);
  }
  problems.throw_if_any();
  std::erase_if(pairs, [](const Pair& pair) { return pair.measured.empty(); });
  return pairs;
}

/// Numbers of work-groups, of one launch or of all.
struct Shares {
  std::uint64_t measured = 0;
  std::uint64_t known = 0;  ///< measured ones that the run has
  std::uint64_t same_core = 0;
  std::uint64_t same_start = 0;

  void add(const Shares& more) {
    measured += more.measured;
    known += more.known;
    same_core += more.same_core;
    same_start += more.same_start;
  }
};

/// Returns the shares of one launch, and adds begins and ends of its work-groups to `changes`.
Shares shares_of(const Pair& pair, SimTime first_measured, SimTime first_simulated, std::vector<Change>& changes) {
  const std::vector<WorkGroupRecord>& simulated = pair.launch->groups;
  Shares shares;
  for (const MeasuredGroup* measured_group : pair.measured) {
    ++shares.measured;
    if (measured_group->start)
      add(changes, *measured_group->start - first_measured, *measured_group->end - first_measured, 1, 0);
    if (number_of(measured_group->work_group) >= simulated.size()) continue;
    const WorkGroupRecord& found = simulated[number_of(measured_group->work_group)];
    if (!found.was_placed()) continue;
    ++shares.known;
    shares.same_core += found.core == measured_group->core ? 1U : 0U;
    shares.same_start +=
        measured_group->start && found.first_placed - first_simulated == *measured_group->start - first_measured ? 1U
                                                                                                                 : 0U;
  }
  for (const WorkGroupRecord& group : simulated)
    if (group.ended) add(changes, group.first_placed - first_simulated, *group.ended - first_simulated, 0, 1);
  return shares;
}

std::string share(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{} % ({} of {})", to_fixed({UInt128{part} * 100, whole}, 1), part, whole);
}

}  // namespace

bool is_placement(const SourceText& source) {
  return has_columns(source, kOfPlacements, {Column::work_group, Column::core});
}

std::vector<MeasuredGroup> read_measured_placement(const SourceText& source, Diagnostics& problems) {
  const std::size_t before = problems.size();
  const CsvDocument table = read_csv(source, problems);
  const SourceMark header{&source, 1, 1};
  const Columns columns(table, kOfPlacements, problems);
  if (columns.has(Column::start) != columns.has(Column::end))
    problems.add(header, "'start' and 'end' are needed both, or neither");
  if (problems.size() == before && table.rows.empty()) problems.add(header, "no work-group stands below the header");
  std::vector<MeasuredGroup> measured;
  if (problems.size() > before) return measured;
  std::set<std::pair<std::string, std::uint64_t>> known;
  for (const CsvRow& row : table.rows) {
    const auto number = columns.whole(row, Column::work_group, kMaxGroup);
    MeasuredGroup& measured_group = measured.emplace_back();
    measured_group.launch = columns.text(row, Column::launch);
    if (columns.has(Column::launch) && measured_group.launch.empty()) columns.fail(row, Column::launch, "has no name");
    measured_group.work_group = WorkGroupId{number};
    measured_group.core =
        CoreId{static_cast<std::uint32_t>(columns.whole(row, Column::core, device_limits::kCores - 1))};
    measured_group.mark = row.mark;
    if (!known.insert({measured_group.launch, number}).second)
      columns.fail(row, Column::work_group, fmt::format("{} stands there twice", number));
    if (!columns.has(Column::start)) continue;
    measured_group.start = SimTime{} + columns.duration(row, Column::start);
    measured_group.end = SimTime{} + columns.duration(row, Column::end);
    if (*measured_group.end < *measured_group.start) columns.fail(row, Column::end, "lies before the start");
  }
  return measured;
}

std::string placement_text(const std::string& title, const std::vector<PlacedLaunch>& launches,
                           const std::vector<MeasuredGroup>& measured) {
  const std::vector<Pair> pairs = pairs_of(launches, measured);
  SimTime first_measured{INT64_MAX};
  SimTime first_simulated{INT64_MAX};
  for (const MeasuredGroup& measured_group : measured)
    first_measured = std::min(first_measured, measured_group.start.value_or(SimTime{}));
  std::uint64_t simulated = 0;
  for (const Pair& pair : pairs) {
    for (const WorkGroupRecord& group : pair.launch->groups) {
      if (!group.was_placed()) continue;
      ++simulated;
      first_simulated = std::min(first_simulated, group.first_placed);
    }
  }
  Shares all;
  std::string rows;
  std::vector<Change> changes;
  for (const Pair& pair : pairs) {
    const Shares shares = shares_of(pair, first_measured, first_simulated, changes);
    rows += fmt::format("{:<28}{}\n", "  of " + printable(pair.launch->name), share(shares.same_core, shares.measured));
    all.add(shares);
  }
  if (all.known == 0) throw InputError("the run has none of the measured work-groups");
  std::string text = printable(title) + "\n";
  text += fmt::format("work-groups measured        {}\n", all.measured);
  if (all.known < all.measured) text += fmt::format("not in the run              {}\n", all.measured - all.known);
  if (all.known < simulated) text += fmt::format("not measured                {}\n", simulated - all.known);
  if (pairs.size() < launches.size())
    text += fmt::format("launches not measured       {}\n", launches.size() - pairs.size());
  text += fmt::format("on the same core            {}\n", share(all.same_core, all.measured));
  if (pairs.size() > 1) text += rows;
  if (!measured.front().start) return text;
  const Areas areas = areas_of(std::move(changes));
  text += fmt::format("begun at the same time      {}\n", share(all.same_start, all.measured));
  text += fmt::format("area between the curves     {} % of what was measured\n",
                      areas.measured == 0 ? "-" : to_fixed({areas.between * 100, areas.measured}, 1));
  return text;
}

}  // namespace gdsim
