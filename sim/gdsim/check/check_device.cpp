#include <gdsim/check/checks.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/device/core_blocks.hpp>
#include <gdsim/device/device_rules.hpp>

#include <algorithm>

namespace gdsim {
namespace {

namespace limits = device_limits;

void check_max(Issues& found, const char* field, std::uint64_t value, std::uint64_t max) {
  if (value > max) found.push_back({field, std::to_string(value) + " is more than " + std::to_string(max)});
}

void check_count(Issues& found, const char* field, std::uint64_t value, std::uint64_t max) {
  if (value == 0) found.push_back({field, "is 0; it must be at least 1"});
  check_max(found, field, value, max);
}

void check_limit(Issues& found, const char* field, std::optional<std::uint64_t> limit) {
  if (limit == 0U) found.push_back({field, "is 0; it must be at least 1, or unlimited"});
}

void check_memory_size(Issues& found, const char* field, Bytes size) {
  if (size > limits::kMemory) found.push_back({field, to_text(size) + " is more than 1 TiB"});
}

void check_host_time(Issues& found, const char* field, Duration time) {
  if (time > limits::kHostLatency) found.push_back({field, to_text(time) + " is more than 1000 s"});
}

/// Returns true if the values are strictly ascending.
template <class T>
bool is_ladder(const std::vector<T>& steps) {
  return std::adjacent_find(steps.begin(), steps.end(), [](T a, T b) { return a >= b; }) == steps.end();
}

void check_sub_groups(const DeviceSpec& device, Issues& found) {
  const auto& sizes = device.sub_group_sizes;
  if (sizes.empty()) found.push_back({"sub_group_sizes", "needs at least one size"});
  if (!sizes.empty() && sizes.front() == 0) found.push_back({"sub_group_sizes", "a size is 0; it must be at least 1"});
  if (!is_ladder(sizes)) found.push_back({"sub_group_sizes", "must ascend, each size once"});
  if (!sizes.empty() && *std::max_element(sizes.begin(), sizes.end()) > limits::kSubGroup)
    found.push_back({"sub_group_sizes", "a size of " + std::to_string(*std::max_element(sizes.begin(), sizes.end())) +
                                            " is more than " + std::to_string(limits::kSubGroup)});
}

void check_slm(const SlmRule& slm, Issues& found) {
  check_memory_size(found, "slm.per_core", slm.per_core);
  check_memory_size(found, "slm.per_work_group", slm.per_work_group);
  if (slm.without_opt_in) check_memory_size(found, "slm.without_opt_in", *slm.without_opt_in);
  if (!is_ladder(slm.sizes)) found.push_back({"slm.sizes", "must ascend, each size once"});
  if (!is_ladder(slm.pools)) found.push_back({"slm.pools", "must ascend, each size once"});
  if (!slm.pools.empty() && slm.pools.back() > slm.per_core)
    found.push_back({"slm.pools", "the largest, " + to_text(slm.pools.back()) + ", is more than the " +
                                      to_text(slm.per_core) + " of the core"});
  if (slm.granule.count == 0) found.push_back({"slm.granule", "is 0 B; it must be more than 0"});
  if (!slm.sizes.empty() && slm.granule.count != 1)
    found.push_back({"slm.granule", "memory is handed out in sizes or in granules, not in both"});
  check_memory_size(found, "slm.granule", slm.granule);
  check_memory_size(found, "slm.reserve", slm.reserve);
  if (is_ladder(slm.sizes) && !slm.sizes.empty()) check_memory_size(found, "slm.sizes", slm.sizes.back());
}

void check_registers(const DeviceSpec& device, Issues& found) {
  if (device.registers) {
    check_count(found, "registers.per_engine", device.registers->per_engine, limits::kRegisters);
    check_count(found, "registers.granule", device.registers->granule, limits::kRegisters);
    check_count(found, "registers.accumulation_alignment", device.registers->accumulation_alignment,
                limits::kRegisters);
    if (device.registers->per_work_item)
      check_count(found, "registers.per_work_item", *device.registers->per_work_item, limits::kRegisters);
    if (device.registers->per_work_group)
      check_count(found, "registers.per_work_group", *device.registers->per_work_group, limits::kRegisters);
  }
  if (device.scalar_registers) {
    check_count(found, "scalar_registers.per_engine", device.scalar_registers->per_engine, limits::kRegisters);
    check_count(found, "scalar_registers.granule", device.scalar_registers->granule, limits::kRegisters);
    check_max(found, "scalar_registers.reserve", device.scalar_registers->reserve, limits::kRegisters);
  }
  if (device.grf_per_context) check_memory_size(found, "grf_per_context", *device.grf_per_context);
  if (device.grf_per_context && device.registers)
    found.push_back({"grf_per_context",
                     "is for threads that have registers of their own; `registers`, beside it, is for "
                     "a file that threads share"});
  if (device.large_grf_contexts)
    check_count(found, "large_grf.contexts_per_thread", *device.large_grf_contexts, device.contexts_per_engine);
}

void check_time(const DeviceSpec& device, const std::string& field, const StepTime& time, Issues& found) {
  if (auto fault = time_fault(device, time)) found.push_back({field, std::move(*fault)});
}

/// Checks that the cores that share a level are known, and that their groups, each simulated separately, are not too
/// many.
void check_scope(const DeviceSpec& device, const std::string& field, const std::string& scope, Issues& found) {
  if (device.cores > limits::kCores || !check_core_groups(device).empty()) return;  // reported elsewhere
  const auto groups = core_blocks(device, scope);
  if (!groups) {
    found.push_back(
        {field, "is " + in_quotes(scope) + "; known on this device: " + known_levels(device, "device, core")});
  } else if (const std::uint64_t size =
                 groups->size() * std::max<std::uint64_t>(device.cores, device.contexts_per_core());
             groups->size() > 1 && size > limits::kScopes) {
    found.push_back({field, std::to_string(groups->size()) +
                                " of them are too many: times the cores, or the contexts of " + "a core, that is " +
                                std::to_string(size) + "; at most " + std::to_string(limits::kScopes) + " is allowed"});
  }
}

void check_memory_level(const DeviceSpec& device, std::size_t index, Issues& found) {
  const MemoryRule& memory = *device.memory;
  const MemoryLevel& level = memory.levels[index];
  const std::string field = item_path("memory.levels", index);
  const bool is_last = index + 1 == memory.levels.size();
  if (is_last && level.capacity) found.push_back({field + ".capacity", "the last level keeps everything"});
  if (!is_last && !level.capacity) found.push_back({field, "has no capacity; only the last level keeps everything"});
  if (level.capacity && level.capacity->count == 0) found.push_back({field + ".capacity", "must be more than 0"});
  if (level.capacity > limits::kMemory) found.push_back({field + ".capacity", "is more than 1 TiB"});
  if (level.latency) check_time(device, field + ".latency", *level.latency, found);
  if (level.scope != "device") check_scope(device, field + ".scope", level.scope, found);
  if (level.bandwidth > limits::kBandwidth) found.push_back({field + ".bandwidth", "is more than 1000 TB/s"});
}

/// L1 is one pipe, which unified SLM shares.
void check_l1(const DeviceSpec& device, const L1Rule& l1, Issues& found) {
  if (!is_arithmetic_rate(l1.lines_per_cycle))
    found.push_back({"l1.lines_per_cycle", "is " + to_text(l1.lines_per_cycle) +
                                               "; it must be 0.000001 to 1000000 lines per cycle, with six decimals at "
                                               "most, as in `l1: {lines_per_cycle: 1}`"});
  check_time(device, "l1.latency", l1.latency, found);
  if (l1.slm == SlmPlace::unified && device.slm_access && device.slm_access->accesses_per_cycle != 1)
    found.push_back({"l1", "is one pipe, which SLM shares, but `slm_access` serves " +
                               std::to_string(device.slm_access->accesses_per_cycle) +
                               " accesses side by side; write `l1: {slm: separate}`, or `slm_access: "
                               "{accesses_per_cycle: 1}`, or leave out `l1`"});
}

void check_written_sector(const WrittenSectorRule& sector, Issues& found) {
  const auto check = [&](const char* field, Bytes bytes) {
    if (bytes.count == 0 || bytes > limits::kWrittenSector)
      found.push_back({field, "is " + to_text(bytes) +
                                  "; it must be 1 B to 4096 B, as in `written_sector: {whole: 32 B, partial: 64 B}`"});
  };
  check("written_sector.whole", sector.whole);
  check("written_sector.partial", sector.partial);
}

void check_rates(const DeviceSpec& device, Issues& found) {
  const auto check_atomic_rate = [&](const char* field, const std::optional<Decimal>& rate) {
    if (rate && !is_atomic_rate(*rate))
      found.push_back({field, "must be 0.001 to 1000 accesses per cycle, with three decimals at most"});
  };
  for (const ArithmeticRate& rate : device.arithmetic)
    if (!is_arithmetic_rate(rate.per_cycle))
      found.push_back({"arithmetic." + rate.kind,
                       "is " + to_text(rate.per_cycle) +
                           "; it must be 0.000001 to 1000000 operations per cycle, with six decimals at most"});
  for (const ArithmeticRate& rate : device.arithmetic)
    if (rate.latency && !is_arithmetic_rate(*rate.latency))
      found.push_back({"instruction_latency." + rate.kind,
                       "is " + to_text(*rate.latency) +
                           " cycles; it must be 0.000001 to 1000000 cycles, with six decimals at most"});
  check_atomic_rate("atomics.slm", device.atomics.slm);
  check_atomic_rate("atomics.global", device.atomics.global);
  check_atomic_rate("atomics.global_total", device.atomics.global_total);
  check_atomic_rate("atomics.global_float", device.atomics.global_float);
}

void check_memory(const DeviceSpec& device, Issues& found) {
  if (!device.memory) return;
  if (device.memory->core_bandwidth > limits::kBandwidth)
    found.push_back({"memory.core_bandwidth", "is more than 1000 TB/s"});
  if (device.memory->levels.empty()) found.push_back({"memory.levels", "needs at least one level"});
  if (const std::size_t levels = device.memory->levels.size(); levels > limits::kMemoryLevels)
    found.push_back({"memory.levels", "has " + std::to_string(levels) + " levels; at most " +
                                          std::to_string(limits::kMemoryLevels) + " are allowed"});
  const auto check_in_flight = [&](const char* field, const std::optional<Bytes>& bytes) {
    if (bytes && (bytes->count == 0 || *bytes > limits::kMemory)) found.push_back({field, "must be 1 B to 1 TiB"});
  };
  check_in_flight("memory.in_flight", device.memory->in_flight);
  check_in_flight("memory.core_in_flight", device.memory->core_in_flight);
  check_time(device, "memory.store_drain", device.memory->store_drain, found);
  if (const auto& line = device.memory->line; line && (line->count == 0 || *line > limits::kMemoryLine))
    found.push_back({"memory.line", "must be 1 B to 4 KiB"});
  if (const auto& capacity = device.memory->capacity) {
    if (capacity->count == 0) found.push_back({"memory.capacity", "must be more than 0 B"});
    check_memory_size(found, "memory.capacity", *capacity);
  }
  for (const std::uint32_t size : device.memory->block_sub_groups)
    if (std::find(device.sub_group_sizes.begin(), device.sub_group_sizes.end(), size) == device.sub_group_sizes.end())
      found.push_back({"memory.block_sub_groups", std::to_string(size) + " is none of the `sub_group_sizes`"});
  for (std::size_t i = 0; i < device.memory->levels.size(); ++i) check_memory_level(device, i, found);
}

void check_sharing(const DeviceSpec& device, Issues& found) {
  if (device.fused_engines > std::max<std::uint32_t>(device.engines_per_core, 1))
    found.push_back({"fused_engines", "is more than engines_per_core"});
  check_time(device, "barrier_cost.base", device.barrier_cost.base, found);
  check_time(device, "barrier_cost.per_thread", device.barrier_cost.per_thread, found);
  if (device.slm_access) {
    check_count(found, "slm_access.banks", device.slm_access->banks, limits::kBanks);
    check_count(found, "slm_access.accesses_per_cycle", device.slm_access->accesses_per_cycle, limits::kSlmAccesses);
    check_time(device, "slm_access.latency", device.slm_access->latency, found);
    if (device.slm_access->bank_width.count == 0 || device.slm_access->bank_width > limits::kBankWidth)
      found.push_back({"slm_access.bank_width", "must be 1 B to 4096 B"});
  }
  if (device.l1) check_l1(device, *device.l1, found);
  if (device.written_sector) check_written_sector(*device.written_sector, found);
  check_rates(device, found);
  check_memory(device, found);
}

/// The order of ties is compared with the device's cores only if these can be counted.
void check_tie_order(const DeviceSpec& device, Issues& found) {
  const TieOrder& order = device.tie_order;
  if (order.kind != TieOrder::Pattern::listed && !order.cores.empty())
    found.push_back({"tie_order", "lists cores, but its kind is not `listed`"});
  if (order.kind != TieOrder::Pattern::listed || order.cores.empty() || device.cores > limits::kCores) return;
  if (!names_every_core(order.cores, device.cores))
    found.push_back({"tie_order", "must name every core from 0 to cores - 1 once"});
}

/// Checks times and copies between the host and the device.
void check_host_side(const DeviceSpec& device, Issues& found) {
  check_host_time(found, "submit_overhead", device.submit_overhead);
  check_host_time(found, "launch_latency", device.launch_latency);
  check_host_time(found, "dependency_gap", device.dependency_gap);
  if (device.graph_gap) check_host_time(found, "graph.dependency_gap", *device.graph_gap);
  if (device.submission) {
    check_count(found, "submission.batch", device.submission->batch, limits::kBatch);
    if (device.submission->flush) check_host_time(found, "submission.flush", *device.submission->flush);
  }
  if (device.hardware_queues) check_limit(found, "hardware_queues.count", device.hardware_queues->count);
  if (!device.copy) return;
  check_count(found, "copy.engines", device.copy->engines, limits::kCopyEngines);
  check_host_time(found, "copy.latency", device.copy->latency);
  if (device.copy->bandwidth.count <= 0) found.push_back({"copy.bandwidth", "must be more than 0"});
  if (device.copy->bandwidth > limits::kBandwidth) found.push_back({"copy.bandwidth", "is more than 1000 TB/s"});
}

}  // namespace

namespace {

Issues check_under_first_clock(const DeviceSpec& device) {
  Issues found;
  check_count(found, "cores", device.cores, limits::kCores);
  check_count(found, "engines_per_core", device.engines_per_core, limits::kContextsPerCore);
  check_count(found, "contexts_per_engine", device.contexts_per_engine, limits::kContextsPerCore);
  if (std::uint64_t{device.engines_per_core} * device.contexts_per_engine > limits::kContextsPerCore)
    found.push_back({"contexts_per_engine", "makes more than 10000 contexts per core"});
  check_count(found, "max_work_group_size", device.max_work_group_size, limits::kWorkGroup);
  append(found, check_clock(device));
  append(found, check_power(device));
  check_limit(found, "work_groups_per_core", device.work_groups_per_core);
  check_limit(found, "work_groups_with_barrier_or_slm", device.work_groups_with_barrier_or_slm);
  check_sub_groups(device, found);
  check_slm(device.slm, found);
  check_registers(device, found);
  check_sharing(device, found);
  Issues in_groups = check_core_groups(device);
  if (in_groups.empty()) in_groups = check_cluster_rule(device);
  append(found, std::move(in_groups));
  check_tie_order(device, found);
  check_limit(found, "dispatch.ports", device.dispatch.ports);
  check_limit(found, "dispatch.concurrent_kernels", device.dispatch.concurrent_kernels);
  check_host_side(device, found);
  if (found.empty()) append(found, check_timing(device, device.dispatch));
  if (device.launch_cost) {
    check_time(device, "launch_cost.serial", device.launch_cost->serial, found);
    check_time(device, "launch_cost.overlapping", device.launch_cost->overlapping, found);
  }
  for (Issue& issue : found) issue.path.insert(0, "device.");
  return found;
}

}  // namespace

Issues check_device(const DeviceSpec& device) { return check_under_clocks(device, check_under_first_clock); }

}  // namespace gdsim
