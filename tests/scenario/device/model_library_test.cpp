#include "support/builders.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"

#include <gdsim/device/core_blocks.hpp>
#include <gdsim/scenario/device/model_library.hpp>

#include <catch2/catch.hpp>

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// Why `name` is no model of the folders, where it stands in no file.
std::string problem_with(const std::string& name, std::vector<std::filesystem::path> folders) {
  SourceFiles sources;
  const ModelLibrary models(std::move(folders), sources);
  Diagnostics problems;
  YamlNode reference;
  reference.text = name;
  CHECK_FALSE(models.locate(reference, "device", "/", ValueReader(problems)).has_value());
  REQUIRE(problems.size() == 1);
  return problems.problems().front().message;
}

}  // namespace

TEST_CASE("a name that fits to several models is ambiguous, and the message names them with one to paste") {
  for (const std::string name : {"a100", "NVIDIA A100"}) {
    const std::string problem = problem_with(name, {source_path("models")});
    CHECK_THAT(problem, Catch::Contains("'" + name + "' is ambiguous") &&
                            Catch::Contains("'a100-40gb' or 'a100-80gb'") && Catch::Contains("`--device a100-40gb`") &&
                            !Catch::Contains("unknown"));
  }
  CHECK_THAT(problem_with("rtx 30", {source_path("models")}),
             Catch::Contains("is ambiguous, 6 models fit") && Catch::Contains("rtx-3090"));
}

TEST_CASE("a name that is only near to one model's is unknown, and the message names that one") {
  CHECK_THAT(problem_with("a100-80g", {source_path("models")}),
             Catch::Contains("unknown model 'a100-80g'; did you mean 'a100-80gb'?") && !Catch::Contains("ambiguous"));
}

TEST_CASE("a product without a model is answered with its family and number of cores, and the nearest products") {
  const std::string problem = problem_with("NVIDIA GeForce RTX 4090 Laptop GPU", {source_path("models")});
  CHECK_THAT(problem, Catch::Contains("has 76 cores of the family cc-8.9") &&
                          Catch::Contains("write `device: {base: cc-8.9, cores: 76}`") &&
                          Catch::Contains("nearest products are rtx-4080 (76 cores), rtx-4080-super (80 cores)"));
  CHECK_THAT(problem_with("cc-12.2", {source_path("models")}),
             Catch::Contains("did you mean 'cc-12.1' or 'cc-12.0'?") &&
                 Catch::Contains("`device: {base: cc-12.1, cores: 48}`"));
  CHECK_THAT(problem_with("rtx-4065", {source_path("models")}),
             Catch::Contains("'rtx-4060'") && Catch::Contains("`device: {base: cc-8.9, cores: 24}`"));
}

namespace {

/// The file that `name` means in a folder with `files`, or the problem.
std::string meant_in(const TemporaryFolder& folder, const std::string& name) {
  SourceFiles sources;
  const ModelLibrary models({source_path("models")}, sources);
  Diagnostics problems;
  YamlNode reference;
  reference.text = name;
  reference.style = YamlNode::Style::quoted;
  const auto file = models.locate(reference, "device", folder.path(), ValueReader(problems));
  if (!file) return problems.problems().front().message;
  return file->parent_path() == folder.path() ? "the file " + file->filename().string() : file->stem().string();
}

}  // namespace

TEST_CASE("a device file of the working folder answers for its own name, and not silently for a model's") {
  const TemporaryFolder folder;
  folder.write("mine.yaml", "device: mine\nbase: t4\n");
  folder.write("t4.yaml", "device: t4\nbase: tiny\n");
  folder.write("4090.yaml", "device: x\nbase: tiny\n");
  folder.write("a40.yaml", "scenario: s\ndevice: a40\nkernels: {}\nlaunches: []\n");
  CHECK(meant_in(folder, "mine") == "the file mine.yaml");
  CHECK(meant_in(folder, "./t4.yaml") == "the file t4.yaml");
  CHECK_THAT(meant_in(folder, "t4"), Catch::Contains("'t4' is the model t4, and a file of this name lies beside") &&
                                         Catch::Contains("`--device ./t4.yaml`") && Catch::Contains("rename the file"));
  CHECK_THAT(meant_in(folder, "4090"), Catch::Contains("is the model rtx-4090") &&
                                           Catch::Contains("`--device ./4090.yaml`") &&
                                           Catch::Contains("`--device rtx-4090`"));
  CHECK(meant_in(folder, "a40") == "a40");  // the file is a scenario
  CHECK(meant_in(folder, "rtx-4090") == "rtx-4090");
}

