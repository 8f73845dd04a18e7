#include "studies.hpp"
#include <gdsim/base/in_order.hpp>
#include <gdsim/explain/explain.hpp>
#include <gdsim/points/run_point.hpp>
#include <gdsim/report/sink.hpp>
#include <gdsim/sweep/study_writers.hpp>
#include <gdsim/sweep/sweep.hpp>
#include "interruption.hpp"
#include "scenario.hpp"
#include "terminal/program.hpp"
#include "views.hpp"

#include <pybind11/stl.h>

#include <array>
#include <cstdint>
#include <utility>
#include <variant>

namespace gdsim::python {
namespace {

namespace py = pybind11;

Jobs jobs_of(std::size_t count) { return count == 0 ? all_cores() : Jobs{count}; }

/// The points of a sweep by column. A missing value is none of Python's.
struct Points {
  std::vector<std::vector<std::uint64_t>> index;  ///< by axis: indices of its values
  std::vector<std::vector<ResultValue>> figures;  ///< by column of study_columns()
  std::vector<std::string> notes;

  void add(const StudyRow& row, const PointSpace& space) {
    for (std::size_t axis = 0; axis < index.size(); ++axis) index[axis].push_back(space.index(row.ordinal, axis));
    for (std::size_t i = 0; i < figures.size(); ++i) figures[i].push_back(study_columns().all()[i].value(row));
  }
};

/// Times are in nanoseconds.
py::object object_of(const ResultValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return py::str(*text);
  if (const auto* count = std::get_if<std::uint64_t>(&value)) return py::int_(*count);
  if (const auto* truth = std::get_if<bool>(&value)) return py::bool_(*truth);
  if (const auto* time = std::get_if<Duration>(&value)) return py::float_(static_cast<double>(time->count) / 1000.0);
  if (const auto* percent = std::get_if<Percent>(&value))
    return py::float_(static_cast<double>(percent->ten_thousandths) / 10'000.0);
  if (const auto* ratio = std::get_if<Ratio>(&value))
    return py::float_(
        static_cast<double>(static_cast<long double>(ratio->numerator) / static_cast<long double>(ratio->denominator)));
  return py::none();
}

py::dict dict_of(Points points) {
  py::list index;
  for (auto& values : points.index) index.append(array_of(py::dtype("u8"), std::move(values)));
  py::dict figures;
  for (std::size_t i = 0; i < points.figures.size(); ++i) {
    py::list values;
    for (const ResultValue& value : points.figures[i]) values.append(object_of(value));
    figures[py::str(study_columns().all()[i].name)] = std::move(values);
  }
  py::dict result;
  result["index"] = std::move(index);
  result["figures"] = std::move(figures);
  result["notes"] = std::move(points.notes);
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
    Points points;
    points.index.resize(given.axes.size());
    points.figures.resize(study_columns().all().size());
    points.notes = all.identity().notes;
    StudyTable(all.store(), all.space(), all.identity(), metric, std::nullopt).for_each([&](const StudyRow& row) {
      points.add(row, all.space());
    });
    return points;
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
  module.def("sweep_figures", [] {
    constexpr std::array<const char*, 3> kinds{"text", "count", "number"};
    py::dict kind_by_name;
    for (const ResultColumn<StudyRow>& column : study_columns().all())
      kind_by_name[py::str(column.name)] = kinds[static_cast<std::size_t>(column.kind)];
    return kind_by_name;
  });
  module.def(
      "explain_json",
      [](PyScenario& scenario, const Values& values, std::size_t jobs, const std::optional<std::string>& max_time,
         std::optional<std::uint64_t> max_events) {
        return explain_json(scenario, values, jobs, run_options(max_time, max_events, 0));
      },
      py::arg("scenario"), py::arg("values"), py::arg("jobs"), py::arg("max_time"), py::arg("max_events"));
}

}  // namespace gdsim::python
