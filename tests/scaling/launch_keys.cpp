#include "scaling/scenario_text.hpp"

namespace gdsim::scaling {
namespace {

const char* const kSkip = "kernel_choice: skip_blocked";
const char* const kInTurn = "kernel_choice: round_robin";
const char* const kHead = "kernel_choice: head_only";
const char* const kLognormal = "{distribution: lognormal, cv: 0.2}";
const char* const kPerThread = "{distribution: lognormal, cv: 0.2, per: thread}";

/// Every kernel choice, queue and draw, and some devices. a100-80gb chooses by priority.
std::vector<Rules> many_rules() {
  return {{"a100-80gb", "", "", ""},        {"a100-80gb", "", "", "out_of_order"}, {"a100-80gb", "", "", "in_order"},
          {"a100-80gb", "", "none", ""},    {"a100-80gb", kSkip, "", ""},          {"a100-80gb", kInTurn, "", ""},
          {"a100-80gb", kHead, "", ""},     {"a100-80gb", kInTurn, "none", ""},    {"a100-80gb", "", kPerThread, ""},
          {"mi300x", "", "", ""},           {"mi300x", kSkip, kLognormal, ""},     {"arc-a770", "", "", "out_of_order"},
          {"arc-a770", kInTurn, "none", ""}};
}

/// Launches of one kernel that have nothing to do with each other.
WriteScenario launches_of(const std::string& program) {
  return [program](const Rules& rules, std::uint64_t count) {
    ScenarioText text(rules);
    text.kernel("k", 2, program);
    for (std::uint64_t i = 0; i < count; ++i) text.launch("kernel: k");
    return text.text();
  };
}

/// On a device with these keys.
WriteScenario kernels_alike(const std::string& device) {
  return [device](const Rules& rules, std::uint64_t count) {
    ScenarioText text(rules);
    text.device(device);
    for (std::uint64_t i = 0; i < count; ++i) {
      text.kernel(numbered("k", i), 2, "compute: " + std::to_string(1000 + i * 37 % 991) + " ns");
      text.launch(numbered("kernel: k", i));
    }
    return text.text();
  };
}

/// They compete for SLM, with so many different requests.
WriteScenario kernels_that_compete(const std::string& device, std::uint64_t requests) {
  return [device, requests](const Rules& rules, std::uint64_t count) {
    ScenarioText text(rules);
    text.device(device);
    for (std::uint64_t i = 0; i < count; ++i) {
      text.kernel(numbered("k", i), 8, "compute: " + std::to_string(1000 + i * 37 % 991) + " ns",
                  "slm: " + std::to_string(256 * (1 + i % requests)) + " B");
      text.launch(numbered("kernel: k", i));
    }
    return text.text();
  };
}

std::string queues(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.kernel("k", 2, "memory: 1 KiB, compute: 1 us");
  for (std::uint64_t i = 0; i < count; ++i) text.queue(numbered("q", i), "order: in_order");
  for (std::uint64_t i = 0; i < 4 * count; ++i) text.launch("kernel: k, queue: q" + std::to_string(i % count));
  return text.text();
}

/// A queue for each core, each with its launches.
std::string sub_devices(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.device("cores: " + std::to_string(count));
  text.kernel("k", 2, "compute: 1 us");
  for (std::uint64_t i = 0; i < count; ++i)
    text.queue(numbered("q", i), "order: in_order, cores: " + std::to_string(i));
  for (std::uint64_t i = 0; i < 8 * count; ++i) text.launch("kernel: k, queue: q" + std::to_string(i % count));
  return text.text();
}

std::string priorities(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.kernel("k", 2, "compute: 1 us");
  for (std::uint64_t i = 0; i < count; ++i)
    text.launch("kernel: k, priority: " + std::to_string(i * 7919 % count % 1000));
  return text.text();
}

WriteScenario children(const std::string& keys) {
  return [keys](const Rules& rules, std::uint64_t count) {
    ScenarioText text(rules);
    text.device("cores: 108");  // as many contexts as parents that wait need, and more
    text.kernel("outer", count, "compute: 1 us, launch: {kernel: inner" + keys + "}, compute: 1 us");
    text.kernel("inner", 1, "compute: 2 us");
    text.launch("kernel: outer");
    return text.text();
  };
}

std::string child_steps(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.kernel("outer", 2, repeated("launch: {kernel: inner}", count) + ", compute: 1 us");
  text.kernel("inner", 1, "compute: 2 us");
  text.launch("kernel: outer");
  return text.text();
}

}  // namespace

std::vector<Key> launch_keys() {
  std::vector<Rules> computing = many_rules();
  computing.push_back({"tiny", "", "", ""});
  computing.push_back({"tiny", kInTurn, kPerThread, ""});
  // Where dispatchers take time for a work-group, as those of a100-80gb do, a dispatch turn evaluates every waiting
  // launch, and for every kernel finds why contexts stay free.
  const std::vector<Rules> choices{{"a100-80gb", "", "", ""},
                                   {"a100-80gb", kSkip, "", "", Growth::pairs},
                                   {"a100-80gb", kInTurn, "", "", Growth::pairs},
                                   {"a100-80gb", kHead, "", ""},
                                   {"arc-a770", kSkip, kLognormal, ""},
                                   {"arc-a770", kInTurn, "none", ""}};
  // Dealt out to parts of the device.
  const std::vector<Rules> parts{
      {"mi300x", kSkip, kLognormal, ""}, {"mi300x", kInTurn, "", ""}, {"mi300x", "", "", ""}};
  const std::vector<Rules> in_parallel{
      {"a100-80gb", kSkip, "", ""}, {"a100-80gb", kInTurn, "", ""}, {"arc-a770", kSkip, kLognormal, ""}};
  const std::vector<Rules> parents{{"a100-80gb", "", "", ""},
                                   {"a100-80gb", kSkip, "", ""},
                                   {"a100-80gb", kInTurn, kLognormal, "", Growth::pairs},
                                   {"arc-a770", "", "", ""}};
  const std::vector<std::string> run{"run", "-"};
  return {
      {"launches that read", 500, launches_of("memory: 1 KiB"), many_rules()},
      {"launches that read and compute", 500, launches_of("memory: 384 B, compute: 2000 cycles"), many_rules()},
      {"launches that compute", 500, launches_of("compute: 2 us"), computing},
      {"launches of loops", 100, launches_of("loop: {count: 20, body: [issue: 100 cycles, barrier]}"), choices},
      {"kernels", 500, kernels_alike(""), choices},
      {"kernels that compete", 200, kernels_that_compete("", 100), choices},
      // On a device in parts, and where queues have cores of their own, a turn asks every launch that waits: what was
      // released may be enough for one and not for another.
      {"kernels on parts", 40, kernels_alike("cores: 8"), parts, run, 1, Growth::pairs},
      {"kernels that compete for parts", 80, kernels_that_compete("cores: 8", 20), parts, run, 1, Growth::pairs},
      {"queues", 100, queues, choices},
      {"sub-devices", 32, sub_devices, in_parallel, run, 8, Growth::pairs},
      {"priorities", 500, priorities, {{"a100-80gb", "", "", ""}, {"a100-80gb", "", kPerThread, ""}}},
      {"children", 300, children(""), parents},
      {"children that are waited for", 300, children(", wait: true"), parents},
      {"child steps", 400, child_steps, parents},
  };
}

}  // namespace gdsim::scaling
