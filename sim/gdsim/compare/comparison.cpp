#include <gdsim/compare/comparison.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/scenario/tables/csv_document.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace gdsim {
namespace {

std::optional<std::size_t> find(const std::vector<std::string>& header, std::string_view name) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.begin());
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

Duration simulated_duration(const Workload& workload, const RunRecord& record, const MeasuredDuration& one) {
  if (one.launch.empty()) return record.duration();
  for (std::size_t i = 0; i < workload.launches.size(); ++i)
    if (workload.launches[i].name == one.launch)
      if (const OptionalDuration duration = record.launches[i].duration()) return *duration;
  Diagnostics problems;
  problems.add(one.mark, "launch: " + in_quotes(one.launch) + " is none of the run, or has not ended");
  problems.throw_if_any();
  return {};
}

}  // namespace

bool is_durations(const SourceText& source) {
  const std::vector<std::string> header = csv_header(source);
  return std::all_of(header.begin(), header.end(),
                     [](const std::string& name) { return name == "launch" || name == "duration"; }) &&
         find(header, "duration").has_value();
}

std::vector<MeasuredDuration> read_measured_durations(const SourceText& source, Diagnostics& problems) {
  const std::size_t before = problems.size();
  const CsvDocument table = read_csv(source, problems);
  if (table.rows.empty()) problems.add({&source, 1, 1}, "no duration stands below the header");
  std::vector<MeasuredDuration> measured;
  if (problems.size() > before) return measured;
  const auto launch = find(table.header, "launch");
  const std::size_t duration = *find(table.header, "duration");
  for (const CsvRow& row : table.rows) {
    const auto time = parse_duration(row.cells[duration]);
    if (!time.value) problems.add(row.mark, "duration: " + in_quotes(row.cells[duration]) + " " + time.problem);
    if (launch && row.cells[*launch].empty()) problems.add(row.mark, "launch: has no name");
    measured.push_back({launch ? row.cells[*launch] : std::string(), time.value.value_or(Duration{}), row.mark});
  }
  return measured;
}

std::string durations_text(const Workload& workload, const RunRecord& record,
                           const std::vector<MeasuredDuration>& measured, const TimerAllowance* timer) {
  std::string text = fmt::format("{:<24} {:>14} {:>14} {:>14} {:>10}\n", "launch", "simulated", "measured",
                                 timer == nullptr ? "" : "without timer", "difference");
  for (const MeasuredDuration& one : measured) {
    const Duration simulated = simulated_duration(workload, record, one);
    const Duration plain = without_timer(one.duration, timer);
    text += fmt::format("{:<24} {:>14} {:>14} {:>14} {:>10}\n", one.launch.empty() ? "the run" : printable(one.launch),
                        to_rounded_text(simulated), to_rounded_text(one.duration),
                        timer == nullptr ? "" : to_rounded_text(plain), difference_text(simulated, plain));
  }
  const bool are_too_short = timer != nullptr && std::any_of(measured.begin(), measured.end(), [&](const auto& one) {
                               return one.duration <= timer->adds;
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

constexpr std::array<std::string_view, 5> kColumns{"launch", "work_group", "core", "start", "end"};

std::optional<std::size_t> find(const CsvDocument& table, std::string_view name) {
  const auto found = std::find(table.header.begin(), table.header.end(), name);
  if (found == table.header.end()) return std::nullopt;
  return static_cast<std::size_t>(found - table.header.begin());
}

template <class Number>
Number whole(const CsvRow& row, std::size_t column, std::string_view name, Diagnostics& problems) {
  const std::string& cell = row.cells[column];
  Number number = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), number);
  if (error != std::errc() || end != cell.data() + cell.size())
    problems.add(row.mark, fmt::format("{}: '{}' is not a whole number", name, cell));
  return number;
}

SimTime time(const CsvRow& row, std::size_t column, std::string_view name, Diagnostics& problems) {
  const Parsed<SimTime> parsed = parse_time(row.cells[column]);
  if (!parsed.value) problems.add(row.mark, fmt::format("{}: '{}' {}", name, row.cells[column], parsed.problem));
  return parsed.value.value_or(SimTime{});
}

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
  for (const MeasuredGroup& one : measured) {
    const auto found = positions.find(one.launch);
    if (are_named && found == positions.end()) {
      problems.add(one.mark,
                   "launch: " + in_quotes(one.launch) + " is none of the run, which has " + names_of(launches));
      continue;
    }
    const std::size_t position = are_named ? found->second : 0;
    pairs[position].launch = &launches[position];
    pairs[position].measured.push_back(&one);
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
  for (const MeasuredGroup* one : pair.measured) {
    ++shares.measured;
    if (one->start) add(changes, *one->start - first_measured, *one->end - first_measured, 1, 0);
    if (number_of(one->work_group) >= simulated.size()) continue;
    const WorkGroupRecord& found = simulated[number_of(one->work_group)];
    if (!found.was_placed()) continue;
    ++shares.known;
    shares.same_core += found.core == one->core ? 1U : 0U;
    shares.same_start += one->start && found.first_placed - first_simulated == *one->start - first_measured ? 1U : 0U;
  }
  for (const WorkGroupRecord& one : simulated)
    if (one.ended) add(changes, one.first_placed - first_simulated, *one.ended - first_simulated, 0, 1);
  return shares;
}

std::string share(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{} % ({} of {})", to_fixed({UInt128{part} * 100, whole}, 1), part, whole);
}

}  // namespace

