#include <gdsim/compare/duration_comparison.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/scenario/tables/csv_document.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>

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

}  // namespace gdsim
