#include <gdsim/probe_model/probe_model_files.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/probe_model/block_runs.hpp>
#include <gdsim/probe_model/model_figures.hpp>
#include <gdsim/probe_model/probed_model.hpp>
#include <gdsim/record/wait_log.hpp>
#include <gdsim/run/internal_run_options.hpp>
#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

namespace gdsim {
namespace {

/// Experiments whose blocks logged themselves, one launch at a time.
constexpr std::array kAlone{"threads", "slots", "registers", "shared", "drawn", "memory"};

class ModelMaker {
 public:
  ModelMaker(ProbeLogs logs, const ProbeModelRequest& request, const ReadOptions& read, const RunOptions& run,
             Jobs jobs, SourceFiles& sources)
      : logs_(std::move(logs)), read_(read), run_(run), jobs_(jobs), sources_(sources), models_(read.models, sources) {
    model_.id = request.id;
    model_.facts = logs_.facts;
    model_.left_out = std::move(logs_.left_out);
    model_.family = request.family.empty() ? logs_.facts.architecture : request.family;
  }

  ProbedModel make() {
    const DeviceSpec family = read_family();
    read_runs();
    ValueList values(model_.values);
    add_limits(logs_.facts, family, all_runs(), values);
    if (const auto groups = CoreNumbers(all_runs()).group_sizes(); !groups.empty()) add_groups(groups, values);
    const DeviceSpec limited = device_so_far();
    model_.inference = infer_dispatch(fitted_, limited, jobs_, model_.notes);
    add_dispatch(model_.inference, fitted_, family, values, model_.notes);
    add_launch_cost(runs_of("gaps"), runs_of("launch"), values, model_.notes);
    add_memory(family, values);
    add_core_costs(logs_, family, values, model_.notes, model_.left_out);
    add_arithmetic(logs_, family, values, model_.notes, model_.left_out);
    values.add_unknown("dispatch.kernel_choice",
                       "launches beside each other (the experiment `beside`) are not evaluated");
    values.add_unknown("clusters", "the probe does not show which cores can share a cluster");
    const DeviceSpec device = device_so_far();
    model_.residencies = residency_checks(all_runs(), device);
    for (const ResidencyCheck& check : model_.residencies)
      if (!check.agrees())
        model_.notes.push_back(
            fmt::format("CONFLICT: {}: a core held {} blocks at most, the runtime says {}, gdsim "
                        "occupancy {}",
                        check.run, check.seen, check.reported, check.simulated));
    model_.runs = compare_runs(fitted_, held_out_, device, run_, jobs_);
    model_.yaml = model_yaml(model_);
    return std::move(model_);
  }

 private:
  DeviceSpec read_text(const std::string& text, const std::string& name) {
    const SourceText& source = sources_.keep(name, text);
    Diagnostics problems;
    std::optional<DeviceSpec> device;
    if (const auto node = read_yaml(source, problems)) device = read_device(*node, ".", models_, ValueReader(problems));
    problems.throw_if_any();
    if (!device) throw InputError(name + " cannot be read");
    return *std::move(device);
  }

  DeviceSpec read_family() {
    if (model_.family.empty())
      throw InputError("the tables name no architecture; name the family of the device: --family cc-9.0");
    const std::vector<std::string> known = models_.names();
    const bool is_path = model_.family.find('/') != std::string::npos || model_.family.ends_with(".yaml");
    if (!is_path && std::find(known.begin(), known.end(), model_.family) == known.end())
      throw InputError(
          fmt::format("there is no model of the family {}; name one that `gdsim devices` lists: --family "
                      "cc-9.0",
                      in_quotes(model_.family)));
    DeviceSpec family = read_text(model_.family, "the family of the probe's device");
    if (family.kind != DeviceKind::family)
      throw InputError(fmt::format("{} is a product; name its family: --family cc-9.0", in_quotes(model_.family)));
    if (logs_.facts.clock_hertz <= 0)
      throw InputError(
          "no table states a core clock above 0, which converts cycles to time; expected a line such as "
          "`# core_clock_MHz_measured: 1980.000`");
    return family;
  }

  /// The device with the values that are known so far.
  DeviceSpec device_so_far() { return read_text(model_yaml(model_), "the device of the probe"); }

  void read_runs() {
    for (const char* experiment : kAlone)
      for (ProbedRun& run : read_block_runs(logs_, experiment, model_.left_out)) {
        if (run.launches.empty()) continue;
        last_[{run.experiment, run.name}] = std::max(last_[{run.experiment, run.name}], run.repetition);
        fitted_.push_back(std::move(run));
      }
    const auto is_held_out = [&](const ProbedRun& run) {
      return run.repetition > 0 && last_.at({run.experiment, run.name}) == run.repetition;
    };
    for (const ProbedRun& run : fitted_)
      if (is_held_out(run)) held_out_.push_back(run);
    std::erase_if(fitted_, is_held_out);
    for (const char* experiment : kAlone)
      if (logs_.find(experiment, "blocks") == nullptr)
        model_.notes.push_back(fmt::format("the table {}.blocks is not there", experiment));
  }