bool is_placement(const SourceText& source) {
  const std::vector<std::string> names = csv_header(source);
  return std::count(names.begin(), names.end(), "work_group") > 0 && std::count(names.begin(), names.end(), "core") > 0;
}

std::vector<MeasuredGroup> read_measured_placement(const SourceText& source, Diagnostics& problems) {
  const std::size_t before = problems.size();
  const CsvDocument table = read_csv(source, problems);
  const SourceMark header{&source, 1, 1};
  for (const std::string& name : table.header)
    if (std::find(kColumns.begin(), kColumns.end(), name) == kColumns.end())
      problems.add(header, "unknown column " + in_quotes(name) + "; known: " + join(kColumns));
  const auto launch = find(table, "launch");
  const auto group = find(table, "work_group");
  const auto core = find(table, "core");
  const auto start = find(table, "start");
  const auto end = find(table, "end");
  if (!group || !core) problems.add(header, "the columns 'work_group' and 'core' are needed");
  if (start.has_value() != end.has_value()) problems.add(header, "'start' and 'end' are needed both, or neither");
  if (table.rows.empty()) problems.add(header, "no work-group stands below the header");
  std::vector<MeasuredGroup> measured;
  if (problems.size() > before) return measured;
  std::set<std::pair<std::string, std::uint64_t>> known;
  for (const CsvRow& row : table.rows) {
    const auto number = whole<std::uint64_t>(row, *group, "work_group", problems);
    MeasuredGroup& one = measured.emplace_back();
    if (launch) one.launch = row.cells[*launch];
    if (launch && one.launch.empty()) problems.add(row.mark, "launch: has no name");
    one.work_group = WorkGroupId{number};
    one.core = CoreId{whole<std::uint32_t>(row, *core, "core", problems)};
    one.mark = row.mark;
    if (!known.insert({one.launch, number}).second)
      problems.add(row.mark, fmt::format("work_group: {} stands there twice", number));
    if (!start) continue;
    one.start = time(row, *start, "start", problems);
    one.end = time(row, *end, "end", problems);
    if (*one.end < *one.start) problems.add(row.mark, "end: lies before the start");
  }
  return measured;
}

std::string placement_text(const std::string& title, const std::vector<PlacedLaunch>& launches,
                           const std::vector<MeasuredGroup>& measured) {
  const std::vector<Pair> pairs = pairs_of(launches, measured);
  SimTime first_measured{INT64_MAX};
  SimTime first_simulated{INT64_MAX};
  for (const MeasuredGroup& one : measured) first_measured = std::min(first_measured, one.start.value_or(SimTime{}));
  std::uint64_t simulated = 0;
  for (const Pair& pair : pairs) {
    for (const WorkGroupRecord& one : pair.launch->groups) {
      if (!one.was_placed()) continue;
      ++simulated;
      first_simulated = std::min(first_simulated, one.first_placed);
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
