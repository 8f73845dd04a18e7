#include <gdsim/model/model.hpp>
#include <gdsim/model/model_state.hpp>
#include <gdsim/record/recorder.hpp>
#include <gdsim/report/csv/csv_tables.hpp>
#include <gdsim/report/json/summary_json.hpp>
#include <gdsim/run/critical_path.hpp>
#include <gdsim/run/drive.hpp>
#include "support/builders.hpp"
#include "support/random_runs.hpp"
#include "support/string_sink.hpp"

#include <rapidcheck/catch.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <random>

// Invariants of every run, whatever the device, the dispatch and the workload.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Recounts what every core holds from the facts alone, and keeps complaints.
class Auditor : public Observer {
 public:
  Auditor(const DeviceSpec& device, const Workload& workload) : device_(device), workload_(workload) {}

  Detail detail() const override { return Detail::everything; }
  void on_instant(const Instant& now) override {
    const SimTime time = now.time;
    if (last_ && time <= *last_) complain("instants do not rise");
    last_ = time;
    for (const Fact& fact : now.facts) apply(fact);
    for (const auto& [core, held] : cores_) check(held);
  }

  const std::vector<std::string>& complaints() const { return complaints_; }
  bool everything_ended_once() const {
    return std::all_of(groups_.begin(), groups_.end(), [](const auto& group) {
      return group.second.opened == 1 && group.second.closed == 1 && group.second.placed == group.second.back;
    });
  }
  std::size_t groups() const { return groups_.size(); }
  std::uint64_t threads() const {
    std::uint64_t sum = 0;
    for (const auto& [key, group] : groups_) sum += group.placed;
    return sum;
  }

 private:
  struct Held {
    std::int64_t contexts = 0, groups = 0, slm = 0, barriers = 0, partial = 0;
  };
  struct Group {
    int opened = 0, closed = 0;
    std::uint64_t placed = 0, back = 0;
  };

  std::int64_t contexts_of(const Kernel& kernel) const {
    return kernel.needs.grf == GrfMode::large ? *device_.large_grf_contexts : 1;
  }

  std::int64_t barriers_of(const Kernel& kernel, WorkGroupId group) const {
    if (kernel.needs.barriers) return *kernel.needs.barriers;
    if (device_.barrier_use == BarrierUse::multi_thread) return kernel.threads_of(group) > 1 ? 1 : 0;
    return has_barrier(kernel.program) ? 1 : 0;
  }

  static bool may_be_on(const CoreSelection& cores, CoreId core) {
    return cores.empty() || std::any_of(cores.begin(), cores.end(), [core](const CoreRange& range) {
             return range.first <= core && core <= range.last;
           });
  }

  void complain(const char* what) { complaints_.emplace_back(what); }

  void apply(const Fact& fact) {
    Held& held = cores_[index_of(fact.core)];
    Group& group = groups_[{index_of(fact.launch), number_of(fact.work_group)}];
    const auto& kernel = workload_.kernel_of(workload_.launches[index_of(fact.launch)]);
    if (fact.kind == ThreadEvent::placed) {
      if (!may_be_on(workload_.cores_of(workload_.launches[index_of(fact.launch)]), fact.core))
        complain("on a forbidden core");
      held.contexts += fact.threads * contexts_of(kernel);
      group.placed += fact.threads;
      if (fact.opens_group) ++group.opened;
      if (fact.opens_core) {
        ++held.groups;
        held.slm += fact.slm.count;
        held.barriers += barriers_of(kernel, fact.work_group);
      }
      if (device_.dispatch.admission != Admission::spread) {
        if (fact.opens_group && !fact.fills_group) ++held.partial;
        if (!fact.opens_group && fact.fills_group) --held.partial;
      }
      if (fact.fills_group && group.placed != kernel.threads_of(fact.work_group)) complain("filled with wrong threads");
    } else if (fact.kind == ThreadEvent::released) {
      held.contexts -= fact.threads * contexts_of(kernel);
      group.back += fact.threads;
      if (fact.closes_group) ++group.closed;
      if (fact.closes_core) {
        --held.groups;
        held.slm -= fact.slm.count;
        held.barriers -= barriers_of(kernel, fact.work_group);
      }
    }
  }

