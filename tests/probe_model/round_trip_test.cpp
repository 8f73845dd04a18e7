#include "probe_model/simulated_probe.hpp"
#include "support/builders.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"
#include <gdsim/infer/inference.hpp>
#include <gdsim/probe_model/probe_model_files.hpp>

#include <catch2/catch.hpp>

#include <algorithm>

// Tables that known devices would give, with noise: the model that is made of them is the device.

using namespace gdsim;
using namespace gdsim::testing;
using Catch::Matchers::Contains;

namespace {

/// A device as a scenario has it, its dispatch rules among it.
DeviceSpec device_of_text(const std::string& device, const std::vector<std::filesystem::path>& models,
                          int sub_group = 32) {
  ReadOptions options;
  options.models = models;
  const ReadText read = read_text("scenario: s\ndevice: " + device +
                                      "\nkernels: {k: {global: 64, local: 64, sub_group: " + std::to_string(sub_group) +
                                      ", program: [compute: 1 us]}}\nlaunches: [{kernel: k}]\n",
                                  options);
  INFO(read.problems);
  REQUIRE(read.problems.empty());
  DeviceSpec spec = read.scenario().device;
  spec.dispatch = read.scenario().dispatch;
  return spec;
}

struct Probed {
  ProbedModel model;
  std::string problems;

  const ProbedValue& at(const std::string& path) const {
    const auto found = std::find_if(model.values.begin(), model.values.end(),
                                    [&](const ProbedValue& one) { return one.path == path; });
    if (found == model.values.end()) throw std::runtime_error("no value " + path);
    return *found;
  }
  double number(const std::string& path) const { return std::stod(at(path).value); }
  bool is_measured(const std::string& path) const { return at(path).origin == ValueOrigin::measured; }
};

Probed probed(const std::filesystem::path& folder, const std::vector<std::filesystem::path>& models,
              const std::string& family = "", Jobs jobs = {2}) {
  Probed made;
  try {
    SourceFiles sources;
    ReadOptions read;
    read.models = models;
    made.model =
        make_probed_model(read_probe_logs({folder.string()}, sources), {"probed", family}, read, {}, jobs, sources);
  } catch (const InputError& error) {
    made.problems = error.what();
  }
  return made;
}

const std::vector<std::filesystem::path> kModels{source_path("models")};

/// Like a Hopper: a dispatcher that takes time, slots that recover, launch costs, two levels of memory.
const std::string kHopper =
    "{base: cc-9.0, clock: 1.98 GHz, cores: 10, dispatch: {interval: {per_work_group: 9 cycles}, recovery: 515 "
    "cycles}, "
    "launch_cost: {serial: 1945 cycles, overlapping: 380 cycles}, slm_access: {latency: 29 cycles}, barrier_cost: "
    "{base: "
    "20 cycles, per_thread: 2 cycles}, memory: {in_flight: 256 B, levels: [{name: L2, capacity: 1 MiB, latency: 270 "
    "cycles}, {name: HBM, bandwidth: 90 GB/s, latency: 690 cycles}]}}";

/// Like a CDNA: round robin over shader engines, waves of 64.
const std::string kCdna =
    "{base: gfx90a, clock: 1.7 GHz, cores: 8, core_groups: [{name: shader engine, count: 4}], dispatch: {recovery: 325 "
    "cycles}, memory: {in_flight: 512 B, levels: [{name: L2, capacity: 1 MiB, latency: 250 cycles}, {name: HBM, "
    "bandwidth: 120 GB/s, latency: 590 cycles}]}}";

/// A family of which the device has other limits and other rules.
const std::string kOddFamily =
    "device: odd\nkind: family\nname: Odd\nvendor: nvidia\nterms: nvidia\ncores: 1\nengines_per_core: 4\n"
    "contexts_per_engine: 8\nsub_group_sizes: [32]\nmax_work_group_size: 1024\nwork_groups_per_core: 16\n"
    "barriers_per_core: unlimited\nslm: {per_core: 64 KiB, per_work_group: 64 KiB, granule: 256 B}\n"
    "release: work_group\ndispatch: {placement: fill_first, admission: whole}\n";
const std::string kOdd =
    "{base: odd, clock: 1 GHz, cores: 6, contexts_per_engine: 12, work_groups_per_core: 10, slm: {per_core: 96 KiB}, "
    "dispatch: {placement: round_robin, recovery: 700 cycles}}";

/// Tables of kOdd, and where its family is found.
struct OddDevice {
  OddDevice() {
    std::filesystem::create_directory(folder.path() / "models");
    folder.write("models/odd.yaml", kOddFamily);
    write_probe_tables(device_of_text(kOdd, models), "odd", {1, 1, 0, 5}, logs());
  }
  std::filesystem::path logs() const { return folder.path() / "logs"; }

