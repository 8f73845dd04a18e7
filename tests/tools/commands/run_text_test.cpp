#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

using namespace gdsim::testing;

// What a person reads of a run names a few of many things and counts the others.

namespace {

std::string run_of(const std::string& kernels, const std::string& launches) {
  const TemporaryFolder folder;
  const Ran ran = run_gdsim(
      {"run", folder.write("s.yaml", "scenario: S\ndevice: tiny\nkernels:\n" + kernels + "launches:\n" + launches)});
  CHECK(ran.status == 0);
  return ran.out;
}

/// The line that begins with this, without it; empty if there is none.
std::string behind(const std::string& text, const std::string& begin) {
  const std::size_t at = ("\n" + text).find("\n" + begin);
  if (at == std::string::npos) return {};
  return text.substr(at + begin.size(), text.find('\n', at) - at - begin.size());
}

}  // namespace

TEST_CASE("up to four kernels that differ by default are named, of more the rest is counted") {
  const std::vector<std::string> expected{
      "k1", "k1, k2", "k1, k2, k3", "k1, k2, k3, k4", "k1, k2, k3, k4 and 1 more", "k1, k2, k3, k4 and 2 more"};
  std::string kernels = "  plain: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n";
  std::string launches = "  - kernel: plain\n";
  CHECK(behind(run_of(kernels, launches), "The durations of work-groups of ").empty());
  for (std::size_t count = 1; count <= expected.size(); ++count) {
    const std::string name = "k" + std::to_string(count);
    kernels += "  " + name + ": {global: 8, local: 8, sub_group: 8, program: [issue: 1 us]}\n";
    launches += "  - kernel: " + name + "\n";
    CHECK_THAT(behind(run_of(kernels, launches), "The durations of work-groups of "),
               Catch::StartsWith(expected[count - 1] + " vary by default (uniform, cv 0.005)"));
  }
}

TEST_CASE("a critical path of up to eight launches is written out, of a longer one the number is said") {
  std::string path;
  std::string launches;
  for (int count = 1; count <= 10; ++count) {
    const std::string name = "l" + std::to_string(count);
    launches +=
        "  - {kernel: k, name: " + name + (count > 1 ? ", after: [l" + std::to_string(count - 1) + "]" : "") + "}\n";
    if (count <= 8) path += (path.empty() ? "" : " -> ") + name;
    const std::string text = run_of("  k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n", launches);
    if (count == 1) {
      CHECK(text.find("critical path") == std::string::npos);
    } else {
      CHECK(behind(text, "critical path of " + std::to_string(count) + " launches: ") ==
            path + (count > 8 ? " -> ... (" + std::to_string(count) + " in all)" : ""));
    }
  }
}

TEST_CASE("a run of many launches shows twelve phases, and says how many more there are") {
  // Launches of 8 work-groups and of 1 in turn.
  std::string launches;
  for (int count = 1; count <= 15; ++count) {
    launches += "  - {kernel: " + std::string(count % 2 == 0 ? "one" : "eight") + ", name: l" + std::to_string(count) +
                (count > 1 ? ", after: [l" + std::to_string(count - 1) + "]" : "") + "}\n";
    const std::string text = run_of(
        "  eight: {global: 64, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
        "  one: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n",
        launches);
    const int shown = count <= 8 ? count : std::min(count, 12);
    CHECK(text.find("\n" + std::string(shown < 10 ? "    " : "   ") + std::to_string(shown) + "  ") !=
          std::string::npos);
    CHECK(text.find("\n" + std::string(shown + 1 < 10 ? "    " : "   ") + std::to_string(shown + 1) + "  ") ==
          std::string::npos);
    CHECK(behind(text, "  ... and ") ==
          (count > shown ? std::to_string(count - shown) + " more; `--print phases` shows all" : ""));
  }
}

TEST_CASE("up to forty kernels have a row each, of more the rest is counted") {
  std::string kernels;
  std::string launches;
  for (int count = 1; count <= 42; ++count) {
    const std::string name = "kernel" + std::to_string(count);
    kernels += "  " + name + ": {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n";
    launches += "  - kernel: " + name + "\n";
    if (count < 39) continue;
    const std::string text = run_of(kernels, launches);
    for (int i = 1; i <= count; ++i)
      CHECK((text.find("\nkernel" + std::to_string(i) + "  ") != std::string::npos) == (i <= 40));
    CHECK(behind(text, "  ... and ") ==
          (count > 40 ? std::to_string(count - 40) + " more; `--print launches` shows all" : ""));
  }
}

TEST_CASE("equal work-groups that stall are one entry, however many they are") {
  const TemporaryFolder folder;
  for (const int count : {19, 22}) {
    const std::string file = folder.write(
        "s.yaml", "scenario: S\ndevice: a100-80gb\nkernels:\n  k: {global: " + std::to_string(32 * count) +
                      ", local: 32, sub_group: 32, program: [compute: 1 us, wait: never]}\nlaunches: [kernel: k]\n");
    const Ran ran = run_gdsim({"run", file});
    CHECK(ran.status == 3);
    CHECK_THAT(ran.out,
               Catch::Contains("\n  blocks 0 to " + std::to_string(count - 1) + " of k on SMs 0, 2, 4, 6, 8 and " +
                               std::to_string(count - 5) + " more: of each, 1 of 1 warps wait for 'never'"));
  }
}

TEST_CASE("a run counts in the singular and in the plural") {
  const auto heading = [](const std::string& global, const std::string& local) {
    return run_of("  k: {global: " + global + ", local: " + local + ", sub_group: 8, program: [compute: 1 us]}\n",
                  "  - kernel: k\n");
  };
  CHECK_THAT(heading("8", "8"), Catch::Contains("\ncompleted after 1 us: 1 work-group, 1 thread (a sub-group)\n"));
  CHECK_THAT(heading("16", "16"), Catch::Contains("\ncompleted after 1 us: 1 work-group, 2 threads (sub-groups)\n"));
  CHECK_THAT(heading("16", "8"), Catch::Contains("\ncompleted after 1 us: 2 work-groups, 2 threads (sub-groups)\n"));
}

TEST_CASE("runs of more than eight launches begin with a table of their kernels") {
  std::string launches;
  for (int count = 1; count <= 9; ++count) {
    launches += "  - {kernel: k, name: l" + std::to_string(count) + "}\n";
    const std::string text = run_of("  k: {global: 8, local: 8, sub_group: 8, program: [compute: 1 us]}\n", launches);
    INFO(text);
    CHECK((("\n" + text).find("\nkernel ") != std::string::npos) == (count == 9));
  }
}