  void check(const Held& held) {
    if (held.contexts < 0 || held.contexts > device_.contexts_per_core()) complain("contexts out of bounds");
    if (held.groups < 0 || held.groups > static_cast<std::int64_t>(*device_.work_groups_per_core))
      complain("slots out of bounds");
    if (held.slm < 0 || held.slm > device_.slm.per_core.count) complain("SLM out of bounds");
    if (held.barriers < 0 || held.barriers > static_cast<std::int64_t>(*device_.barriers_per_core))
      complain("barriers out of bounds");
    if (held.partial < 0 || held.partial > 1) complain("more than one partial work-group on a core");
  }

  const DeviceSpec& device_;
  const Workload& workload_;
  std::map<std::size_t, Held> cores_;
  std::map<std::pair<std::size_t, std::uint64_t>, Group> groups_;
  std::optional<SimTime> last_;
  std::vector<std::string> complaints_;
};

/// Work-groups that launch children wait for them.
void await_children(Workload& workload) {
  for (Kernel& kernel : workload.kernels)
    for (Step& step : kernel.program)
      if (auto* child = std::get_if<LaunchChild>(&step)) child->wait = ChildWait::yes;
  for (Launch& launch : workload.launches)
    if (launch.parent() != nullptr) launch.as_kernel().parent->wait = ChildWait::yes;
}

/// Every table of a run, one after the other.
std::string all_output(const RandomRun& drawn, const FullRun& run) {
  const std::string title = "random";
  const LaunchGraph graph = make_launch_graph(drawn.workload);
  RunReport report{title, drawn.device, drawn.device.dispatch, drawn.workload, run.record, graph};
  report.timeline = &run.timeline;
  report.cores = &run.cores;
  report.work_groups = &run.work_groups;
  StringSink sink;
  timeline_table().write(report, sink);
  cores_table().write(report, sink);
  phases_table().write(report, sink);
  work_groups_table().write(report, sink);
  write_summary_json(report, sink);
  launches_table().write(report, sink);
  return sink.text;
}

}  // namespace

TEST_CASE("every work-group is placed once and ends, and no core ever holds more than it has") {
  rc::prop("audit of facts", [] {
    const RandomRun drawn = draw_run();
    RC_LOG(describe(drawn));
    Auditor auditor(drawn.device, drawn.workload);
    InternalRunOptions options;
    options.observers = {&auditor};
    const RunRecord record = simulate(drawn.device, drawn.device.dispatch, drawn.workload, options).record;
    RC_ASSERT(record.outcome == Outcome::completed);  // so partial dispatch with a barrier never stalls
    RC_ASSERT(auditor.complaints() == std::vector<std::string>{});
    RC_ASSERT(auditor.everything_ended_once());
    RC_ASSERT(auditor.groups() == record.work_groups_total);
    RC_ASSERT(auditor.threads() == record.threads_total);
  });
}

TEST_CASE("the integral of the timeline is the time for which threads held contexts") {
  rc::prop("three ways to the same integer", [] {
    const RandomRun drawn = draw_run();
    RC_LOG(describe(drawn));
    const FullRun run = run_fully(drawn.device, drawn.workload);
    Int128 by_rows = 0;
    for (std::size_t i = 0; i + 1 < run.timeline.size(); ++i)
      by_rows +=
          Int128{run.timeline[i].counts.resident.threads} * (run.timeline[i + 1].time - run.timeline[i].time).count;
    Int128 by_cores = 0;
    std::map<std::size_t, CorePoint> last;
    for (const CorePoint& point : run.cores.points()) {
      const auto before = last.find(index_of(point.core));
      if (before != last.end())
        by_cores += Int128{before->second.resident.threads} * (point.time - before->second.time).count;
      last[index_of(point.core)] = point;
    }
    RC_ASSERT(by_rows == run.record.resident_time);
    RC_ASSERT(by_cores == run.record.resident_time);
    RC_ASSERT(run.timeline.back().counts == DeviceCounts{});
  });
}

