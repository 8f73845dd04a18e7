#include "run.hpp"
#include <gdsim/analysis/run_view.hpp>
#include <gdsim/analysis/words.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/page/html/html_report.hpp>
#include <gdsim/page/picture/picture_svg.hpp>
#include <gdsim/points/point_notes.hpp>
#include <gdsim/points/run_point.hpp>
#include <gdsim/report/json/summary_json.hpp>
#include <gdsim/report/sink.hpp>
#include "arrays.hpp"
#include "cases/case_run.hpp"
#include "interruption.hpp"
#include "views.hpp"

#include <pybind11/stl.h>

#include <utility>

namespace gdsim::python {
namespace {

namespace py = pybind11;

Run::Shared run_once(const Ready& ready, const std::set<Keeps>& keeps) {
  return without_gil(Watch::later, [&](StopToken stop) -> Run::Shared {
    InternalRunOptions options;
    static_cast<RunOptions&>(options) = ready.options;
    options.stop = std::move(stop);
    return std::make_shared<KeptRun>(ready.scenario, ready.compiled, keeps, options);
  });
}

const std::set<Keeps> kShown{Keeps::timeline, Keeps::cores, Keeps::group_states, Keeps::waits};

}  // namespace

Ready::Ready(Scenario made, std::vector<std::string> changed, RunOptions run)
    : scenario(std::move(made)),
      changes(std::move(changed)),
      options(std::move(run)),
      compiled(cli::compile_case(scenario)) {}

Run::Run(std::shared_ptr<const Ready> ready, const std::set<Keeps>& keeps)
    : ready_(std::move(ready)), first_(run_once(*ready_, keeps)), keeps_(keeps), kept_(first_) {}

Run::Shared Run::kept_with(const std::set<Keeps>& keeps) const {
  std::set<Keeps> all;
  {
    const std::lock_guard lock(mutex_);
    all = keeps_;
    all.insert(keeps.begin(), keeps.end());
    if (all.size() == keeps_.size()) return kept_;
  }
  Shared again = run_once(*ready_, all);
  const std::lock_guard lock(mutex_);
  if (all.size() > keeps_.size()) {
    keeps_ = std::move(all);
    kept_ = again;
  }
  return again;
}

RunReport Run::report(const KeptRun& kept) const {
  bool has_notes = false;
  std::vector<std::string> notes;
  std::optional<Answer> answer;
  {
    const std::lock_guard lock(mutex_);
    has_notes = has_notes_;
    notes = notes_;
    answer = answer_;
  }
  if (!has_notes) {
    notes = without_gil(Watch::later, [&](StopToken stop) {
      RunOptions options = ready_->options;
      options.stop = std::move(stop);
      if (record().outcome == Outcome::completed && !is_without_duration(ready_->scenario.workload))
        answer = answer_of(ready_->scenario, kept.report(), options);
      return further_notes(ready_->scenario, first_->result(), options);
    });
    const std::lock_guard lock(mutex_);
    has_notes_ = true;
    notes_ = notes;
    answer_ = answer;
  }
  RunReport report = kept.report(ready_->changes, std::move(notes));
  report.answer = std::move(answer);
  return report;
}

std::string Run::summary_json() const {
  TextSink sink;
  write_summary_json(report(*first_), sink);
  return sink.take();
}

std::string Run::svg() const {
  require_durations(ready_->scenario);
  const Shared kept = kept_with(kShown);
  const RunReport report = this->report(*kept);
  return without_gil(Watch::later, [&](const StopToken&) {
    TextSink sink;
    write_picture_svg(view_of(report), sink);
    return sink.take();
  });
}

std::string Run::html() const {
  require_durations(ready_->scenario);
  const Shared kept = kept_with(kShown);
  const RunReport report = this->report(*kept);
  return without_gil(Watch::later, [&](const StopToken&) {
    TextSink sink;
    write_html_report(view_of(report), sink);
    return sink.take();
  });
}

namespace {

/// Returns the run. Throws InputError if it has no times, because the program of a kernel is a placeholder.
const Run& with_times(const Run& run) {
  require_durations(run.ready().scenario);
  return run;
}

}  // namespace

void define_run(py::module_& module) {
  py::class_<Run, std::shared_ptr<Run>> run_class(module, "Run");
  forbid_empty_ones(run_class);
  run_class.def_property_readonly("title", [](const Run& run) { return printable(run.ready().scenario.title); })
      .def_property_readonly("device", [](const Run& run) { return run.ready().scenario.device.id; })
      .def_property_readonly("outcome", [](const Run& run) { return std::string(name_of(run.record().outcome)); })
      .def_property_readonly("has_durations", [](const Run& run) { return has_durations(run.ready().scenario); })
      .def_property_readonly("duration_ps", [](const Run& run) { return with_times(run).record().duration().count; })
      .def_property_readonly("active_ps", [](const Run& run) { return with_times(run).record().active().count; })
      .def("summary_json", &Run::summary_json)
      .def("table", [](const Run& run, const std::string& name,
                       const std::string& column) { return table_of(with_times(run), name, column); })
      .def("columns", [](const Run& run, const std::string& name) { return columns_of(run, name); })
      .def("timeline", [](const Run& run) { return timeline_of(with_times(run)); })
      .def("cores", [](const Run& run) { return cores_of(with_times(run)); })
      .def("work_groups", [](const Run& run) { return work_groups_of(with_times(run)); })
      .def("svg", &Run::svg)
      .def("html", &Run::html);
}

}  // namespace gdsim::python
