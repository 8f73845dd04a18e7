#include <gdsim/report/text/run_text.hpp>

#include <gdsim/analysis/collective_kernels.hpp>
#include <gdsim/analysis/device_summary.hpp>
#include <gdsim/analysis/findings/findings.hpp>
#include <gdsim/analysis/speed/speed_of_light.hpp>
#include <gdsim/analysis/time_series.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/fit/limits.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/number_format.hpp>
#include <gdsim/workload/launched_kernels.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace gdsim {
namespace {

constexpr std::size_t kMaxKernels = 40;

struct Row {
  std::string name;
  std::uint64_t launches = 0;
  Int128 time = 0;         ///< sum of the durations of its launches, picoseconds
  Int128 active_time = 0;  ///< the same from first dispatch to end
  Int128 resident_time = 0;
  std::array<Int128, kWaitReasonCount> waited{};
  bool is_copy = false;
};

void add(Row& row, const LaunchRecord& record, SimTime end) {
  ++row.launches;
  if (record.begun) row.time += (record.ended.value_or(end) - *record.begun).count;
  if (record.first_dispatched) row.active_time += (record.ended.value_or(end) - *record.first_dispatched).count;
  row.resident_time += record.resident_time;
  // Waiting for predecessors says nothing about the device.
  for (const WaitReason reason : kWaitReasons)
    if (reason != WaitReason::predecessors) row.waited[static_cast<std::size_t>(reason)] += record.waited[reason].count;
}

/// The kernels that were launched, in the order of the file, with copies last.
std::vector<Row> rows_of(const RunReport& report) {
  std::vector<Row> rows(report.workload.kernels.size() + 1);
  for (std::size_t i = 0; i < report.workload.launches.size(); ++i) {
    const Launch& launch = report.workload.launches[i];
    if (launch.is_remote()) continue;
    Row& row = !launch.is_kernel() ? rows.back() : rows[index_of(launch.as_kernel().kernel)];
    row.name = !launch.is_kernel() ? "copies" : printable(report.workload.kernel_of(launch).name);
    row.is_copy = !launch.is_kernel();
    add(row, report.record.launches[i], report.record.end);
  }
  std::erase_if(rows, [](const Row& row) { return row.launches == 0; });
  return rows;
}

/// Sums over concurrent launches may exceed 64 bits of picoseconds.
std::string time_text(Int128 time) {
  constexpr Int128 longest = std::numeric_limits<std::int64_t>::max();
  return time > longest ? "over 106 days" : to_rounded_text(Duration{static_cast<std::int64_t>(time)});
}

std::string largest_wait(const Row& row, const Terms& terms) {
  const auto largest = std::max_element(row.waited.begin(), row.waited.end());
  if (*largest == 0) return "-";
  return words_for(static_cast<WaitReason>(largest - row.waited.begin()), terms) + " " + time_text(*largest) +
         (row.launches > 1 ? fmt::format(", summed over {} launches", row.launches) : "");
}

}  // namespace

std::string kernels_text(const RunReport& report) {
  const std::vector<Row> rows = rows_of(report);
  std::size_t width = 6;
  for (const Row& row : rows) width = std::max(width, row.name.size());
  std::string text = fmt::format("{:<{}}  {:>8}  {:>14}  {:>14}  {}\n", "kernel", width, "launches", "total time",
                                 "mean occupancy", "largest total wait");
  for (std::size_t i = 0; i < rows.size() && i < kMaxKernels; ++i) {
    const Row& row = rows[i];
    const std::string occupancy = row.active_time == 0 || row.is_copy
                                      ? "-"
                                      : to_fixed({static_cast<UInt128>(row.resident_time) * 100,
                                                  static_cast<UInt128>(row.active_time) * report.record.contexts_total},
                                                 1) +
                                            " %";
    text += fmt::format("{:<{}}  {:>8}  {:>14}  {:>14}  {}\n", row.name, width, row.launches, time_text(row.time),
                        occupancy, largest_wait(row, report.device.terms));
  }
  if (rows.size() > kMaxKernels)
    text += fmt::format("  ... and {} more; `--print launches` shows all\n", rows.size() - kMaxKernels);
  const auto& launches = report.workload.launches;
  const auto own =
      std::count_if(launches.begin(), launches.end(), [](const Launch& launch) { return !launch.is_remote(); });
  text += fmt::format("Times are sums over all {} launches: if two launches wait at the same time, both waits count.\n",
                      own);
  return text;
}

