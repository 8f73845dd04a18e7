#include <gdsim/points/run_point.hpp>

#include <gdsim/analysis/selected_launches.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/occupancy/occupancy.hpp>
#include <gdsim/points/kept_run.hpp>
#include <gdsim/record/phase_shapes.hpp>
#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/scenario/compile_scenario.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

/// Returns true if the figure is about this launch. A figure of `k` is about `k`, `k#2` and `k#3`.
bool is_about(const LaunchFigure& figure, const std::string& launch) {
  if (figure.launch.empty() || launch == figure.launch) return true;
  return launch.starts_with(figure.launch + "#") && figure.launch.find('#') == std::string::npos;
}

OptionalDuration time_of_launch(const LaunchFigure& figure, const LaunchRecord& record) {
  if (figure.time == LaunchFigure::Time::duration) return record.duration();
  if (!record.submitted || !record.first_dispatched) return {};
  return *record.first_dispatched - *record.submitted;
}

[[noreturn]] void fail_unknown_launch(const LaunchFigure& figure, const std::vector<std::string>& names) {
  constexpr std::size_t few = 12;
  std::string known;
  for (std::size_t i = 0; i < std::min(few, names.size()); ++i) known += (i > 0 ? ", " : "") + printable(names[i]);
  if (names.size() > few) known += ", ...";
  throw InputError("--of: there is no launch '" + printable(figure.launch) + "'; launches: " + known);
}

/// Removes the text behind the last colon, and returns its meaning, if it is one of these words.
template <class Value>
void take_word(std::string& text, std::initializer_list<std::pair<const char*, Value>> words, Value& value) {
  for (const auto& [word, meaning] : words)
    if (text.ends_with(std::string(":") + word)) {
      text.resize(text.size() - std::string(word).size() - 1);
      value = meaning;
      return;
    }
}

}  // namespace

LaunchFigure parse_launch_figure(const std::string& text) {
  LaunchFigure figure;
  figure.launch = text;
  using Of = LaunchFigure::Of;
  using Time = LaunchFigure::Time;
  take_word<Of>(figure.launch, {{"mean", Of::mean}, {"p50", Of::p50}, {"p99", Of::p99}}, figure.of);
  take_word<Time>(figure.launch, {{"duration", Time::duration}, {"wait", Time::wait}}, figure.time);
  if (figure.launch.empty() || figure.launch.find(':') != std::string::npos)
    throw InputError("--of is '" + printable(text) +
                     "'; allowed: LAUNCH[:duration|:wait][:mean|:p50|:p99], as in req3:wait:p99");
  return figure;
}

Duration time_of(const LaunchFigure& figure, const Scenario& scenario, const RunRecord& record) {
  // Each device lists the launches of all. Children come last and belong to one device: the record of several devices
  // ends before them.
  const std::vector<Launch>& launches = devices_of(scenario).front().workload.launches;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < record.launches.size(); ++i) names.push_back(launches[i].name);
  return time_of(figure, names, record.launches);
}

std::string to_text(const LaunchFigure& figure) {
  const std::string time = figure.time == LaunchFigure::Time::wait ? ":wait" : ":duration";
  const std::string of = figure.of == LaunchFigure::Of::p50   ? ":p50"
                         : figure.of == LaunchFigure::Of::p99 ? ":p99"
                                                              : ":mean";
  return figure.launch + time + of;
}

Duration time_of(const LaunchFigure& figure, const std::vector<std::string>& names,
                 const std::vector<LaunchRecord>& launches) {
  std::vector<Duration> times;
  bool is_known = false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!is_about(figure, names[i])) continue;
    is_known = true;
    if (const OptionalDuration time = time_of_launch(figure, launches[i])) times.push_back(*time);
  }
  if (!is_known) fail_unknown_launch(figure, names);
  if (times.empty()) return {};
  std::sort(times.begin(), times.end());
  if (figure.of == LaunchFigure::Of::p50) return percentile_of(times, 50);
  if (figure.of == LaunchFigure::Of::p99) return percentile_of(times, 99);
  Duration sum;
  for (const Duration time : times) sum = sum + time;
  return figure.of == LaunchFigure::Of::sum ? sum : Duration{sum.count / static_cast<std::int64_t>(times.size())};
}