TEST_CASE("a device file may be called as its base is") {
  const TemporaryFolder folder;
  const std::string file = folder.write("t4.yaml", "device: t4\nbase: t4\ncores: 3\n");
  const ReadText read = read_text("scenario: s\ndevice: " + file +
                                  "\nkernels: {k: {global: 32, local: 32, sub_group: 32, program: [{compute: 1 us}]}}\n"
                                  "launches: [{kernel: k}]\n");
  REQUIRE(read.problems.empty());
  CHECK(read.scenario().device.cores == 3);
  CHECK(read.scenario().device.clock.has_value());
}

namespace {

/// The sizes of the outermost groups of a device, or the problem.
std::string groups_of(const std::string& device) {
  const ReadText read = read_text("scenario: s\ndevice: " + device +
                                  "\nkernels: {k: {global: 32, local: 32, sub_group: 32, program: [{compute: 1 us}]}}\n"
                                  "launches: [{kernel: k}]\n");
  if (!read.problems.empty()) return read.problems;
  const DeviceSpec& spec = read.scenario().device;
  std::string sizes;
  for (const CoreGroupLevel& level : spec.core_groups) {
    sizes += (sizes.empty() ? "" : "; ") + level.name + ":";
    const auto groups = groups_of_level(spec, level.name);
    for (const CoreBlock& group : *groups) sizes += " " + std::to_string(group.last - group.first);
  }
  return sizes;
}

}  // namespace

TEST_CASE("fewer cores than a model has are the first, in its groups") {
  for (const auto& [device, sizes] : std::vector<std::pair<std::string, std::string>>{
           {"{base: arc-a770, cores: 1}", "slice: 1"},
           {"{base: arc-a770, cores: 6}", "slice: 4 2"},
           {"{base: arc-a770, cores: 8}", "slice: 4 4"},
           {"{base: arc-a770, cores: 31}", "slice: 4 4 4 4 4 4 4 3"},
           {"{base: arc-a770, cores: 40}", "slice: 5 5 5 5 5 5 5 5"},
           {"{base: arc-a770, cores: 6, core_groups: [{name: slice, count: 3}]}", "slice: 2 2 2"},
           {"{base: rx-7900-xtx, cores: 1}", "shader engine: 1"},
           {"{base: xe2-lpg-lnl, cores: 1}", "slice: 1"},
           {"{base: rx-9060-xt, cores: 1}", "shader engine: 1"},
           {"{base: h100-sxm, cores: 66}", "gpc: 16 18 18 14"},
           {"{base: mi300x, cores: 8, sub_group_sizes: [32]}", "XCD: 1 1 1 1 1 1 1 1"},
           {"{base: mi300x, cores: 3, sub_group_sizes: [32]}", "XCD: 3"},
           {"arc-b570", "slice: 4 4 4 4 2"}}) {
    INFO(device);
    CHECK(groups_of(device) == sizes);
  }
}

TEST_CASE("groups within the only group that is left are cut, too, and within one of several that is cut are refused") {
  const TemporaryFolder folder;
  const std::string base = folder.write("two.yaml",
                                        "device: two\nbase: tiny\ncores: 24\nsub_group_sizes: [32]\n"
                                        "core_groups: [{name: die, count: 2}, {name: slice, count: 3}]\n");
  CHECK(groups_of("{base: " + base + ", cores: 12}") == "die: 12; slice: 4 4 4");
  CHECK(groups_of("{base: " + base + ", cores: 6}") == "die: 6; slice: 4 2");
  CHECK_THAT(groups_of("{base: " + base + ", cores: 18}"),
             Catch::Contains("is 18, which cuts a die of 12 cores that has groups within; give `core_groups`, or 12"));
}

