#include "support/builders.hpp"
#include "support/scenarios.hpp"
#include "support/temporary_folder.hpp"

#include <gdsim/device/device_rules.hpp>

#include <catch2/catch.hpp>

#include <filesystem>
#include <string>
#include <vector>

// A device has something, has it not, or its model does not know. What is not known is refused, but never as a fact,
// and with the line that decides it.

using namespace gdsim;
using namespace gdsim::testing;

namespace {

/// A capability, and a scenario's part that needs it.
struct Asked {
  std::string key;
  std::string kernel;    ///< keys of the kernel
  std::string launches;  ///< behind the kernel's launch
  std::string value;     ///< that decides it, in a device
};

const std::string kProgram = "program: [{compute: 1 us}]";

std::vector<Asked> all_asked() {
  const auto program = [](const std::string& step) { return "program: [" + step + "]"; };
  std::vector<Asked> all{
      {"clusters", "cluster: 2, " + kProgram, "",
       "core_groups: [{name: gpc, count: 1}], clusters: {within: gpc, max: 8}"},
      {"clusters.preferred", "cluster: {size: 2, preferred: 4}, " + kProgram, "",
       "core_groups: [{name: gpc, count: 1}], clusters: {within: gpc, max: 8, preferred: true}"},
      {"large_grf", "large_grf: true, " + kProgram, "", "large_grf: {contexts_per_thread: 2}"},
      {"copy", kProgram, ", {copy: {bytes: 1 MiB, direction: host_to_device}}", "copy: {bandwidth: 25 GB/s}"},
      {"l1", program("{issue: {fp32: 1, l1: 4}}"), "", "l1: {lines_per_cycle: 1}"},
      {"slm_access", program("{slm: {accesses: 1}}"), "", "slm_access: {banks: 32, bank_width: 4 B}"},
      {"memory", program("{memory: 1 KiB}"), "", "memory: {levels: [{name: DRAM, bandwidth: 1 TB/s, latency: 1 us}]}"},
      {"atomics.slm", program("{atomic: {accesses: 1, addresses: 1, space: slm}}"), "",
       "atomics: {slm: 1}, slm_access: {banks: 32}"},
      {"atomics.global", program("{atomic: {accesses: 1, addresses: 1, space: global}}"), "",
       "atomics: {global: 1}, memory: {levels: [{name: DRAM, bandwidth: 1 TB/s, latency: 1 us}]}"}};
  for (const char* kind : {"fp32", "fp64", "fp16", "int32", "sfu", "load_store", "tensor_fp16", "tensor_fp4"})
    all.push_back({std::string("arithmetic.") + kind, program("{issue: {" + std::string(kind) + ": 64}}"), "",
                   "arithmetic: {" + std::string(kind) + ": 16}"});
  return all;
}

/// What is wrong with the scenario on this device; `more` are further keys of the device.
std::string problems_on(const std::string& device, std::uint32_t sub_group, const std::string& more,
                        const Asked& asked) {
  return read_text("scenario: s\ndevice: {base: " + device + ", clock: 1 GHz, cores: 16" + (more.empty() ? "" : ", ") +
                   more + "}\nkernels:\n  k: {global: " + std::to_string(sub_group * 8) +
                   ", local: " + std::to_string(sub_group) + ", sub_group: " + std::to_string(sub_group) + ", " +
                   asked.kernel + "}\nlaunches: [{kernel: k}" + asked.launches + "]\ndispatch: {admission: whole}\n")
      .problems;
}

/// The smallest sub-group of a family.
std::uint32_t sub_group_of(const std::string& family) {
  const ReadText read = read_text("scenario: s\ndevice: {base: " + family +
                                  "}\nkernels: {k: {global: 64, local: 64, sub_group: auto, program: placeholder}}\n"
                                  "launches: [{kernel: k}]\n");
  INFO(family << ": " << read.problems);
  REQUIRE(read.problems.empty());
  return read.scenario().device.sub_group_sizes.front();
}

std::vector<std::string> families() {
  std::vector<std::string> names;
  for (const auto& file : std::filesystem::recursive_directory_iterator(source_path("models")))
    if (file.path().extension() == ".yaml" &&
        read_file(file.path().string()).find("\nkind: family\n") != std::string::npos)
      names.push_back(file.path().stem().string());
  return names;
}

std::size_t first_of(const std::string& text, const std::string& part) { return text.find(part); }

}  // namespace

TEST_CASE("each family has a capability, says that it has none, or says that it does not know and what decides it",
          "[figures]") {
  CHECK(families().size() > 30);
  for (const std::string& family : families()) {
    const std::uint32_t lanes = sub_group_of(family);
    for (const Asked& asked : all_asked()) {
      const std::string found = problems_on(family, lanes, "", asked);
      INFO(family << ", " << asked.key << ": " << found);
      if (found.empty()) continue;
      const bool is_known = first_of(found, "says its model (`") != std::string::npos;
      const bool is_unsaid = first_of(found, "does not say") != std::string::npos;
      CHECK(is_known != is_unsaid);
      if (is_unsaid)
        CHECK((first_of(found, "`device: {base: ") != std::string::npos ||
               first_of(found, "as in `") != std::string::npos));
    }
  }
}

TEST_CASE("the line that decides what is not known is accepted, and `none` makes it a fact") {
  for (const Asked& asked : all_asked()) {
    INFO(asked.key);
    // Of Gen9 little is known, and all of this may be said of it.
    CHECK(problems_on("gen9", 16, asked.value, asked).empty());
    const std::size_t dot = asked.key.find('.');
    const std::string none = dot == std::string::npos
                                 ? asked.key + ": none"
                                 : asked.key.substr(0, dot) + ": {" + asked.key.substr(dot + 1) + ": none}";
    const std::string unknown = none.substr(0, none.find("none")) + "unknown" + none.substr(none.find("none") + 4);
    if (asked.key == "clusters.preferred") continue;  // it stands beside other keys of `clusters`
    CHECK_THAT(problems_on("gen9", 16, none, asked), Catch::Contains("says its model (`"));
    CHECK_THAT(problems_on("gen9", 16, unknown, asked), Catch::Contains("does not say"));
  }
}

TEST_CASE("what a product has replaces the `none` of its root, and `unknown` takes a value away") {
  const Asked clusters = all_asked().front();
  CHECK_THAT(problems_on("cc-8.0", 32, "", clusters), Catch::Contains("cc-8.0 has no clusters, says its model"));
  CHECK_THAT(problems_on("cc-8.0", 32, "clusters: unknown", clusters),
             Catch::Contains("the model of cc-8.0 does not say whether it has clusters: `device: {base: cc-8.0, "
                             "clusters: {within: gpc, max: 8}}` does"));
  CHECK(problems_on("cc-8.0", 32, clusters.value, clusters).empty());
  CHECK_THAT(problems_on("cc-9.0", 32, "clusters: none", clusters), Catch::Contains("cc-9.0 has no clusters"));
  CHECK(problems_on("cc-9.0", 32, "", clusters).empty());
}

TEST_CASE("other words than none and unknown are refused") {
  CHECK_THAT(problems_on("cc-9.0", 32, "clusters: maybe", all_asked().front()), Catch::Contains("clusters"));
  CHECK_THAT(problems_on("cc-9.0", 32, "copy: no", all_asked()[3]), Catch::Contains("copy"));
}
