#include "support/builders.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"

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
             Catch::Contains("is ambiguous, 4 models fit") && Catch::Contains("rtx-3090"));
}

TEST_CASE("a name that is only near to one model's is unknown, and the message names that one") {
  CHECK_THAT(problem_with("a100-80g", {source_path("models")}),
             Catch::Contains("unknown model 'a100-80g'; did you mean 'a100-80gb'?") && !Catch::Contains("ambiguous"));
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