  TemporaryFolder folder;
  std::vector<std::filesystem::path> models{source_path("models"), folder.path() / "models"};
};

}  // namespace

TEST_CASE("tables of a device like a Hopper, with noise, give its dispatch, its costs and its memory back",
          "[figures]") {
  const TemporaryFolder folder;
  const DeviceSpec truth = device_of_text(kHopper, kModels);
  write_probe_tables(truth, "cc-9.0", {2, 32, 1, 7}, folder.path() / "logs");
  const Probed made = probed(folder.path() / "logs", kModels);
  INFO(made.problems << probe_model_text(made.model) << made.model.yaml
                     << inference_text(made.model.inference.value_or(Inference{})));
  REQUIRE(made.problems.empty());
  CHECK(made.model.left_out.empty());
  CHECK(made.at("dispatch.placement").value == "most_room");
  CHECK(made.at("dispatch.tie_order").value == "evens_then_odds");
  CHECK(made.number("dispatch.interval.per_work_group") == Approx(9).epsilon(0.02));
  CHECK(made.number("dispatch.recovery") == Approx(515).epsilon(0.01));
  CHECK(made.number("launch_cost.serial") == Approx(1945 / 1.98).margin(32));
  CHECK(made.number("launch_cost.overlapping") == Approx(380 / 1.98).margin(40));
  CHECK(made.at("work_groups_per_core").value == "32");
  CHECK(made.number("slm_access.latency") == Approx(29).epsilon(0.05));
  CHECK(made.number("barrier_cost.base") == Approx(20).epsilon(0.05));
  CHECK(made.number("barrier_cost.per_thread") == Approx(2).epsilon(0.05));
  for (const auto& [kind, rate] : std::map<std::string, double>{{"fp32", 32}, {"fp64", 16}, {"int32", 16}, {"sfu", 4}})
    CHECK(made.number("arithmetic." + kind) == Approx(rate).epsilon(0.03));
  CHECK(made.number("memory.levels.L2.latency") == Approx(270).epsilon(0.03));
  CHECK(made.number("memory.levels.DRAM.latency") == Approx(690).epsilon(0.03));
  CHECK(made.number("memory.levels.DRAM.bandwidth") == Approx(90).epsilon(0.03));
  CHECK(std::all_of(made.model.residencies.begin(), made.model.residencies.end(),
                    [](const ResidencyCheck& one) { return one.agrees(); }));
  REQUIRE(made.model.runs.size() > 8);
  for (const RunComparison& run : made.model.runs) {
    INFO(run.run << " " << run.problem);
    CHECK(run.is_held_out);
    CHECK(run.error() <= 100);
  }
}

TEST_CASE("tables of a device like a CDNA give round robin over shader engines back, and its recovery", "[figures]") {
  const TemporaryFolder folder;
  const DeviceSpec truth = device_of_text(kCdna, kModels, 64);
  write_probe_tables(truth, "gfx90a:sramecc+:xnack-", {1, 10, 1, 3}, folder.path() / "logs");
  const Probed made = probed(folder.path() / "logs", kModels);
  INFO(made.problems << probe_model_text(made.model));
  REQUIRE(made.problems.empty());
  CHECK(made.model.family == "gfx90a");
  CHECK(made.at("core_groups").value == "[{name: shader engine, sizes: [2, 2, 2, 2]}]");
  CHECK(made.at("dispatch.placement").value == "group_round_robin");
  CHECK(made.number("dispatch.recovery") == Approx(325).epsilon(0.01));
  CHECK(made.number("memory.levels.L2.latency") == Approx(250).epsilon(0.03));
  CHECK(made.number("memory.levels.DRAM.latency") == Approx(590).epsilon(0.03));
  for (const RunComparison& run : made.model.runs) {
    INFO(run.run << " " << run.problem);
    CHECK(run.error() <= 100);
    // Where blocks of equal length end at once, a cycle of noise decides which slot is free first.
    if (run.experiment == "drawn") CHECK(run.on_core * 100 >= run.blocks * 90);
  }
}