TEST_CASE("an ambiguous name in a file is answered with a line of that file") {
  const ReadText read = read_text(
      "scenario: s\ndevice: NVIDIA A100\nkernels: {k: {global: 32, local: 32, sub_group: 32, program: [{compute: 1 "
      "us}]}}\n"
      "launches: [{kernel: k}]\n");
  CHECK_THAT(read.problems,
             Catch::Contains("2:9: device: 'NVIDIA A100' is ambiguous") && Catch::Contains("`device: a100-40gb`"));
  const ReadText base = read_text(
      "scenario: s\ndevice: {base: a100, cores: 2}\n"
      "kernels: {k: {global: 32, local: 32, sub_group: 32, program: [{compute: 1 us}]}}\nlaunches: [{kernel: k}]\n");
  CHECK_THAT(base.problems, Catch::Contains("base: 'a100' is ambiguous") && Catch::Contains("`base: a100-40gb`"));
}

TEST_CASE("where no folder has a model, that is said, and where was looked") {
  const TemporaryFolder folder;
  const std::string problem = problem_with("a100-80gb", {"/none/such", folder.path()});
  CHECK_THAT(problem, Catch::Contains("no folder with models was found") &&
                          Catch::Contains("/none/such (no such folder)") &&
                          Catch::Contains(folder.path().string() + " (no model in it)") &&
                          Catch::Contains("`--models DIR`") && !Catch::Contains("unknown"));
  CHECK_THAT(problem_with("tiny", {}), Catch::Contains("looked in none"));
}

TEST_CASE(
    "a device whose stacks share each launch keeps their size: another number of cores needs to say how many stacks") {
  const auto problems = [](const std::string& device) {
    return read_text("scenario: s\ndevice: " + device +
                     "\nkernels: {k: {global: 32, local: 32, sub_group: 32, program: [{compute: 1 us}]}}\n"
                     "launches: [{kernel: k}]\n")
        .problems;
  };
  const std::string smaller = "{base: max-1550, cores: 64, core_groups: [{name: stack, count: 2}]}";
  CHECK_THAT(problems("{base: max-1550, cores: 64}"),
             Catch::Contains("2:33: device: cores: is 64, and max-1550 has 2 stacks of 64 cores each") &&
                 Catch::Contains("for one stack: `device: max-1550-stack`") &&
                 Catch::Contains("`device: " + smaller + "`"));
  for (const std::string& device : {smaller, std::string("max-1550-stack"), std::string("{base: max-1550, cores: 128}"),
                                    std::string("{base: max-1550-stack, cores: 16}"),
                                    std::string("{base: mi300x, cores: 8, sub_group_sizes: [32]}")})
    CHECK(problems(device).empty());
}

TEST_CASE("one stack of a Max 1550 has half of its cores and no parts, and each of its memories as a stack has it") {
  const auto read = [](const std::string& device) {
    return read_text("scenario: s\ndevice: " + device +
                     "\nkernels: {k: {global: 32, local: 32, sub_group: 32, program: [{compute: 1 us}]}}\n"
                     "launches: [{kernel: k}]\n")
        .scenario();
  };
  const Scenario whole = read("max-1550");
  const Scenario stack = read("max-1550-stack");
  CHECK(stack.device.cores * 2 == whole.device.cores);
  CHECK_FALSE(stack.device.dispatch.partition.has_value());
  REQUIRE(stack.device.memory.has_value());
  REQUIRE(stack.device.memory->levels.size() == whole.device.memory->levels.size());
  for (std::size_t i = 0; i < stack.device.memory->levels.size(); ++i) {
    const MemoryLevel& one = stack.device.memory->levels[i];
    const MemoryLevel& of_two = whole.device.memory->levels[i];
    CHECK(one.name == of_two.name);
    CHECK(one.bandwidth == of_two.bandwidth);
    CHECK(one.capacity == of_two.capacity);
    CHECK(one.scope != of_two.scope);
  }
}