  std::vector<ProbedRun> runs_of(const char* experiment) { return read_block_runs(logs_, experiment, model_.left_out); }

  std::vector<ProbedRun> all_runs() const {
    std::vector<ProbedRun> all = fitted_;
    all.insert(all.end(), held_out_.begin(), held_out_.end());
    return all;
  }

  void add_groups(const std::vector<std::uint32_t>& sizes, ValueList& values) {
    std::uint32_t cores = 0;
    std::string text;
    for (const std::uint32_t size : sizes) {
      cores += size;
      text += (text.empty() ? "" : ", ") + std::to_string(size);
    }
    if (cores == logs_.facts.cores) {
      values.add_measured("core_groups", "[{name: shader engine, sizes: [" + text + "]}]", cores,
                          "cores by the shader engine that their hardware register names");
    } else {
      values.add_unknown("core_groups", fmt::format("blocks were seen on {} of {} cores", cores, logs_.facts.cores));
    }
  }

  ProbedValue& value_at(const std::string& path) {
    return *std::find_if(model_.values.begin(), model_.values.end(),
                         [&](const ProbedValue& one) { return one.path == path; });
  }

  void add_memory(const DeviceSpec& family, ValueList& values) {
    add_latencies(logs_, values, model_.notes, model_.left_out);
    ProbedValue& l2 = value_at("memory.levels.L2.latency");
    if (value_at("memory.levels.DRAM.latency").value.empty()) {
      if (!l2.value.empty())
        l2 = {l2.path,
              "",
              ValueOrigin::family,
              0,
              "",
              "",
              "what lies behind the L2 is not known, so there is no level of it"};
      values.add_unknown("memory.levels.DRAM.bandwidth",
                         "without its latency there is no level of memory to be fitted");
      return;
    }
    if (logs_.facts.l2_bytes > 0 && !l2.value.empty())
      values.add_reported("memory.levels.L2.capacity", to_text(Bytes{logs_.facts.l2_bytes}), "its size of the L2");
    const std::uint32_t lanes = family.sub_group_sizes.front();
    values.add_assumed(
        "memory.in_flight", fmt::format("{} B", lanes * 8),
        "one 8-byte load for each lane, as in the probe's reads; kernels with more loads under way have more");
    const FitSetting setting{read_, run_, jobs_};
    if (!value_at("memory.levels.L2.latency").value.empty())
      fit_latencies(logs_, device_so_far(), model_yaml(model_), setting, value_at("memory.levels.L2.latency"),
                    value_at("memory.levels.DRAM.latency"));
    add_bandwidth(logs_, device_so_far(), model_yaml(model_), setting, values, model_.left_out);
  }

