#include "scaling/scenario_text.hpp"

namespace gdsim::scaling {
namespace {

/// A memory that serves each core at 10 GB/s, less than its work-groups ask for.
std::string memory_for(std::uint64_t cores) {
  return ", memory: {in_flight: 256 B, levels: [{name: DRAM, bandwidth: " + std::to_string(10 * cores) +
         " GB/s, latency: 400 ns}]}";
}

/// So many cores, and as many times as many work-groups.
WriteScenario cores(const std::string& program, std::uint64_t groups_per_core) {
  return [program, groups_per_core](const Rules& rules, std::uint64_t count) {
    ScenarioText text(rules);
    text.device("cores: " + std::to_string(count) + memory_for(count));
    text.kernel("k", groups_per_core * count, program);
    text.launch("kernel: k");
    return text.text();
  };
}

/// Two kernels, or more, beside each other.
WriteScenario cores_of_kernels(std::uint64_t kernels, const std::string& program) {
  return [kernels, program](const Rules& rules, std::uint64_t count) {
    ScenarioText text(rules);
    text.device("cores: " + std::to_string(count) + memory_for(count));
    for (std::uint64_t i = 0; i < kernels; ++i) {
      text.kernel(numbered("k", i), 16 * count / kernels, program, i == 0 ? "" : "slm: 1 KiB");
      text.launch(numbered("kernel: k", i));
    }
    return text.text();
  };
}

/// On a device with these keys.
WriteScenario work_groups(const std::string& program, const std::string& device = {}) {
  return [program, device](const Rules& rules, std::uint64_t count) {
    ScenarioText text(rules);
    text.device(device);
    text.kernel("k", count, program);
    text.launch("kernel: k");
    return text.text();
  };
}

/// Two cores in each group, work-groups dealt out to the groups.
WriteScenario core_groups(const std::string& dispatch) {
  return [dispatch](const Rules& rules, std::uint64_t count) {
    ScenarioText text(rules);
    text.device("cores: " + std::to_string(2 * count) + ", core_groups: [{name: pair, count: " + std::to_string(count) +
                "}]");
    if (!dispatch.empty()) text.dispatch(dispatch);
    text.kernel("k", 16 * count, "compute: 1 us");
    text.launch("kernel: k");
    return text.text();
  };
}

std::string clusters(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.device("cores: " + std::to_string(4 * count) + ", core_groups: [{name: GPC, count: " + std::to_string(count) +
              "}], clusters: {within: GPC, max: 8}");
  text.kernel("k", 64 * count, "compute: 1 us", "cluster: 4");
  text.launch("kernel: k");
  return text.text();
}

std::string memory_levels(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  std::string levels;
  for (std::uint64_t i = 1; i < count; ++i)
    levels += "{name: L" + std::to_string(i) + ", capacity: " + std::to_string(64 * i) +
              " KiB, bandwidth: 1000 GB/s, latency: " + std::to_string(50 + i) + " ns}, ";
  text.device("cores: 8, memory: {in_flight: 256 B, levels: [" + levels +
              "{name: DRAM, bandwidth: 500 GB/s, latency: 400 ns}]}");
  text.kernel("k", 640, "memory: 1 KiB, compute: 100 ns", "working_set: 16 KiB");
  text.launch("kernel: k");
  return text.text();
}

/// Each core has a cache of its own.
std::string memory_of_each_core(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.device("cores: " + std::to_string(count) +
              ", memory: {in_flight: 256 B, levels: [{name: L1, capacity: 64 KiB, bandwidth: 100 GB/s, latency: 50 ns, "
              "scope: core}, {name: DRAM, bandwidth: " +
              std::to_string(10 * count) + " GB/s, latency: 400 ns}]}");
  text.kernel("k", 8 * count, "memory: 1 KiB, compute: 100 ns", "working_set: 16 KiB");
  text.launch("kernel: k");
  return text.text();
}

/// Contexts of a core, with as many work-groups.
WriteScenario contexts(const std::string& program) {
  return [program](const Rules& rules, std::uint64_t count) {
    ScenarioText text(rules);
    text.device("contexts_per_engine: " + std::to_string(count) + ", work_groups_per_core: unlimited");
    text.kernel("k", 16 * count, program);
    text.launch("kernel: k");
    return text.text();
  };
}

std::string engines(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.device("engines_per_core: " + std::to_string(count) + ", work_groups_per_core: unlimited");
  text.kernel("k", 8 * count, "issue: 100 cycles, compute: 100 ns");
  text.launch("kernel: k");
  return text.text();
}

std::string copy_engines(const Rules& rules, std::uint64_t count) {
  ScenarioText text(rules);
  text.device("copy: {engines: " + std::to_string(count) + ", bandwidth: 10 GB/s}");
  text.kernel("k", 1, "compute: 1 us");
  text.launch("kernel: k");
  for (std::uint64_t i = 0; i < 8 * count; ++i) text.launch("copy: {bytes: 64 KiB, direction: host_to_device}");
  return text.text();
}

/// So many devices, each with as much to do beside one all-reduce of all of them: that is the part which grows as
/// pairs.
std::string devices(const Rules& rules, std::uint64_t count) {
  std::string names;
  std::string list;
  std::string launches;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string name = numbered("gpu", i);
    names += (i > 0 ? ", " : "") + name;
    list += (i > 0 ? ", " : "") + name + ": {base: " + rules.device + ", cores: 8}";
    launches += "  - {kernel: k, device: " + name + "}\n";
  }
  if (count > 1)
    launches +=
        "  - collective: {kind: all_reduce, bytes: 1 MiB, devices: [" + names + "], algorithm: ring, work_groups: 2}\n";
  return "scenario: devices\ndevices: {" + list + "}\n" +
         (count > 1 ? "links: [{between: [" + names + "], bandwidth: 100 GB/s, latency: 1 us}]\n" : "") +
         "kernels: {k: {global: 64000, local: 64, sub_group: " + (rules.device == "mi300x" ? "64" : "32") +
         ", program: [memory: 1 KiB, compute: 1 us]}}\nlaunches:\n" + launches;
}

/// So many copies over links, from each of four devices to each other one, all ready at once. Each has so many bytes
/// more than the one before.
WriteScenario copies_over_links(std::uint64_t more) {
  return [more](const Rules& rules, std::uint64_t count) {
    std::string names;
    std::string devices;
    std::string launches;
    for (std::uint64_t i = 0; i < 4; ++i) {
      const std::string name = numbered("gpu", i);
      names += (i > 0 ? ", " : "") + name;
      devices += (i > 0 ? ", " : "") + name + ": {base: " + rules.device + ", cores: 8}";
      launches += "  - {kernel: k, device: " + name + "}\n";
    }
    for (std::uint64_t i = 0; i < count; ++i)
      launches += "  - copy: {bytes: " + std::to_string(65'536 + more * i) + " B, from: " + numbered("gpu", i % 4) +
                  ", to: " + numbered("gpu", (i + 1 + i / 4 % 3) % 4) + "}\n";
    return "scenario: copies over links\ndevices: {" + devices + "}\nlinks: [{between: [" + names +
           "], bandwidth: 100 GB/s, latency: 1 us}]\n"
           "kernels: {k: {global: 64, local: 64, sub_group: 64, program: [compute: 1 us]}}\nlaunches:\n" +
           launches;
  };
}

/// So many collectives of two devices, the late one of which alternates.
std::string collectives(const Rules& rules, std::uint64_t count) {
  std::string launches;
  for (std::uint64_t i = 0; i < count; ++i)
    launches +=
        "  - {kernel: k, name: " + numbered("k", i) + ", device: gpu" + std::to_string(i % 2) +
        ", queue: q}\n  - {collective: {kind: all_reduce, bytes: 1 KiB, algorithm: ring, work_groups: 1}, name: " +
        numbered("r", i) + ", queue: q}\n";
  return "scenario: collectives\ndevices: {gpu0: {base: " + rules.device + ", cores: 8}, gpu1: {base: " + rules.device +
         ", cores: 8}}\nlinks: [{between: [gpu0, gpu1], bandwidth: 100 GB/s, latency: 1 us}]\n"
         "kernels: {k: {global: 64, local: 64, sub_group: 64, program: [compute: 1 us]}}\n"
         "queues: {q: {order: in_order}}\nlaunches:\n" +
         launches;
}

std::vector<Rules> placements() {
  std::vector<Rules> rules{{"a100-80gb", "", "", ""}, {"a100-80gb", "", "none", ""}};
  for (const char* placement : {"fill_first", "round_robin", "least_loaded", "most_room", "group_round_robin"})
    for (const char* variation : {"none", "{distribution: lognormal, cv: 0.2, per: thread}"})
      rules.push_back({"tiny", std::string("placement: ") + placement, variation, ""});
  for (const char* placement : {"round_robin", "least_loaded"})
    rules.push_back({"a100-80gb", std::string("placement: ") + placement, "", ""});
  rules.push_back({"tiny", "admission: whole", "", ""});
  rules.push_back({"tiny", "admission: spread", "", ""});
  rules.push_back({"mi300x", "", "", ""});
  rules.push_back({"mi300x", "", "none", ""});
  return rules;
}

}  // namespace

std::vector<Key> device_keys() {
  const std::string in_turn = "kernel_choice: round_robin";
  const std::string skip = "kernel_choice: skip_blocked";
  const std::string lognormal = "{distribution: lognormal, cv: 0.2}";
  const std::vector<Rules> sharing{
      {"a100-80gb", "", "", ""},
      {"a100-80gb", "", "none", ""},
      {"mi300x", "", "", ""},
      {"arc-a770", "", "", ""},
      {"a100-80gb", "placement: round_robin", "", ""},
      // A dispatch turn visits every dispatcher, and each evaluates its own request.
      {"a100-80gb", "interval: {per_work_group: 2 ns, dispatchers: core}", "", "", Growth::pairs}};
  const std::vector<Rules> beside{{"mi300x", in_turn, "", ""},        {"mi300x", in_turn, "none", ""},
                                  {"mi300x", in_turn, lognormal, ""}, {"mi300x", skip, "", ""},
                                  {"a100-80gb", in_turn, "", ""},     {"a100-80gb", "", "", ""},
                                  {"arc-a770", in_turn, "", ""}};
  const std::vector<Rules> plain{
      {"a100-80gb", "", "none", ""}, {"a100-80gb", "", lognormal, ""}, {"a100-80gb", "", "", ""}};
  const std::vector<Rules> pairs{{"tiny", "admission: whole", "none", ""}, {"tiny", "admission: whole", lognormal, ""}};
  const std::vector<std::string> run{"run", "-", "--print", "phases"};
  const std::string per_thread = "{distribution: uniform, cv: 0.1, per: thread}";
  const std::string signals_last = "compute: 1 us, signal: s";
  const std::string loops_and_signals = "loop: {count: 4, body: [signal: s, compute: 1 us, wait: s]}, signal: s";
  const std::vector<Rules> signalling{{"a100-80gb", "", per_thread, ""}, {"a100-80gb", "", "none", ""},
                                      {"a100-80gb", "", lognormal, ""},  {"tiny", "", per_thread, ""},
                                      {"mi300x", "", per_thread, ""},    {"arc-a770", "", per_thread, ""}};
  return {
      {"cores", 64, cores("compute: 1 us", 40), placements(), run, 8},
      {"cores that read", 64, cores("memory: 1 KiB, compute: 1 us", 16), sharing, run, 8},
      {"cores that issue", 32, cores("issue: 100 cycles, barrier, issue: 100 cycles", 16), sharing, run, 8},
      {"cores that loop", 32, cores("loop: {count: 8, body: [memory: 256 B, barrier]}", 8), sharing, run, 8},
      {"cores of two kernels", 76, cores_of_kernels(2, "compute: 1 us"), beside, run, 8},
      {"cores of two kernels that read", 76, cores_of_kernels(2, "memory: 1 KiB"), beside, run, 8},
      {"cores of eight kernels", 76, cores_of_kernels(8, "compute: 1 us"), beside, run, 8},
      {"cores where a signal comes last", 64, cores(signals_last, 12), signalling, run, 8},
      {"cores where a signal comes last behind a loop", 64, cores(loops_and_signals, 12), signalling, run, 8},
      {"devices", 4, devices, {{"a100-80gb", "", "", ""}, {"mi300x", "", "", ""}}},
      {"copies over links", 2000, copies_over_links(0), {{"mi300x", "", "", ""}}},
      {"copies over links of their own sizes", 250, copies_over_links(4), {{"mi300x", "", "", ""}}},
      {"collectives", 500, collectives, {{"mi300x", "", "", ""}}},
      {"work-groups", 4000, work_groups("compute: 1 us"), placements()},
      {"work-groups that read", 2000, work_groups("memory: 1 KiB, compute: 1 us"), sharing},
      {"work-groups with a barrier", 1000, work_groups("compute: 1 us, barrier, compute: 1 us"), placements()},
      {"work-groups where a signal comes last", 1000, work_groups(signals_last, "cores: 16"), signalling},
      {"core groups", 32, core_groups(""), pairs},
      {"core groups with contiguous parts", 32, core_groups("partition: {across: pair, share: contiguous}"), pairs},
      {"core groups with cyclic parts", 32, core_groups("partition: {across: pair, share: cyclic}"), pairs},
      {"core groups in turn", 32, core_groups("placement: group_round_robin"), pairs},
      {"core groups with a dispatcher each",
       32,
       core_groups("interval: {per_work_group: 2 ns, dispatchers: pair}"),
       pairs,
       {"run", "-", "--print", "phases"},
       1,
       Growth::pairs},
      {"groups of clusters", 16, clusters, plain},
      {"memory levels", 4, memory_levels, plain},
      // All cores share the DRAM: with each work-group that comes or goes, what every other core gets changes.
      {"memory of each core", 16, memory_of_each_core, plain, run, 1, Growth::pairs},
      {"contexts", 16, contexts("compute: 1 us"), {{"tiny", "", "", ""}, {"tiny", "admission: whole", lognormal, ""}}},
      {"contexts that issue",
       16,
       contexts("issue: 100 cycles, barrier"),
       {{"tiny", "", "none", ""}, {"tiny", "", "", ""}}},
      {"engines", 16, engines, {{"tiny", "", "", ""}, {"tiny", "", "none", ""}}},
      {"copy engines", 64, copy_engines, {{"tiny", "", "", ""}}},
  };
}

}  // namespace gdsim::scaling
