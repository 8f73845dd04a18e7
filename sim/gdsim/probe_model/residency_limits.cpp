#include <gdsim/probe_model/model_figures.hpp>

#include <gdsim/occupancy/occupancy.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace gdsim {
namespace {

/// The maximum of blocks that any core held at once.
std::uint32_t most_at_once(const ProbedLaunch& launch) {
  std::vector<std::tuple<std::uint32_t, std::int64_t, int>> changes;
  for (const ProbedBlock& block : launch.blocks) {
    changes.emplace_back(block.core, block.start, 1);
    changes.emplace_back(block.core, block.end, -1);
  }
  std::sort(changes.begin(), changes.end());
  std::int64_t held = 0;
  std::int64_t most = 0;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (i > 0 && std::get<0>(changes[i]) != std::get<0>(changes[i - 1])) held = 0;
    held += std::get<2>(changes[i]);
    most = std::max(most, held);
  }
  return static_cast<std::uint32_t>(most);
}

std::uint64_t fit_by_model(const ProbedLaunch& launch, const DeviceSpec& device) {
  Kernel kernel;
  kernel.sub_group = device.sub_group_sizes.front();
  kernel.range = {{1, 1, launch.threads}, {1, 1, launch.threads}};
  kernel.needs.registers = launch.registers.value_or(0);
  kernel.needs.slm.total = Bytes{launch.shared_bytes};
  return occupancy_of(kernel, device, GlobalSize::any).work_groups_per_core;
}

bool fills_the_device(const ProbedLaunch& launch, std::uint32_t cores) {
  return launch.cluster == 1 && launch.blocks_per_core > 0 &&
         launch.blocks.size() >= std::size_t{launch.blocks_per_core} * cores;
}

void add_contexts(const ProbeFacts& facts, const DeviceSpec& family, ValueList& values) {
  const auto sizes = family.sub_group_sizes;
  const bool is_known = std::any_of(sizes.begin(), sizes.end(), [&](std::uint32_t size) {
    return std::uint64_t{size} * family.contexts_per_core() == facts.threads_per_core;
  });
  const std::uint32_t size = sizes.front();
  const std::uint32_t per_engine = facts.threads_per_core / size / family.engines_per_core;
  const std::string how = fmt::format("{} threads per core", facts.threads_per_core);
  if (is_known) {
    values.add_reported("contexts_per_engine", std::to_string(family.contexts_per_engine), how + ", as the family");
  } else if (per_engine > 0 && per_engine * size * family.engines_per_core == facts.threads_per_core) {
    values.add_reported(
        "contexts_per_engine", std::to_string(per_engine),
        fmt::format("{}; over the family's {} engines of sub-groups of {} (CONFLICT: the family has {})", how,
                    family.engines_per_core, size, family.contexts_per_engine));
  } else {
    values.add_unknown("contexts_per_engine", how + ", which its engines do not share equally");
  }
}

/// Slots are the limit if fewer threads than a core has were resident, and neither registers nor shared memory are
/// short.
void add_slots(const ProbeFacts& facts, const std::vector<ProbedRun>& runs, ValueList& values) {
  std::uint32_t slots = 0;
  std::uint64_t launches = 0;
  for (const ProbedRun& run : runs)
    for (const ProbedLaunch& launch : run.launches) {
      if (run.experiment != "slots" || !fills_the_device(launch, facts.cores)) continue;
      const std::uint32_t seen = most_at_once(launch);
      if (seen * launch.threads >= facts.threads_per_core) continue;
      slots = std::max(slots, seen);
      ++launches;
    }
  if (launches == 0) {
    values.add_unknown("work_groups_per_core", "no launch of the experiment `slots` fills the device");
    return;
  }
  values.add_measured("work_groups_per_core", std::to_string(slots), launches,
                      "the most blocks of one sub-group that a core held at once, threads being left over");
}

void add_shared(const ProbeFacts& facts, const DeviceSpec& family, ValueList& values) {
  const Bytes reported{facts.shared_bytes_per_core};
  const std::string text = to_text(reported);
  if (reported == family.slm.per_core) {
    values.add_reported("slm.per_core", text, "as the family");
  } else if (family.slm.pools.empty() && family.slm.sizes.empty() && reported.count > 0) {
    values.add_reported("slm.per_core", text,
                        fmt::format("(CONFLICT: the family has {})", to_text(family.slm.per_core)));
    if (reported < family.slm.per_work_group)
      values.add_reported("slm.per_work_group", text, "no block can have more than a core");
  } else {
    values.add_unknown("slm.per_core",
                       fmt::format("CONFLICT: the runtime reports {}, and the family's sizes of memory end at "
                                   "{}",
                                   text, to_text(family.slm.per_core)));
  }
}

}  // namespace

void add_limits(const ProbeFacts& facts, const DeviceSpec& family, const std::vector<ProbedRun>& runs,
                ValueList& values) {
  if (facts.clock_hertz > 0) {
    values.add_measured("clock", to_text(Hertz{facts.clock_hertz}), 1,
                        "cycles in 200 us of the timer, after 50 ms of work");
  } else {
    values.add_unknown("clock", "the header has no measured clock");
  }
  values.add_reported("cores", std::to_string(facts.cores), "its number of cores");
  add_contexts(facts, family, values);
  add_slots(facts, runs, values);
  add_shared(facts, family, values);
}

std::vector<ResidencyCheck> residency_checks(const std::vector<ProbedRun>& runs, const DeviceSpec& device) {
  std::map<std::tuple<std::uint32_t, std::uint32_t, std::int64_t>, std::size_t> known;
  std::vector<ResidencyCheck> checks;
  for (const ProbedRun& run : runs)
    for (const ProbedLaunch& launch : run.launches) {
      if (run.launches.size() > 1 || !fills_the_device(launch, device.cores)) continue;
      const auto [found, is_new] =
          known.emplace(std::tuple(launch.threads, launch.registers.value_or(0), launch.shared_bytes), checks.size());
      if (is_new)
        checks.push_back({run.name, launch.threads, launch.registers, launch.shared_bytes, 0, launch.blocks_per_core,
                          fit_by_model(launch, device)});
      ResidencyCheck& check = checks[found->second];
      check.seen = std::max(check.seen, most_at_once(launch));
    }
  return checks;
}

}  // namespace gdsim