TEST_CASE("every context of a run is held, or idle for a recorded reason") {
  rc::prop("held + idle = all contexts x duration", [] {
    const RandomRun drawn = draw_run();
    RC_LOG(describe(drawn));
    const RunRecord record = run_fully(drawn.device, drawn.workload).record;
    Int128 sum = 0;
    for (const IdleUse& use : record.idle) sum += use.context_time;
    const auto& kernels = drawn.workload.kernels;
    for (const CoreTimeUse& one : record.time_use) {
      const bool is_large = kernels[index_of(one.kernel)].needs.grf == GrfMode::large;
      sum += one.use.sum() * (is_large ? *drawn.device.large_grf_contexts : 1);
    }
    RC_ASSERT(sum == Int128{drawn.device.contexts_total()} * record.duration().count);
  });
}

TEST_CASE("phases and transitions cover the run from first dispatch to last end") {
  rc::prop("no gap, no overlap", [] {
    const RandomRun drawn = draw_run();
    RC_LOG(describe(drawn));
    const RunRecord record = run_fully(drawn.device, drawn.workload).record;
    // Runs of a few hundred picoseconds have no transitions: half a percent is less than two of them.
    RC_PRE(record.phases.transitions.empty());
    SimTime reached = record.first_dispatch;
    for (const Phase& phase : record.phases.phases) {
      RC_ASSERT(phase.begin == reached);
      RC_ASSERT(phase.end > phase.begin);
      reached = phase.end;
    }
    RC_ASSERT(reached == record.end);
  });
}

TEST_CASE("a second run gives the same bytes") {
  rc::prop("run twice", [] {
    const RandomRun drawn = draw_run();
    RC_LOG(describe(drawn));
    RC_ASSERT(all_output(drawn, run_fully(drawn.device, drawn.workload)) ==
              all_output(drawn, run_fully(drawn.device, drawn.workload)));
  });
}

TEST_CASE("the order of events of one rank at one instant affects no result") {
  rc::prop("shuffled batches", [](std::uint32_t seed, bool children_are_awaited) {
    RandomRun drawn = draw_run();
    if (children_are_awaited) await_children(drawn.workload);  // which may stall
    RC_LOG(describe(drawn));
    const FullRun plain = run_fully(drawn.device, drawn.workload);

    Recorder recorder(drawn.device.cores, {{}, drawn.device.contexts_total()}, KeepTimeline::yes);
    CoreTimeline cores(drawn.device.cores);
    WorkGroupLog work_groups(drawn.workload.launches.size());
    const std::vector<Observer*> observers{&cores, &work_groups};
    Listeners listeners(observers, &recorder);
    const Compiled ready = compiled(drawn.device, drawn.workload);
    Model model(input_of(CompiledParts::parts_of(ready)));
    Broadcast broadcast(model, listeners);
    std::mt19937 random(seed);
    while (model.begin_instant()) {
      ModelEventQueue& queue = model.state().events;
      while (!queue.instant_is_over()) {
        const auto batch = queue.pop_rank();
        std::vector<Event> shuffled(batch.events.begin(), batch.events.end());
        std::shuffle(shuffled.begin(), shuffled.end(), random);
        model.handle_rank({batch.rank, shuffled});
      }
      model.end_instant();
      broadcast.report();
    }
    settle_launches(model.state());
    RunRecord record = plain.record;
    record.launches = model.state().launches.records();
    record.critical_path.clear();
    if (record.outcome == Outcome::completed)
      find_critical_path(drawn.device, drawn.workload, model.state().graph, record);
    record.phases = recorder.finish_phases(model.now());
    const FullRun other{record, recorder.take_timeline(), cores, work_groups};
    RC_ASSERT(all_output(drawn, other) == all_output(drawn, plain));
  });
}
