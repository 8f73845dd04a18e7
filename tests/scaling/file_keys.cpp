#include "scaling/scenario_text.hpp"

#include <algorithm>
#include <iterator>

namespace gdsim::scaling {
namespace {

std::string parameters(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  for (std::uint64_t i = 0; i < count; ++i) text.parameter(numbered("p", i), std::to_string(i + 1));
  std::string program;
  for (std::uint64_t i = 0; i < count; ++i)
    program += (i == 0 ? "" : ", ") + numbered("compute: = p", i) + " * 2 + 100 cycles";
  text.kernel("k", 2, program);
  text.launch("kernel: k");
  return text.text();
}

std::string cases(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.kernel("k", 8, "compute: 1 us");
  text.launch("kernel: k");
  for (std::uint64_t i = 0; i < count; ++i)
    text.a_case("name: c" + std::to_string(i) + ", set: {kernels.k.program.0.compute: " + std::to_string(i + 1) +
                " us}");
  return text.text();
}

/// The file has as many kernels as cases.
std::string cases_of_kernels(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.kernel("k", 8, "compute: 1 us");
  text.launch("kernel: k");
  for (std::uint64_t i = 0; i < count; ++i)
    text.a_case("name: c" + std::to_string(i) + ", expect: [{outcome: completed}, {mean_occupancy: 50, within: 50}]");
  return text.text();
}

std::string expectations(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.kernel("k", 64, "compute: 1 us");
  text.launch("kernel: k");
  for (std::uint64_t i = 0; i < count; ++i) {
    text.expect("outcome: completed");
    text.expect("mean_occupancy: 50, within: 50");
  }
  return text.text();
}

/// One expectation names all launches.
std::string expected_launches(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.kernel("k", 1, "compute: 1 us");
  std::string names;
  for (std::uint64_t i = 0; i < count; ++i) {
    text.launch(numbered("kernel: k, name: l", i));
    names += (i == 0 ? "" : ", ") + numbered("l", i) + ": {start: 0 us}";
  }
  text.expect("launches: {" + names + "}, within: 10 s");
  return text.text();
}

std::string factors(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  std::string all;
  for (std::uint64_t i = 0; i < count; ++i)
    all += (i == 0 ? "" : ", ") + std::to_string(i) + ": " + std::to_string(500 + i * 7919 % 1000) + "e-3";
  text.kernel("k", count, "compute: 1 us", "variation: {work_groups: {" + all + "}}");
  text.launch("kernel: k");
  return text.text();
}

std::string rows(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.device("cores: 16");  // much fewer than the work-groups fill
  text.kernel("k", count, "compute: 1 us");
  text.launch("kernel: k");
  return text.text();
}

std::string rows_of_readers(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.device("cores: 16");
  text.kernel("k", count, "memory: 1 KiB, compute: 1 us, barrier");
  text.launch("kernel: k");
  return text.text();
}

std::string rows_of_launches(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.kernel("k", 2, "compute: 1 us");
  for (std::uint64_t i = 0; i < count; ++i) text.launch("kernel: k");
  return text.text();
}

std::string repetitions(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.key("repeat: " + std::to_string(count));
  text.kernel("k", 64, "compute: 1 us");
  text.launch("kernel: k");
  return text.text();
}

}  // namespace

std::vector<Key> file_keys() {
  const std::string lognormal = "{distribution: lognormal, cv: 0.2}";
  const std::string per_thread = "{distribution: lognormal, cv: 0.2, per: thread}";
  const std::vector<Rules> one{{"a100-80gb", "", "", ""}};
  const std::vector<Rules> drawn{
      {"tiny", "", "", ""},          {"tiny", "", lognormal, ""},      {"tiny", "", per_thread, ""},
      {"a100-80gb", "", "none", ""}, {"a100-80gb", "", lognormal, ""}, {"mi300x", "", lognormal, ""}};
  const std::vector<Rules> readers{{"a100-80gb", "", "", ""}, {"a100-80gb", "", "none", ""}, {"arc-a770", "", "", ""}};
  const auto printing = [](const char* table) { return std::vector<std::string>{"run", "-", "--print", table}; };
  const std::vector<std::string> one_by_one{"run", "-", "--jobs", "1"};
  std::vector<Key> keys{
      {"parameters", 200, parameters, one},
      {"cases", 50, cases, {{"tiny", "", "", ""}, one[0]}, one_by_one},
      {"expectations", 500, expectations, one, {"check", "-"}},
      {"expected launches", 500, expected_launches, one, {"check", "-"}},
      {"cases with expectations", 50, cases_of_kernels, {{"tiny", "", "", ""}}, {"check", "-"}},
      {"factors of work-groups", 1000, factors, {{"tiny", "", "", ""}, one[0], {"mi300x", "", "", ""}}},
      {"repetitions", 100, repetitions, {{"tiny", "", lognormal, ""}}, one_by_one},
  };
  for (const char* table : {"work-groups", "timeline", "cores", "group-states", "kernels", "time-use"})
    keys.push_back({std::string("rows of ") + table, 4000, rows, drawn, printing(table)});
  for (const char* table : {"work-groups", "timeline", "group-states"})
    keys.push_back({std::string("rows of ") + table + " of readers", 2000, rows_of_readers, readers, printing(table)});
  for (const char* table : {"launches", "summary", "kernels", "graph"})
    keys.push_back({std::string("rows of ") + table + " by launch",
                    500,
                    rows_of_launches,
                    {one[0], {"a100-80gb", "kernel_choice: skip_blocked", "", "in_order"}},
                    printing(table)});
  return keys;
}

std::vector<Key> all_keys() {
  std::vector<Key> all;
  for (std::vector<Key> keys : {launch_keys(), order_keys(), step_keys(), loop_keys(), device_keys(), file_keys()})
    std::move(keys.begin(), keys.end(), std::back_inserter(all));
  return all;
}

Growth growth_of(const std::string& key, const std::string& rules) {
  for (const Key& one : all_keys()) {
    if (one.name != key) continue;
    const auto of_pairs = [&](const Rules& some) { return some.growth == Growth::pairs && some.name() == rules; };
    return one.growth == Growth::pairs || std::any_of(one.rules.begin(), one.rules.end(), of_pairs) ? Growth::pairs
                                                                                                    : Growth::itself;
  }
  return Growth::itself;
}

}  // namespace gdsim::scaling