std::string words_for(const std::optional<LaunchFigure>& figure) {
  if (!figure) return "the run takes";
  if (figure->of == LaunchFigure::Of::sum) return "all launches together take";
  const std::string verb = figure->time == LaunchFigure::Time::wait ? " waits" : " takes";
  if (figure->of == LaunchFigure::Of::p50) return "the median of " + figure->launch + verb;
  if (figure->of == LaunchFigure::Of::p99) return "the 99th percentile of " + figure->launch + verb;
  return figure->launch + verb;
}

std::optional<LaunchFigure> figure_of_pinned_launches(const Workload& workload) {
  std::size_t kernels = 0;
  std::size_t pinned = 0;
  for (const Launch& launch : workload.launches) {
    if (!launch.is_kernel() || launch.parent() != nullptr) continue;
    ++kernels;
    pinned += launch.at > SimTime{} ? 1 : 0;
  }
  if (kernels < 2 || pinned + 1 < kernels) return std::nullopt;
  return LaunchFigure{{}, LaunchFigure::Time::duration, LaunchFigure::Of::sum};
}

std::int64_t ten_thousandths(const Ratio& ratio) {
  return static_cast<std::int64_t>((ratio.numerator * 20'000 + ratio.denominator) / (2 * ratio.denominator));
}

namespace {

void add_fit(const Kernel& kernel, const DeviceSpec& device, PointResult& result) {
  const Occupancy occupancy = occupancy_of(kernel, device, GlobalSize::given);
  result.fit_occupancy = ten_thousandths(occupancy.percent);
  result.work_groups_per_core = static_cast<std::int64_t>(occupancy.work_groups_per_core);
  for (const Resource limiter : occupancy.limiters)
    result.limiter += (result.limiter.empty() ? "" : "+") + std::string(name_of(limiter));
  if (occupancy.waves && occupancy.waves->per_wave > 0)
    result.waves = ten_thousandths({occupancy.waves->work_groups, occupancy.waves->per_wave});
}

/// Returns the waits of threads, in one line.
std::string deadlock_reason(const Scenario& scenario, const Compiled& compiled, const RunRecord& record) {
  const std::string text = stored_deadlock_text(
      {scenario.title, scenario.device, scenario.dispatch, scenario.workload, record, graph_of(compiled)});
  const std::size_t begin = text.find_first_not_of(" ", text.find('\n') + 1);
  if (begin == std::string::npos) return "nothing can happen any more";
  return "nothing can happen any more: " + text.substr(begin, text.find('\n', begin) - begin);
}

/// The outcome of a point, and the reason of a deadlock.
struct PointRun {
  RunRecord record;
  std::string deadlock;
};

PointRun run_of_one(const Scenario& scenario, const RunOptions& options) {
  const Compiled compiled = compile_scenario(scenario);
  PointRun run{run_for_study(scenario, compiled, options, KeepAccounts::no).record, {}};
  if (run.record.outcome == Outcome::deadlock)
    run.deadlock = deadlock_reason(scenario, compiled, run_for_study(scenario, compiled, options).record);
  return run;
}

/// Runs all devices. The reason of a deadlock is that of the first deadlocked device.
PointRun run_of_devices(const Scenario& scenario, const RunOptions& options) {
  EnsembleResult result = run_devices_for_study(scenario, options);
  PointRun run{std::move(result.all), {}};
  for (std::size_t i = 0; i < scenario.devices.size() && run.deadlock.empty(); ++i)
    if (result.devices[i].record.outcome == Outcome::deadlock)
      run.deadlock =
          scenario.devices[i].device_name + ": " +
          deadlock_reason(scenario.devices[i], compile_scenario(scenario.devices[i]), result.devices[i].record);
  return run;
}

}  // namespace

bool has_durations(const Scenario& scenario) {
  const auto has_some = [](const Scenario& device_scenario) { return !is_without_duration(device_scenario.workload); };
  return has_some(scenario) && std::all_of(scenario.devices.begin(), scenario.devices.end(), has_some);
}

void require_durations(const Scenario& scenario) {
  if (!has_durations(scenario))
    throw InputError(
        scenario.title +
        ": the program of a kernel is a placeholder, so that there are no times; write its steps, or see what fits: "
        "gdsim run FILE");
}

RunResult run_for_study(const Scenario& scenario, RunOptions options, KeepAccounts accounts) {
  return run_for_study(scenario, compile_scenario(scenario), std::move(options), accounts);
}

RunResult run_for_study(const Scenario& scenario, const Compiled& compiled, RunOptions options, KeepAccounts accounts) {
  options.min_phase = scenario.min_phase;
  try {
    return simulate(compiled, options, accounts);
  } catch (const TooManyClockChanges& error) {
    throw_in_place(error, scenario);
  } catch (const TimeOverflowError& error) {
    throw InputError(error.what());
  }
}

EnsembleResult run_devices_for_study(const Scenario& scenario, const RunOptions& options) {
  const std::vector<Compiled> compiled = compile_devices(scenario);
  InternalRunOptions own;
  static_cast<RunOptions&>(own) = options;
  own.min_phase = scenario.min_phase;
  const std::vector<InternalRunOptions> all(compiled.size(), own);
  try {
    return simulate_devices({compiled, all, scenario.links, scenario.collectives});
  } catch (const TooManyClockChanges& error) {
    throw_in_place(error, scenario);
  } catch (const TimeOverflowError& error) {
    throw InputError(error.what());
  }
}

PointResult run_point(const Scenario& scenario, const RunOptions& options, const std::optional<LaunchFigure>& figure) {
  if (!scenario.refusals.empty()) return refused_point(InputError(scenario.refusals));
  PointResult result;
  try {
    const PointRun run = scenario.devices.empty() ? run_of_one(scenario, options) : run_of_devices(scenario, options);
    const RunRecord& record = run.record;
    if (record.outcome == Outcome::deadlock) {
      result.status = PointStatus::deadlocked;
      result.reason = run.deadlock;
    } else if (record.outcome == Outcome::interrupted || record.outcome == Outcome::bounded) {
      result.status = PointStatus::interrupted;
      result.reason = (record.outcome == Outcome::bounded ? "came to its bound at " : "was interrupted at ") +
                      to_text(record.end) + " of simulated time";
    } else {
      result.peak_occupancy = ten_thousandths(record.peak_occupancy());
      if (has_durations(scenario)) {
        result.duration = (figure ? time_of(*figure, scenario, record) : record.duration()).count;
        result.mean_occupancy = ten_thousandths(record.mean_occupancy());
      }
      if (!scenario.devices.empty()) return result;  // the figures of a core belong to one device
      if (const Kernel* kernel = longest_kernel(scenario.workload, record)) add_fit(*kernel, scenario.device, result);
    }
  } catch (const InputError& error) {
    return refused_point(error);
  }
  return result;
}

bool is_mistake(const InputError& error) {
  return std::any_of(error.problems().begin(), error.problems().end(),
                     [](const Diagnostic& problem) { return problem.code.empty() || problem.code == kUnknownKey; });
}

PointResult refused_point(const InputError& error) {
  constexpr std::size_t few = 3;
  PointResult result;
  result.status = PointStatus::refused;
  const auto& problems = error.problems();
  for (std::size_t i = 0; i < std::min(few, problems.size()); ++i)
    result.reason += (i > 0 ? "; " : "") + problems[i].message;
  if (problems.size() > few) result.reason += "; and " + std::to_string(problems.size() - few) + " more";
  return result;
}

std::string_view name_of(PointStatus status) {
  switch (status) {
    case PointStatus::ok: return "ok";
    case PointStatus::deadlocked: return "deadlocked";
    case PointStatus::refused: return "refused";
    case PointStatus::interrupted: return "interrupted";
  }
  return {};
}

namespace {

constexpr std::array<Metric, 6> kMetrics{{
    {"duration", "duration_ps", "duration", MetricUnit::time, &PointResult::duration, false},
    {"mean_occupancy", "mean_occupancy", "mean occupancy", MetricUnit::percent, &PointResult::mean_occupancy, true},
    {"peak_occupancy", "peak_occupancy", "peak occupancy", MetricUnit::percent, &PointResult::peak_occupancy, true},
    {"fit_occupancy", "fit_occupancy", "occupancy that fits", MetricUnit::percent, &PointResult::fit_occupancy, true},
    {"work_groups_per_core", "work_groups_per_core", "work-groups per core", MetricUnit::count,
     &PointResult::work_groups_per_core, true},
    {"waves", "waves", "waves", MetricUnit::ratio, &PointResult::waves, false},
}};

}  // namespace

std::span<const Metric> metrics() { return kMetrics; }

const Metric& metric_of(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Metric& metric : kMetrics) {
    if (metric.name == name) return metric;
    known.push_back(metric.name);
  }
  throw InputError("--metric is " + in_quotes(name) + "; " + known_names(name, known));
}

}  // namespace gdsim
