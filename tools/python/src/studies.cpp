#include "interruption.hpp"
#include "options/program_version.hpp"
#include "scenario.hpp"
#include "studies.hpp"
#include "views.hpp"
#include <gdsim/base/in_order.hpp>
#include <gdsim/explain/explain.hpp>
#include <gdsim/points/run_point.hpp>
#include <gdsim/report/sink.hpp>
#include <gdsim/sweep/study_writers.hpp>
#include <gdsim/sweep/sweep.hpp>

#include <pybind11/stl.h>

#include <cstdint>
#include <limits>
#include <utility>

namespace gdsim::python {
namespace {

namespace py = pybind11;

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

Jobs jobs_of(std::size_t count) { return count == 0 ? all_cores() : Jobs{count}; }

/// The figures of a sweep by column; -1 or NaN for a missing figure.
struct Columns {
  std::vector<std::vector<std::uint64_t>> index;  ///< by axis: indices of its values
  std::vector<std::string> status, limiter, reason;
  std::vector<std::int64_t> duration, fit, rank;
  std::vector<double> speedup, peak, mean, fit_percent, waves;
  std::vector<std::string> notes;

  void add(const StudyRow& row, const PointSpace& space) {
    const PointResult& result = row.result;
    for (std::size_t axis = 0; axis < index.size(); ++axis) index[axis].push_back(space.index(row.ordinal, axis));
    status.emplace_back(name_of(result.status));
    limiter.push_back(result.limiter);
    reason.push_back(result.reason);
    duration.push_back(result.duration.value_or(-1));
    fit.push_back(result.work_groups_per_core.value_or(-1));
    rank.push_back(row.rank ? static_cast<std::int64_t>(*row.rank) : -1);
    speedup.push_back(row.speedup ? static_cast<double>(static_cast<long double>(row.speedup->numerator) /
                                                        static_cast<long double>(row.speedup->denominator))
                                  : kNothing);
    const auto fraction = [](const std::optional<std::int64_t>& figure) {
      return figure ? static_cast<double>(*figure) / 10'000.0 : kNothing;
    };
    peak.push_back(fraction(result.peak_occupancy));
    mean.push_back(fraction(result.mean_occupancy));
    fit_percent.push_back(fraction(result.fit_occupancy));
    waves.push_back(fraction(result.waves));
  }
};

template <class Number>
py::array numbers(const char* format, std::vector<Number> values) {
  return array_of(py::dtype(format), std::move(values));
}

py::dict dict_of(Columns columns) {
  py::list index;
  for (auto& one : columns.index) index.append(numbers("u8", std::move(one)));
  py::dict result;
  result["index"] = index;
  result["status"] = std::move(columns.status);
  result["duration_ps"] = numbers("i8", std::move(columns.duration));
  result["speedup"] = numbers("f8", std::move(columns.speedup));
  result["peak_occupancy_percent"] = numbers("f8", std::move(columns.peak));
  result["mean_occupancy_percent"] = numbers("f8", std::move(columns.mean));
  result["fit_occupancy_percent"] = numbers("f8", std::move(columns.fit_percent));
  result["limiter"] = std::move(columns.limiter);
  result["work_groups_per_core"] = numbers("i8", std::move(columns.fit));
  result["waves"] = numbers("f8", std::move(columns.waves));
  result["rank"] = numbers("i8", std::move(columns.rank));
  result["reason"] = std::move(columns.reason);
  result["notes"] = std::move(columns.notes);
  return result;
}

/// The arguments of a sweep from Python, without its scenario.
struct SweepArguments {
  Values set;
  std::vector<std::pair<std::string, std::vector<std::string>>> axes;
  bool zip = false;
  std::string where;
  std::optional<std::uint64_t> sample;
  std::uint64_t seed = 0;
  std::string metric;
  std::size_t jobs = 0;
  std::string store;
  bool resume = false;
};

SweepRequest request_of(const ScenarioSource& source, const SweepArguments& given, RunOptions run) {
  SweepRequest request;
  request.scenario = source.name;
  request.text = source.text;
  request.read = source.options();
  for (const auto& [path, value] : given.set) request.read.overrides.push_back({path, value});
  for (const auto& [name, values] : given.axes) request.axes.push_back({name, values});
  request.rules.zip = given.zip;
  request.rules.where = given.where;
  request.rules.sample = given.sample;
  request.rules.seed = given.seed;
  request.resume = given.resume ? Resume::yes : Resume::no;
  request.run = std::move(run);
  request.jobs = jobs_of(given.jobs);
  request.program = std::string("gdsim ") + cli::version_number();
  request.store = given.store;
  return request;
}

py::dict sweep(const PyScenario& scenario, const SweepArguments& given, const RunOptions& run) {
  const Metric& metric = metric_of(given.metric);
  for (const auto& [name, values] : given.axes)
    if (values.empty() || values.size() > kMaxAxisValues)
      throw InputError(name + " has " + std::to_string(values.size()) + " values; 1 to " +
                       std::to_string(kMaxAxisValues) + " are allowed");
  return dict_of(without_gil(Watch::at_once, [&](StopToken stop) {
    RunOptions with_stop = run;
    with_stop.stop = std::move(stop);
    Sweep all(request_of(scenario.source(), given, with_stop));
    all.run();
    Columns columns;
    columns.index.resize(given.axes.size());
    columns.notes = all.identity().notes;
    StudyTable(all.store(), all.space(), all.identity(), metric, std::nullopt).for_each([&](const StudyRow& row) {
      columns.add(row, all.space());
    });
    return columns;
  }));
}

/// Returns the output of `gdsim explain --format json`; empty if the run reached a bound or a deadlock.
std::string explain_json(PyScenario& scenario, const Values& values, std::size_t jobs, const RunOptions& run) {
  const std::shared_ptr<const Ready> ready = scenario.ready(values, run);
  require_durations(ready->scenario);
  return without_gil(Watch::at_once, [&](StopToken stop) {
    RunOptions with_stop = run;
    with_stop.stop = std::move(stop);
    TextSink sink;
    write_explanation_json(explain(ready->scenario, with_stop, jobs_of(jobs)), sink);
    return sink.take();
  });
}

}  // namespace

void define_studies(py::module_& module) {
  module.def(
      "sweep",
      [](const PyScenario& scenario, Values set, std::vector<std::pair<std::string, std::vector<std::string>>> axes,
         bool zip, std::string where, std::optional<std::uint64_t> sample, std::uint64_t seed, std::string metric,
         std::size_t jobs, std::string store, bool resume, const std::optional<std::string>& max_time,
         std::optional<std::uint64_t> max_events) {
        return sweep(scenario,
                     {std::move(set), std::move(axes), zip, std::move(where), sample, seed, std::move(metric), jobs,
                      std::move(store), resume},
                     run_options(max_time, max_events, 0));
      },
      py::arg("scenario"), py::arg("set"), py::arg("axes"), py::arg("zip"), py::arg("where"), py::arg("sample"),
      py::arg("seed"), py::arg("metric"), py::arg("jobs"), py::arg("store"), py::arg("resume"), py::arg("max_time"),
      py::arg("max_events"));
  module.def(
      "explain_json",
      [](PyScenario& scenario, const Values& values, std::size_t jobs, const std::optional<std::string>& max_time,
         std::optional<std::uint64_t> max_events) {
        return explain_json(scenario, values, jobs, run_options(max_time, max_events, 0));
      },
      py::arg("scenario"), py::arg("values"), py::arg("jobs"), py::arg("max_time"), py::arg("max_events"));
}

}  // namespace gdsim::python
