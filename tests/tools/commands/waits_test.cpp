#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

// Why launches wait, and for how long: `waited_ns` of the summary.

using namespace gdsim::testing;

namespace {

/// `waited_ns` of each launch, by its name.
nlohmann::json waits_of(const std::string& scenario) {
  const TemporaryFolder folder;
  const Ran ran = run_gdsim({"run", folder.write("scenario.yaml", scenario), "--print", "summary"});
  REQUIRE(ran.status == 0);
  nlohmann::json waits;
  const auto summary = nlohmann::json::parse(ran.out);
  for (const auto& launch : summary["launches"]) waits[launch["launch"].get<std::string>()] = launch["waited_ns"];
  return waits;
}

const std::string kKernels =
    "scenario: Waits\ndevice: tiny\ndispatch: {kernel_choice: skip_blocked}\nkernels:\n"
    "  full: {global: 64, local: 64, sub_group: 8, program: [compute: 10 us]}\n"
    "  short: {global: 192, local: 64, sub_group: 8, program: [compute: 1 us]}\n"
    "  memory: {global: 16, local: 8, sub_group: 8, slm: 4 KiB, program: [compute: 10 us]}\n"
    "  one: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
    "  slots: {global: 32, local: 8, sub_group: 8, program: [compute: 10 us]}\n"
    "launches:\n";

}  // namespace

TEST_CASE("a launch bound to a full core waits for its contexts, though another core changes meanwhile") {
  const auto waits = waits_of(kKernels +
                              "  - {kernel: full, cores: 1}\n"
                              "  - {kernel: short, cores: 0}\n"
                              "  - {kernel: one, cores: 1}\n");
  CHECK(waits["full"].empty());
  CHECK(waits["short"] == nlohmann::json({{"contexts", 2'000.0}}));  // behind its own work-groups
  CHECK(waits["one"] == nlohmann::json({{"contexts", 10'000.0}}));   // not what core 0 was short of
}

TEST_CASE("a launch bound to a core waits for what that core is short of: SLM here, slots there") {
  const auto waits = waits_of(kKernels +
                              "  - {kernel: memory, cores: 0}\n"
                              "  - {kernel: slots, cores: 1}\n"
                              "  - {kernel: memory, name: more_memory, cores: 0}\n"
                              "  - {kernel: one, cores: 1}\n");
  CHECK(waits["more_memory"] == nlohmann::json({{"slm", 10'000.0}}));
  CHECK(waits["one"] == nlohmann::json({{"work_group_slots", 10'000.0}}));
}
