#include "scenario.hpp"

#include "interruption.hpp"
#include "views.hpp"

#include <gdsim/base/text.hpp>
#include <gdsim/points/run_point.hpp>
#include <gdsim/scenario/compile_scenario.hpp>

#include <pybind11/stl.h>

#include <array>
#include <string_view>

namespace gdsim::python {
namespace {

namespace py = pybind11;

/// Makes a maker from the source's text, or from its file if there is no text.
ScenarioMaker made(const ScenarioSource& source) {
  if (!source.text) return ScenarioMaker(source.name, source.options());
  return {source.name, *source.text, std::filesystem::path(source.name).parent_path(), source.options()};
}

std::set<Keeps> keeps_of(const std::vector<std::string>& names) {
  constexpr std::array<std::string_view, 3> known{"timeline", "cores", "work_groups"};
  constexpr std::array<Keeps, 3> kept{Keeps::timeline, Keeps::cores, Keeps::work_groups};
  std::set<Keeps> keeps;
  for (const std::string& name : names) {
    const auto found = std::find(known.begin(), known.end(), name);
    if (found == known.end()) throw InputError("keep has " + in_quotes(name) + "; " + known_names(name, known));
    keeps.insert(kept[static_cast<std::size_t>(found - known.begin())]);
  }
  return keeps;
}

/// Returns the reason for a run that did not complete.
std::string reason_of(const RunRecord& record) { return "its run is " + std::string(name_of(record.outcome)); }

}  // namespace

ReadOptions ScenarioSource::options() const {
  ReadOptions read;
  read.only_case = only_case;
  for (const std::string& folder : models) read.models.emplace_back(folder);
  return read;
}

RunOptions run_options(const std::optional<std::string>& max_time, std::optional<std::uint64_t> max_events,
                       std::uint64_t seed_offset) {
  RunOptions options;
  options.seed_offset = seed_offset;
  options.bounds.events = max_events;
  if (!max_time) return options;
  const Parsed<SimTime> time = parse_time(*max_time);
  if (!time.value) throw InputError("max_time: " + in_quotes(*max_time) + " " + time.problem);
  options.bounds.time = time.value;
  return options;
}

PyScenario::PyScenario(ScenarioSource source) : source_(std::move(source)), maker_(made(source_)) {
  stamps_.add_new(maker_.sources());
}

bool PyScenario::is_current() {
  const std::lock_guard lock(mutex_);
  return stamps_.are_current();
}

std::shared_ptr<const Ready> PyScenario::ready(const Values& values, RunOptions options) {
  std::vector<Override> overrides;
  std::vector<std::string> changes;
  for (const auto& [path, value] : values) {
    overrides.push_back({path, value});
    changes.push_back(path + " = " + value);
  }
  std::optional<Scenario> scenario;
  {
    const std::lock_guard lock(mutex_);
    if (is_last(values, options)) return last_;
    scenario = maker_.make(overrides);
    stamps_.add_new(maker_.sources());
  }
  auto made = std::make_shared<const Ready>(std::move(*scenario), std::move(changes), std::move(options));
  const std::lock_guard lock(mutex_);
  last_ = made;
  last_values_ = values;
  return made;
}

bool PyScenario::is_last(const Values& values, const RunOptions& options) const {
  return last_ && last_values_ == values && last_->options.seed_offset == options.seed_offset &&
         last_->options.bounds.events == options.bounds.events && last_->options.bounds.time == options.bounds.time;
}

std::shared_ptr<Run> PyScenario::run(const Values& values, const std::vector<std::string>& keep, RunOptions options) {
  const std::set<Keeps> keeps = keeps_of(keep);
  std::shared_ptr<const Ready> made;
  {
    const py::gil_scoped_release released;
    made = ready(values, std::move(options));
  }
  return std::make_shared<Run>(std::move(made), keeps);
}

py::tuple PyScenario::durations(const std::vector<std::string>& paths,
                                const std::vector<std::vector<std::string>>& columns, const RunOptions& options) {
  if (paths.size() != columns.size() || columns.empty())
    throw InputError("there must be a list of values for each path, and one path at least");
  const std::size_t rows = columns.front().size();
  for (std::size_t i = 1; i < columns.size(); ++i)
    if (columns[i].size() != rows)
      throw InputError(paths[i] + " has " + std::to_string(columns[i].size()) + " values and " + paths.front() + " " +
                       std::to_string(rows) + "; all need equally many");
  struct Answer {
    std::vector<std::int64_t> picoseconds;
    std::vector<std::string> reasons;
  };
  Answer answer = without_gil(Watch::later, [&](const StopToken& stop) {
    Answer all{std::vector<std::int64_t>(rows, -1), std::vector<std::string>(rows)};
    RunOptions with_stop = options;
    with_stop.stop = stop;
    std::vector<Override> overrides(paths.size());
    for (std::size_t row = 0; row < rows && !stop.stop_requested(); ++row) {
      for (std::size_t i = 0; i < paths.size(); ++i) overrides[i] = {paths[i], columns[i][row]};
      try {
        const auto make = [&] {
          const std::lock_guard lock(mutex_);
          return maker_.make(overrides);
        };
        const Scenario scenario = make();
        if (!scenario.refusals.empty()) throw InputError(scenario.refusals);
        require_durations(scenario);
        const RunResult result = run_for_study(scenario, with_stop);
        if (result.record.outcome == Outcome::completed) {
          all.picoseconds[row] = result.record.duration().count;
        } else {
          all.reasons[row] = reason_of(result.record);
        }
      } catch (const InputError& error) {
        if (is_mistake(error)) throw;
        all.reasons[row] = error.problems().front().message;
      }
    }
    const std::lock_guard lock(mutex_);
    stamps_.add_new(maker_.sources());
    return all;
  });
  py::dict reasons;
  for (std::size_t row = 0; row < rows; ++row)
    if (!answer.reasons[row].empty()) reasons[py::int_(row)] = answer.reasons[row];
  return py::make_tuple(array_of(py::dtype("i8"), std::move(answer.picoseconds)), reasons);
}

void define_scenario(py::module_& module) {
  module.def(
      "read_scenario",
      [](std::string name, std::optional<std::string> text, std::string only_case, std::vector<std::string> models) {
        return std::make_shared<PyScenario>(
            ScenarioSource{std::move(name), std::move(text), std::move(only_case), std::move(models)});
      },
      py::arg("name"), py::arg("text"), py::arg("case"), py::arg("models"));
  py::class_<PyScenario, std::shared_ptr<PyScenario>> scenario(module, "Scenario");
  forbid_empty_ones(scenario);
  scenario.def("is_current", &PyScenario::is_current)
      .def(
          "run",
          [](PyScenario& self, const Values& values, const std::vector<std::string>& keep,
             const std::optional<std::string>& max_time, std::optional<std::uint64_t> max_events,
             std::uint64_t seed_offset) {
            return self.run(values, keep, run_options(max_time, max_events, seed_offset));
          },
          py::arg("values"), py::arg("keep"), py::arg("max_time"), py::arg("max_events"), py::arg("seed_offset"))
      .def(
          "durations",
          [](PyScenario& self, const std::vector<std::string>& paths,
             const std::vector<std::vector<std::string>>& columns, const std::optional<std::string>& max_time,
             std::optional<std::uint64_t> max_events) {
            return self.durations(paths, columns, run_options(max_time, max_events, 0));
          },
          py::arg("paths"), py::arg("columns"), py::arg("max_time"), py::arg("max_events"));
}

}  // namespace gdsim::python
