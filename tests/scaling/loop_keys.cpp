#include "scaling/scenario_text.hpp"

namespace gdsim::scaling {
namespace {

std::string loop(std::uint64_t count, const std::string& body) {
  return "loop: {count: " + std::to_string(count) + ", body: [" + body + "]}";
}

std::string scenario_of(const Rules& rules, std::uint64_t groups, const std::string& program) {
  ScenarioText text(rules);
  text.kernel("k", groups, program);
  text.launch("kernel: k");
  return text.text();
}

/// Loops of 3, one after the other.
WriteScenario in_a_row(const std::string& body, std::uint64_t groups) {
  return [body, groups](const Rules& rules, std::uint64_t count) {
    return scenario_of(rules, groups, repeated(loop(3, body), count));
  };
}

/// An outer loop of 10 over loops of 3.
WriteScenario nested(const std::string& body, std::uint64_t groups) {
  return [body, groups](const Rules& rules, std::uint64_t count) {
    return scenario_of(rules, groups, loop(10, repeated(loop(3, body), count)));
  };
}

WriteScenario iterations(const std::string& body, std::uint64_t groups) {
  return
      [body, groups](const Rules& rules, std::uint64_t count) { return scenario_of(rules, groups, loop(count, body)); };
}

/// An outer loop over inner ones.
WriteScenario iterations_of_two(const std::string& body, std::uint64_t groups) {
  return [body, groups](const Rules& rules, std::uint64_t count) {
    return scenario_of(rules, groups, loop(count, "compute: 50 ns, " + loop(10, body)));
  };
}

}  // namespace

std::vector<Key> loop_keys() {
  const std::string per_thread = "{distribution: lognormal, cv: 0.2, per: thread}";
  const std::string a_draw = "{distribution: uniform, cv: 0.1}";
  const std::vector<Rules> computing{
      {"tiny", "", "", ""},          {"tiny", "", a_draw, ""},  {"tiny", "", per_thread, ""}, {"a100-80gb", "", "", ""},
      {"a100-80gb", "", a_draw, ""}, {"xe-lp-tgl", "", "", ""}, {"mi300x", "", "", ""}};
  const std::vector<Rules> sharing{{"a100-80gb", "", "", ""},         {"a100-80gb", "", "none", ""},
                                   {"a100-80gb", "", per_thread, ""}, {"xe-lp-tgl", "", "", ""},
                                   {"xe-lp-tgl", "", "none", ""},     {"mi300x", "", "none", ""}};
  const std::string in_turn = "signal: s, compute: 100 ns, wait: s";
  const std::string ahead =
      "only: {threads: 0, body: [compute: 50 ns, signal: s]}, only: {threads: 1, body: [wait: s, compute: 100 ns]}";
  return {
      {"loops", 100, in_a_row("compute: 100 ns", 8), computing},
      {"loops with a barrier", 100, in_a_row("compute: 100 ns, barrier", 8), computing},
      {"loops that read", 30, in_a_row("memory: 256 B, compute: 100 ns", 8), sharing},
      {"loops in a loop", 100, nested("compute: 100 ns", 1), computing},
      {"loops in a loop of eight work-groups", 50, nested("compute: 100 ns", 8), computing},
      {"loops with a barrier in a loop", 50, nested("compute: 100 ns, barrier", 1), computing},
      {"loops with a barrier in a loop of eight work-groups", 20, nested("compute: 100 ns, barrier", 8), computing},
      {"loops that read in a loop", 20, nested("memory: 256 B, compute: 100 ns", 2), sharing},
      {"loops that issue in a loop", 10, nested("issue: 100 cycles, barrier", 8), sharing},
      {"iterations", 200, iterations("compute: 100 ns", 40), computing},
      {"iterations with a barrier", 100, iterations("compute: 100 ns, barrier", 40), computing},
      {"iterations that read", 50, iterations("memory: 256 B, compute: 100 ns", 20), sharing},
      {"iterations that issue", 50, iterations("issue: 100 cycles, barrier", 20), sharing},
      {"iterations of split barriers", 100, iterations(in_turn, 20), computing},
      {"iterations that run ahead", 100, iterations(ahead, 8), {{"tiny", "", "", ""}, {"tiny", "", a_draw, ""}}},
      {"iterations of loops", 50, iterations_of_two("compute: 100 ns", 8), computing},
      {"iterations of loops that read", 10, iterations_of_two("memory: 256 B", 8), sharing},
  };
}

}  // namespace gdsim::scaling
