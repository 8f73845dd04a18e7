#include "scaling/scenario_text.hpp"

namespace gdsim::scaling {
namespace {

/// Each launch has a name and these keys, which may depend on its number.
WriteScenario launches_with(std::function<std::string(std::uint64_t number)> keys) {
  return [keys](const Rules& rules, std::uint64_t count) {
    ScenarioText text(rules);
    text.kernel("k", 2, "compute: 1 us");
    for (std::uint64_t i = 0; i < count; ++i) text.launch("kernel: k, name: l" + std::to_string(i) + keys(i));
    return text.text();
  };
}

std::string after_one_before(std::uint64_t number) {
  return number == 0 ? "" : ", after: [l" + std::to_string(number - 1) + "]";
}

std::string after_four_before(std::uint64_t number) {
  std::string names;
  for (std::uint64_t i = number < 4 ? 0 : number - 4; i < number; ++i)
    names += (names.empty() ? "" : ", ") + numbered("l", i);
  return names.empty() ? "" : ", after: [" + names + "]";
}

std::string after_the_first(std::uint64_t number) { return number == 0 ? "" : ", after: [l0]"; }

std::string host_waits(std::uint64_t number) {
  return number == 0 ? "" : ", wait: [l" + std::to_string(number - 1) + "]";
}

std::string arrives(std::uint64_t number) { return ", at: " + std::to_string(number) + " us"; }

std::string hands_on(std::uint64_t number) {
  return ", reads: [b" + std::to_string(number) + "], writes: [b" + std::to_string(number + 1) + "]";
}

std::string reads_one(std::uint64_t number) { return number == 0 ? ", writes: [b]" : ", reads: [b]"; }

/// One launch after all.
std::string joined(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.kernel("k", 2, "compute: 1 us");
  std::string names;
  for (std::uint64_t i = 0; i < count; ++i) {
    text.launch(numbered("kernel: k, name: l", i));
    names += (i == 0 ? "" : ", ") + numbered("l", i);
  }
  text.launch("kernel: k, after: [" + names + "]");
  return text.text();
}

/// Every second one writes a buffer that as many read: edges are launches times launches, unless they go by the buffer.
std::string writers_and_readers(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.kernel("k", 2, "compute: 1 us");
  for (std::uint64_t i = 0; i < count; ++i)
    text.launch(std::string("kernel: k, ") + (i % 16 == 0 ? "writes: [a]" : "reads: [a]"));
  return text.text();
}

std::string copies(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.kernel("k", 2, "compute: 1 us");
  for (std::uint64_t i = 0; i < count; ++i)
    text.launch("copy: {bytes: 64 KiB, direction: " + std::string(i % 2 == 0 ? "host_to_device" : "device_to_host") +
                "}");
  text.launch("kernel: k");
  return text.text();
}

/// Each tile is copied in, worked on, and copied out.
std::string copies_and_kernels(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.kernel("k", 2, "memory: 1 KiB, compute: 1 us");
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string buffer = numbered("[b", i) + "]";
    text.launch("copy: {bytes: 64 KiB, direction: host_to_device}, writes: " + buffer);
    text.launch("kernel: k, reads: " + buffer + ", writes: " + numbered("[c", i) + "]");
    text.launch("copy: {bytes: 64 KiB, direction: device_to_host}, reads: " + numbered("[c", i) + "]");
  }
  return text.text();
}

/// In a queue, each behind the one before.
std::string equal_launches(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.kernel("k", 4, "compute: 1 us");
  text.launch("kernel: k, count: " + std::to_string(count));
  return text.text();
}

/// A hundred threads with factors of their own hold the device while launches come and go.
std::string launches_beside_others(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.kernel("long", 100, "compute: 100 ms", "variation: {distribution: lognormal, cv: 0.2, per: thread}");
  text.kernel("k", 2, "compute: 1 us");
  text.launch("kernel: long");
  for (std::uint64_t i = 1; i <= count; ++i) text.launch("kernel: k, at: " + std::to_string(6 * i) + " us");
  return text.text();
}

}  // namespace

std::vector<Key> order_keys() {
  const std::vector<Rules> choices{{"a100-80gb", "", "", ""},
                                   {"a100-80gb", "kernel_choice: skip_blocked", "", ""},
                                   {"a100-80gb", "kernel_choice: round_robin", "", "out_of_order"},
                                   {"arc-a770", "", "{distribution: lognormal, cv: 0.2, per: thread}", ""}};
  const std::vector<Rules> drawn{{"a100-80gb", "", "", ""},
                                 {"a100-80gb", "", "none", ""},
                                 {"a100-80gb", "kernel_choice: round_robin", "", ""},
                                 {"mi300x", "kernel_choice: skip_blocked", "", "in_order"}};
  const std::vector<Rules> in_order{{"a100-80gb", "", "", "in_order"},
                                    {"a100-80gb", "", "none", "in_order"},
                                    {"a100-80gb", "kernel_choice: round_robin", "none", "in_order"},
                                    {"mi300x", "kernel_choice: skip_blocked", "none", "in_order"},
                                    {"arc-a770", "", "none", "in_order"}};
  return {
      {"after: the one before", 500, launches_with(after_one_before), choices},
      {"after: four before", 500, launches_with(after_four_before), choices},
      {"after: the first", 500, launches_with(after_the_first), choices},
      {"after: all", 500, joined, choices},
      {"wait", 500, launches_with(host_waits), choices},
      {"at", 500, launches_with(arrives), choices},
      {"buffers", 500, launches_with(hands_on), choices},
      {"readers of a buffer", 500, launches_with(reads_one), choices},
      {"writers and readers of a buffer", 500, writers_and_readers, choices},
      {"copies", 1000, copies, {drawn[0], drawn[3]}},
      {"copies and kernels", 300, copies_and_kernels, drawn},
      {"equal launches behind each other", 1000, equal_launches, in_order},
      {"launches beside others", 300, launches_beside_others, choices},
  };
}

}  // namespace gdsim::scaling