namespace {

constexpr std::size_t kMaxPhasesShown = 40;
constexpr std::size_t kFewPhasesShown = 12;  // if a table of kernels says more
constexpr std::size_t kMaxLaunchesShown = 8;
constexpr std::size_t kMaxKernelsShown = 4;

std::string percent(Ratio ratio) { return to_fixed(ratio, 1) + " %"; }

class RunText {
 public:
  explicit RunText(const RunReport& report)
      : report_(report),
        record_(report.record),
        terms_(report.device.terms),
        launched_(launched_kernels(report.workload)) {}

  std::string write() {
    heading();
    if (has_many_launches() && !is_timeless()) text_ += kernels_text(report_) + "\n";
    phases();
    means();
    if (report_.workload.launches.size() > 1 && !record_.critical_path.empty() && !is_timeless()) critical_path();
    if (record_.outcome == Outcome::deadlock) deadlock();
    caveat();
    clusters();
    left_out();
    speed();
    finding();
    return std::move(text_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_.push_back('\n');
  }

  std::string launch_name(LaunchId launch) const { return printable(report_.workload.launches[index_of(launch)].name); }

  /// The mean number of executing threads. Threads that wait for a shared resource do not execute.
  Ratio executing(const Phase& phase) const {
    return report_.waits != nullptr ? mean_executing(phase, record_.first_dispatch, *report_.waits)
                                    : phase.mean_running();
  }

  /// Names the copies in progress while no thread is resident.
  std::string note(const Phase& phase) const {
    if (phase.max_resident > 0) return {};
    std::string names;
    std::size_t count = 0;
    for (std::size_t i = 0; i < report_.workload.launches.size(); ++i) {
      const LaunchRecord& record = record_.launches[i];
      if (report_.workload.launches[i].is_kernel() || !record.first_dispatched) continue;
      if (*record.first_dispatched >= phase.end || record.ended.value_or(record_.end) <= phase.begin) continue;
      if (++count <= 3) names += (names.empty() ? "" : ", ") + launch_name(static_cast<LaunchId>(i));
    }
    if (count == 0) return "  idle";
    return "  " + std::string(count == 1 ? "copy" : "copies") + " alone: " + names + (count > 3 ? ", ..." : "");
  }

  /// Returns true if the run's times have no meaning.
  bool is_timeless() const { return is_without_duration(report_.workload); }
  bool has_many_launches() const { return report_.workload.launches.size() > kMaxLaunchesShown; }

  void heading() {
    line("{}", printable(report_.title));
    line("on {}: {}, {} contexts", report_.device.name, counted(report_.device.cores, terms_.core),
         record_.contexts_total);
    const std::string after =
        is_timeless() ? "without a duration" : "after " + to_rounded_text(record_.duration()) + from_first_dispatch();
    std::string_view meaning;  // if the vendor's word for a sub-group is CUDA's for a work-item
    if (terms_.thread == "thread") meaning = record_.threads_total == 1 ? " (a sub-group)" : " (sub-groups)";
    line("{} {}: {}, {}{}", name_of(record_.outcome), after, groups(), counted(record_.threads_total, terms_.thread),
         meaning);
    line("");
  }

  /// The times from the first dispatch and from the first submission to the end, where they differ from the duration.
  std::string from_first_dispatch() const {
    std::string text;
    const auto add = [&](Duration time, std::string_view what) {
      if (time == record_.duration() || time == Duration{}) return;
      text += fmt::format("{}{} from the first {}", text.empty() ? " (" : ", ", to_rounded_text(time), what);
    };
    add(record_.active(), "dispatch");
    add(record_.end - first_submission(), "submission");
    return text.empty() ? text : text + ")";
  }

  SimTime first_submission() const {
    SimTime first = record_.begin;
    for (const LaunchRecord& launch : record_.launches)
      if (launch.submitted) first = std::min(first, *launch.submitted);
    return first;
  }

  std::string groups() const {
    const std::string all = counted(record_.work_groups_total, terms_.work_group);
    return record_.outcome == Outcome::completed ? all
                                                 : fmt::format("{} of {} ended", record_.work_groups_ended(), all);
  }

  void phases() {
    const auto& phases = record_.phases.phases;
    if (phases.empty()) {
      line("No interval is long enough to be a phase (min_phase).");
      return;
    }
    const std::string busy = terms_.core + "s busy";
    line("{:>5}  {:>14}  {:>14}  {:<8}  {:>11}  {:>9}  {:>12}  {}", "phase", "start", "duration", "kind",
         terms_.thread + "s", "occupancy", "executing", busy);
    const std::size_t max = has_many_launches() ? kFewPhasesShown : kMaxPhasesShown;
    for (std::size_t i = 0; i < phases.size() && i < max; ++i) {
      const Phase& phase = phases[i];
      line("{:>5}  {:>14}  {:>14}  {:<8}  {:>11}  {:>9}  {:>12}  {:>{}}", i + 1,
           is_timeless() ? "-" : to_rounded_text(phase.begin), is_timeless() ? "-" : to_rounded_text(phase.duration()),
           name_of(phase.kind), phase_threads_text(phase, "-"),
           percent(phase.occupancy_percent(record_.contexts_total)), to_fixed(executing(phase), 1), phase.cores_busy,
           busy.size());
      text_.pop_back();
      text_ += note(phase) + "\n";
    }
    if (phases.size() > max) line("  ... and {} more; `--print phases` shows all", phases.size() - max);
  }

  void means() {
    const auto& transitions = record_.phases.transitions;
    if (!transitions.empty())
      line("Too short to be phases: {}; `--print summary` lists them", counted(transitions.size(), "transition"));
    line("");
    if (is_timeless()) {  // means are over time
      line("peak {} {}s ({})", record_.peak_resident, terms_.thread, percent(record_.peak_occupancy()));
      return;
    }
    line("peak {} {}s ({}), mean occupancy {}", record_.peak_resident, terms_.thread, percent(record_.peak_occupancy()),
         percent(record_.mean_occupancy()));
    time_use();
    if (report_.repetitions != nullptr) text_ += repetitions_text(report_);
  }

  void critical_path() {
    std::string names;
    const auto& path = record_.critical_path;
    for (std::size_t i = 0; i < path.size() && i < kMaxLaunchesShown; ++i)
      names += (i > 0 ? " -> " : "") + launch_name(path[i]);
    if (path.size() > kMaxLaunchesShown) names += fmt::format(" -> ... ({} in all)", path.size());
    line("critical path of {} launches: {}", report_.workload.launches.size(), names);
  }

  void deadlock() { text_ += "\n" + deadlock_text(report_) + "\n"; }

  /// Says how resident threads spent their time, unless all of it was executing without memory accesses.
  void time_use() {
    TimeUse sum;
    for (const CoreTimeUse& time_use : record_.time_use) sum += time_use.use;
    if (sum.spent_on(Activity::executing) == sum.sum()) return;
    const Int128 exchanging = exchange_time(report_.workload, record_.time_use);
    constexpr std::array<std::string_view, kActivityCount> words{
        "executing",    "stalled at barriers", "waiting for issue",        "waiting for memory",
        "waiting for ", "ended, context held", "stalled on child kernels", ""};
    const auto share = [&](Int128 part) {
      return percent({static_cast<UInt128>(part) * 100, static_cast<UInt128>(sum.sum())});
    };
    const Int128 accessing = sum.spent_on(Activity::access);
    std::string parts;
    for (std::size_t i = 0; i < kActivityCount; ++i) {
      const auto kind = static_cast<Activity>(i);
      if (kind == Activity::barrier && exchanging > 0)
        parts += (parts.empty() ? "in collectives " : ", in collectives ") + share(exchanging);
      const Int128 spent = sum.in_files(kind) - (kind == Activity::barrier ? exchanging : 0);
      if (spent == 0 || kind == Activity::access) continue;
      parts += (parts.empty() ? "" : ", ") + std::string(words[i]) +
               (kind == Activity::slm ? words_for_slm_pipe(terms_, report_.workload) : "") + " " + share(spent);
      if (kind == Activity::executing && accessing != 0)
        parts += " (memory accesses " + share(accessing) + ", other " + share(sum.spent_on(kind)) + ")";
    }
    line("time of resident {}s: {}", terms_.thread, parts);
  }

  /// Says how near the run came to the peaks of its device, and how full it was.
  void speed() {
    if (is_timeless()) return;
    if (const std::string achieved = achieved_words(speed_of_light(report_)); !achieved.empty())
      line("Achieved: {}", printable(achieved));
    if (const auto occupancy = occupancy_answer(report_)) line("Occupancy: {}.", occupancy_words(*occupancy));
    if (const std::string unused = unused_line(unused_of(report_.device, report_.workload, record_), terms_);
        !unused.empty())
      line("{}", unused);
  }

  /// Prints what the result rests on, and, last, the finding and where to read more.
  void finding() {
    if (is_timeless() || record_.outcome != Outcome::completed) return;
    if (report_.answer && report_.answer->rests_on)
      for (const RestsOn& basis : *report_.answer->rests_on)
        line("{}", printable(rests_on_line(basis, record_.duration())));
    line("{}", printable(finding_line(first_finding(report_))));
    line("`gdsim explain` tries what would help.");
  }

  /// Lists the keys that are ignored because they are in cycles and the device has no clock.
  void left_out() {
    std::string keys;
    for (const std::string& key : report_.device.ignored_keys) keys += (keys.empty() ? "" : ", ") + key;
    if (!keys.empty()) line("Ignored without a `clock`: {}. Give the device one, as in `clock: 1.5 GHz`.", keys);
  }

  /// Lists the kernels with clusters that some devices of this kind cannot run, and says if sizes of groups are
  /// assumed.
  void clusters() {
    for (const Kernel* kernel : launched_)
      if (has_non_portable_clusters(*kernel, report_.device))
        line("Clusters of {} {}s ({}) are not portable: only up to {} are possible on every device of this kind.",
             kernel->preferred_cluster_size(), terms_.work_group, printable(kernel->name),
             report_.device.clusters->max);
    const auto has_clusters = [](const Kernel* kernel) { return kernel->preferred_cluster_size() > 1; };
    const auto note = assumed_groups_note(report_.device);
    if (note && std::any_of(launched_.begin(), launched_.end(), has_clusters)) line("{}", printable(*note));
  }

  /// Says where the durations come from, and prints the notes.
  void caveat() {
    default_draw();
    const std::vector<const Kernel*> own = own_launched_kernels(report_.workload);
    if (!is_timeless() &&
        std::none_of(own.begin(), own.end(), [](const Kernel* kernel) { return has_declared_durations(*kernel); }))
      line("Durations follow from what the scenario asks and from the rates of the device model.");
    for (const std::string& note : notes_of(report_)) line("{}", printable(note));
  }

  /// Lists the kernels whose work-groups differ by default.
  void default_draw() {
    std::string names;
    std::size_t count = 0;
    for (const Kernel* kernel : launched_) {
      const std::optional<Draw> draw = draw_in_force(*kernel);
      if (!draw || draw->origin != DrawOrigin::by_default) continue;
      if (++count <= kMaxKernelsShown) names += (count > 1 ? ", " : "") + printable(kernel->name);
    }
    if (count == 0) return;
    if (count > kMaxKernelsShown) names += fmt::format(" and {} more", count - kMaxKernelsShown);
    line("The durations of {}s of {} vary by default (uniform, cv {}); `variation: none` makes these durations equal.",
         terms_.work_group, names, to_text(gdsim::default_draw().cv));
  }

  const RunReport& report_;
  const RunRecord& record_;
  const Terms& terms_;
  std::vector<const Kernel*> launched_;  ///< the kernels that are launched; the text does not mention others
  std::string text_;
};

}  // namespace

std::string run_text(const RunReport& report) { return RunText(report).write(); }

}  // namespace gdsim