TEST_CASE("limits and rules that are other than the family's are found, and the file says where it differs") {
  const OddDevice odd;
  const Probed made = probed(odd.logs(), odd.models);
  INFO(made.problems << probe_model_text(made.model));
  REQUIRE(made.problems.empty());
  CHECK(made.at("contexts_per_engine").value == "12");
  CHECK(made.at("work_groups_per_core").value == "10");
  CHECK(made.at("slm.per_core").value == "96 KiB");
  CHECK(made.at("dispatch.placement").value == "round_robin");
  CHECK(made.number("dispatch.recovery") == Approx(700).epsilon(0.01));
  CHECK(made.at("memory.levels.DRAM.latency").origin == ValueOrigin::family);
  CHECK_THAT(made.model.yaml, Contains("CONFLICT: the family has 8") &&
                                  Contains("# Not measured: arithmetic: the table arithmetic.arithmetic is not there"));
  CHECK(std::all_of(made.model.residencies.begin(), made.model.residencies.end(),
                    [](const ResidencyCheck& one) { return one.agrees(); }));
}

TEST_CASE("the file that is written is a device that can be run, and each of its values has a source") {
  const TemporaryFolder folder;
  write_probe_tables(device_of_text(kHopper, kModels), "cc-9.0", {0, 1, 0, 1}, folder.path() / "logs");
  const Probed made = probed(folder.path() / "logs", kModels);
  REQUIRE(made.problems.empty());
  const std::string file = folder.write("mine.yaml", made.model.yaml);
  const DeviceSpec read = device_of_text(file, kModels);
  CHECK(read.cores == 10);
  CHECK(read.dispatch.placement == "most_room");
  REQUIRE(read.dispatch.recovery);
  CHECK(to_text(read.dispatch.recovery->amount) == "515");
  for (const ProbedValue& value : made.model.values) {
    if (value.value.empty()) continue;
    INFO(value.path);
    CHECK(std::any_of(read.sources.begin(), read.sources.end(), [&](const auto& source) {
      return source.first == value.path && source.second.text.find(value.how) != std::string::npos;
    }));
  }
}

TEST_CASE("the same tables give the same bytes with any number of jobs") {
  const OddDevice odd;
  const Probed one = probed(odd.logs(), odd.models, "", {1});
  const Probed three = probed(odd.logs(), odd.models, "", {3});
  REQUIRE(one.problems.empty());
  CHECK(one.model.runs.size() > 4);
  CHECK(one.model.yaml == three.model.yaml);
  CHECK(probe_model_text(one.model) == probe_model_text(three.model));
}

TEST_CASE("of tables that are missing, what they would have shown is the family's, and the file says so") {
  const TemporaryFolder folder;
  write_probe_tables(device_of_text(kHopper, kModels), "cc-9.0", {0, 1, 0, 1}, folder.path() / "all");
  std::filesystem::create_directory(folder.path() / "logs");
  for (const char* kept : {"barrier.barrier.csv", "gaps.launches.csv", "gaps.blocks.csv"})
    std::filesystem::copy(folder.path() / "all" / kept, folder.path() / "logs" / kept);
  const Probed made = probed(folder.path() / "logs", kModels);
  INFO(made.problems << made.model.yaml);
  REQUIRE(made.problems.empty());
  CHECK(made.is_measured("barrier_cost.base"));
  CHECK(made.is_measured("launch_cost.serial"));
  for (const char* path : {"work_groups_per_core", "dispatch.placement", "dispatch.interval", "dispatch.recovery",
                           "launch_cost.overlapping", "memory.levels.L2.latency", "memory.levels.DRAM.bandwidth",
                           "slm_access.latency", "atomics.global"}) {
    INFO(path);
    CHECK(made.at(path).origin == ValueOrigin::family);
    CHECK_THAT(made.model.yaml, Contains(std::string("# Not measured: ") + path + ": "));
  }
  CHECK(made.model.runs.empty());
  CHECK(comparison_sentence(made.model) == "No run of the probe could be simulated.");
}

TEST_CASE("a product is no family, and without a clock no cycles can be counted") {
  const TemporaryFolder folder;
  write_probe_tables(device_of_text(kHopper, kModels), "cc-9.0", {0, 1, 0, 1}, folder.path() / "logs");
  CHECK_THAT(probed(folder.path() / "logs", kModels, "h100-sxm").problems,
             Contains("'h100-sxm' is a product; name its family"));
  for (const auto& entry : std::filesystem::directory_iterator(folder.path() / "logs")) {
    std::string text = read_file(entry.path());
    const std::string key = "# core_clock_MHz_measured: ";
    const std::size_t at = text.find(key) + key.size();
    text.replace(at, text.find('\n', at) - at, "0.000");
    folder.write("logs/" + entry.path().filename().string(), text);
  }
  CHECK_THAT(probed(folder.path() / "logs", kModels).problems, Contains("no table states a core clock above 0"));
}