  ProbeLogs logs_;
  const ReadOptions& read_;
  const RunOptions& run_;
  Jobs jobs_;
  SourceFiles& sources_;
  ModelLibrary models_;
  ProbedModel model_;
  std::vector<ProbedRun> fitted_;
  std::vector<ProbedRun> held_out_;
  std::map<std::pair<std::string, std::string>, std::int64_t> last_;
};

}  // namespace

ProbedModel make_probed_model(ProbeLogs logs, const ProbeModelRequest& request, const ReadOptions& read,
                              const RunOptions& run, Jobs jobs, SourceFiles& sources) {
  return ModelMaker(std::move(logs), request, read, run, jobs, sources).make();
}

namespace {

constexpr std::size_t kMaxCompared = 20'000;

/// Thousandths of cycles, or picoseconds, as picoseconds.
std::int64_t picoseconds(std::int64_t units, bool in_cycles, Hertz clock) {
  if (!in_cycles) return units;
  return static_cast<std::int64_t>(Int128{units} * 1'000'000'000 / clock.count);
}

std::vector<ResidentStep> steps_of(const std::vector<std::pair<std::int64_t, std::int64_t>>& spans) {
  std::map<std::int64_t, std::int64_t> changes;
  for (const auto& [start, end] : spans) {
    ++changes[start];
    --changes[end];
  }
  std::vector<ResidentStep> steps;
  std::int64_t held = 0;
  for (const auto& [at, by] : changes) {
    held += by;
    if (by != 0 || steps.empty()) steps.push_back({at, static_cast<std::uint64_t>(std::max<std::int64_t>(held, 0))});
  }
  return steps;
}

/// Makes all times relative to the first start. Returns the time from the first start to the last end.
std::int64_t begin_at_zero(std::vector<std::pair<std::int64_t, std::int64_t>>& spans) {
  std::int64_t first = spans.front().first;
  std::int64_t last = spans.front().second;
  for (const auto& [start, end] : spans) {
    first = std::min(first, start);
    last = std::max(last, end);
  }
  for (auto& [start, end] : spans) {
    start -= first;
    end -= first;
  }
  return last - first;
}

Workload workload_of_launch(const ProbedLaunch& launch, const DeviceSpec& device) {
  Kernel kernel;
  kernel.name = "probe";
  kernel.sub_group = device.sub_group_sizes.front();
  kernel.range = {{1, 1, launch.threads * launch.blocks.size()}, {1, 1, launch.threads}};
  kernel.needs.registers = launch.registers.value_or(0);
  kernel.needs.slm.total = Bytes{launch.shared_bytes};
  kernel.program = {Compute{StepTime{Decimal::whole(1'000'000), StepTime::Unit::picoseconds}}};
  for (std::size_t i = 0; i < launch.blocks.size(); ++i) {
    const std::int64_t length =
        picoseconds(launch.blocks[i].end - launch.blocks[i].start, launch.has_cycles, device.clock.value_or(Hertz{1}));
    WorkGroupFactor factor;
    factor.work_group = WorkGroupId{i};
    factor.duration = StepTime{Decimal::whole(static_cast<std::uint64_t>(std::max<std::int64_t>(length, 1))),
                               StepTime::Unit::picoseconds};
    kernel.variation.factors.push_back(factor);
  }
  Workload workload;
  workload.kernels.push_back(std::move(kernel));
  workload.launches.push_back(Launch{"probe", KernelId{0}, {}});
  return workload;
}

using Spans = std::vector<std::pair<std::int64_t, std::int64_t>>;

/// Begin and end of each block, in picoseconds.
Spans measured_spans(const ProbedLaunch& launch, const DeviceSpec& device) {
  Spans spans;
  for (const ProbedBlock& block : launch.blocks)
    spans.emplace_back(picoseconds(block.start, launch.has_cycles, device.clock.value_or(Hertz{1})),
                       picoseconds(block.end, launch.has_cycles, device.clock.value_or(Hertz{1})));
  return spans;
}

/// Simulates the launch. Returns why that is not possible; empty: it is, and `log` has its work-groups.
std::string simulate_launch(const ProbedLaunch& launch, const DeviceSpec& device, RunOptions options,
                            WorkGroupLog& log) {
  const Compilation compilation = compile(device, workload_of_launch(launch, device));
  if (!compilation) return to_text(compilation.issues().front());
  options.observers.push_back(&log);
  try {
    const Outcome outcome = simulate(compilation.value(), options, KeepAccounts::no).record.outcome;
    return outcome == Outcome::completed ? std::string() : "the run " + std::string(name_of(outcome));
  } catch (const InputError& error) {
    return error.problems().front().message;
  }
}

RunComparison compare_run(const ProbedRun& run, bool is_held_out, const CoreNumbers& numbers, const DeviceSpec& device,
                          const RunOptions& options) {
  const ProbedLaunch& launch = run.launches.front();
  RunComparison compared;
  compared.experiment = run.experiment;
  compared.run = run.title();
  compared.is_held_out = is_held_out;
  compared.blocks = launch.blocks.size();
  Spans measured = measured_spans(launch, device);
  compared.measured_ps = begin_at_zero(measured);
  compared.measured = steps_of(measured);
  WorkGroupLog log(1);
  compared.problem = simulate_launch(launch, device, options, log);
  if (!compared.problem.empty()) return compared;
  Spans simulated;
  const auto records = log.records_of(LaunchId{0});
  for (std::size_t i = 0; i < records.size(); ++i) {
    simulated.emplace_back(records[i].first_placed.count, records[i].ended.value().count);
    if (index_of(records[i].core) == numbers.number_of(launch.blocks[i])) ++compared.on_core;
  }
  compared.simulated_ps = begin_at_zero(simulated);
  compared.simulated = steps_of(simulated);
  return compared;
}

bool can_be_compared(const ProbedRun& run) {
  return run.launches.size() == 1 && run.launches.front().cluster == 1 &&
         run.launches.front().blocks.size() <= kMaxCompared && run.experiment != "launch";
}

}  // namespace

std::uint64_t RunComparison::error() const {
  if (measured_ps <= 0) return 0;
  const std::int64_t apart = simulated_ps > measured_ps ? simulated_ps - measured_ps : measured_ps - simulated_ps;
  return static_cast<std::uint64_t>(Int128{apart} * 10'000 / measured_ps);
}

std::vector<RunComparison> compare_runs(const std::vector<ProbedRun>& fitted, const std::vector<ProbedRun>& held_out,
                                        const DeviceSpec& device, const RunOptions& options, Jobs jobs) {
  std::vector<ProbedRun> all = held_out;
  all.insert(all.end(), fitted.begin(), fitted.end());
  const CoreNumbers numbers(all);
  std::vector<std::pair<const ProbedRun*, bool>> chosen;
  std::set<std::pair<std::string, std::string>> known;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (can_be_compared(all[i]) && known.emplace(all[i].experiment, all[i].name).second)
      chosen.emplace_back(&all[i], i < held_out.size());
  std::vector<RunComparison> compared(chosen.size());
  parallel_for_in_order(
      chosen.size(), jobs,
      [&](std::size_t i) { compared[i] = compare_run(*chosen[i].first, chosen[i].second, numbers, device, options); },
      [](std::size_t) { return Proceed::yes; });
  return compared;
}

}  // namespace gdsim
