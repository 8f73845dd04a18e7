#include "scaling/scenario_text.hpp"

namespace gdsim::scaling {
namespace {

/// A program of so many steps, or pairs of them, on some work-groups.
WriteScenario steps(const std::string& step, std::uint64_t groups = 40) {
  return [step, groups](const Rules& rules, std::uint64_t count) {
    ScenarioText text(rules);
    text.device("cores: 8, atomics: {slm: 1, global: 1}");
    text.kernel("k", groups, repeated(step, count), "slm: 1 KiB");
    text.launch("kernel: k");
    return text.text();
  };
}

/// Every one has a name of its own.
WriteScenario named_steps(const std::string& before, const std::string& after, std::uint64_t names) {
  return [before, after, names](const Rules& rules, std::uint64_t count) {
    ScenarioText text(rules);
    std::string program;
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::string name = numbered("n", i % names);
      program += (i == 0 ? "" : ", ") + before + name + after + (after.empty() ? "" : name);
    }
    text.device("cores: 8");
    text.kernel("k", 40, program);
    text.launch("kernel: k");
    return text.text();
  };
}

}  // namespace

std::vector<Key> step_keys() {
  const std::string per_thread = "{distribution: lognormal, cv: 0.2, per: thread}";
  const std::vector<Rules> drawn{{"a100-80gb", "", "", ""},
                                 {"a100-80gb", "", "none", ""},
                                 {"a100-80gb", "", per_thread, ""},
                                 {"mi300x", "", "", ""},
                                 {"arc-a770", "", "", ""}};
  std::vector<Rules> computing = drawn;
  computing.push_back({"tiny", "", "", ""});
  computing.push_back({"tiny", "", per_thread, ""});
  const std::uint64_t any = 1'000'000;
  return {
      {"steps: compute", 100, steps("compute: 1 us"), computing},
      {"steps: issue", 50, steps("issue: 100 cycles"), computing},
      {"steps: issue by kind", 50, steps("issue: {fp32: 100, int32: 9}"), drawn},
      {"steps: memory", 50, steps("memory: 1 KiB"), drawn},
      {"steps: slm", 50, steps("slm: {accesses: 8, stride: 4}"), drawn},
      {"steps: atomic", 50, steps("atomic: {accesses: 2, addresses: 8, space: global}"), {drawn[0], drawn[1]}},
      {"steps: loads", 50,
       steps("memory: {bytes: 1 KiB, asynchronous: true}, compute: 300 ns, wait_memory: {outstanding: 1}"), drawn},
      {"barriers", 100, steps("compute: 100 ns, barrier"), computing},
      {"barriers between reads", 50, steps("memory: 1 KiB, barrier"), drawn},
      {"barriers of their own name", 100, named_steps("compute: 100 ns, barrier: ", "", any), computing},
      {"split barriers", 50, named_steps("signal: ", ", compute: 100 ns, wait: ", 1), computing},
      {"split barriers of their own name", 50, named_steps("signal: ", ", compute: 100 ns, wait: ", any), computing},
      {"only", 100, steps("only: {threads: 0, body: [compute: 100 ns]}, compute: 100 ns"), computing},
      {"only and a barrier", 50, steps("only: {threads: 0, body: [issue: 100 cycles]}, barrier"), drawn},
  };
}

}  // namespace gdsim::scaling
