#include <gdsim/probe_model/make_probed_model.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/probe_model/block_runs.hpp>
#include <gdsim/probe_model/core_costs.hpp>
#include <gdsim/probe_model/dispatch_inference.hpp>
#include <gdsim/probe_model/launch_figures.hpp>
#include <gdsim/probe_model/memory_figures.hpp>
#include <gdsim/probe_model/model_yaml.hpp>
#include <gdsim/probe_model/residency_limits.hpp>
#include <gdsim/probe_model/run_comparison.hpp>
#include <gdsim/scenario/device/model_library.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include <gdsim/yaml/yaml_document.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
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

}  // namespace gdsim
