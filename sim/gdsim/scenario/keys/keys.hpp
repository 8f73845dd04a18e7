#pragma once

#include <array>
#include <string_view>

/// Every key of scenario and device files, by its mapping. The JSON Schemas list the same keys; a test compares them.
namespace gdsim::keys {

inline constexpr std::array<std::string_view, 14> kScenario{"scenario", "device",  "devices",   "links",  "parameters",
                                                            "dispatch", "kernels", "buffers",   "queues", "launches",
                                                            "expect",   "cases",   "min_phase", "repeat"};
inline constexpr std::array<std::string_view, 4> kBuffer{"bytes", "on", "page", "touched"};
inline constexpr std::array<std::string_view, 3> kCase{"name", "set", "expect"};
inline constexpr std::array<std::string_view, 14> kDispatch{
    "placement",           "admission", "ports",    "handover", "kernel_choice", "concurrent_kernels", "core_sharing",
    "slm_reconfiguration", "interval",  "recovery", "batch",    "tie_order",     "partition",          "preemption"};
inline constexpr std::array<std::string_view, 4> kPreemption{"of", "save", "restore", "quantum"};
inline constexpr std::array<std::string_view, 2> kContextMove{"per_work_group", "bytes"};
inline constexpr std::array<std::string_view, 2> kPartition{"across", "share"};
inline constexpr std::array<std::string_view, 2> kLaunchCost{"serial", "overlapping"};
inline constexpr std::array<std::string_view, 3> kInterval{"per_work_group", "per_thread", "dispatchers"};
inline constexpr std::array<std::string_view, 2> kClusterSizes{"size", "preferred"};
inline constexpr std::array<std::string_view, 3> kBatch{"work_groups", "grid_at_least", "left_at_least"};
inline constexpr std::array<std::string_view, 2> kPerCoreCount{"per_core", "plus"};
inline constexpr std::array<std::string_view, 23> kKernel{"global",
                                                          "local",
                                                          "cluster",
                                                          "non_uniform",
                                                          "sub_group",
                                                          "program_sub_group",
                                                          "slm",
                                                          "barriers",
                                                          "registers",
                                                          "scalar_registers",
                                                          "accumulation_registers",
                                                          "spill",
                                                          "carveout_percent",
                                                          "large_grf",
                                                          "mode",
                                                          "in_flight",
                                                          "dependence",
                                                          "working_set",
                                                          "shared_working_set",
                                                          "program",
                                                          "variation",
                                                          "jit",
                                                          "children"};
inline constexpr std::array<std::string_view, 2> kSpill{"bytes", "accesses"};
inline constexpr std::array<std::string_view, 1> kChildren{"begins"};
inline constexpr std::array<std::string_view, 6> kVariation{"work_groups", "first_wave", "distribution",
                                                            "cv",          "per",        "seed"};
inline constexpr std::array<std::string_view, 18> kStep{
    "compute", "issue", "memory",       "store",   "wait_memory",       "fence", "slm",  "atomic", "barrier",
    "signal",  "wait",  "grid_barrier", "trigger", "wait_dependencies", "loop",  "only", "tiles",  "launch"};
inline constexpr std::array<std::string_view, 8> kMemoryStep{"bytes",        "elements",  "element", "stride",
                                                             "asynchronous", "multicast", "written", "block"};
inline constexpr std::array<std::string_view, 6> kStoreStep{"bytes",  "elements", "element",
                                                            "stride", "written",  "block"};
inline constexpr std::array<std::string_view, 2> kWritten{"whole", "partial"};
inline constexpr std::array<std::string_view, 1> kWaitMemory{"outstanding"};
inline constexpr std::array<std::string_view, 4> kSignal{"name", "initially", "scope", "index"};
inline constexpr std::array<std::string_view, 3> kWait{"name", "scope", "index"};
inline constexpr std::string_view kAccessesOfL1 = "l1";
inline constexpr std::string_view kMatrixInstruction = "mma";
inline constexpr std::string_view kMatrixCount = "count";  ///< of `mma`
inline constexpr std::array<std::string_view, 3> kIssueStep{kAccessesOfL1, kMatrixInstruction,
                                                            kMatrixCount};  ///< beside kinds
inline constexpr std::array<std::string_view, 7> kL1Access{"source_line", "instruction", "requests",      "lines",
                                                           "coalesced",   "sectors",     "excess_sectors"};
inline constexpr std::array<std::string_view, 3> kSlmStep{"accesses", "stride", "bytes"};
inline constexpr std::array<std::string_view, 4> kAtomic{"accesses", "addresses", "space", "type"};
inline constexpr std::array<std::string_view, 2> kLoop{"count", "body"};
inline constexpr std::array<std::string_view, 6> kTiles{"list", "count", "take", "per", "cost", "body"};
inline constexpr std::array<std::string_view, 2> kOnly{"threads", "body"};
inline constexpr std::array<std::string_view, 15> kLaunch{"kernel", "copy",     "collective", "device", "name",
                                                          "at",     "after",    "wait",       "queue",  "reads",
                                                          "writes", "priority", "cores",      "count",  "cooperative"};
inline constexpr std::array<std::string_view, 2> kAfter{"launch", "when"};
inline constexpr std::array<std::string_view, 4> kCopy{"bytes", "direction", "from", "to"};
inline constexpr std::array<std::string_view, 3> kLink{"between", "bandwidth", "latency"};
inline constexpr std::array<std::string_view, 8> kCollective{"kind",        "bytes", "devices",   "algorithm",
                                                             "work_groups", "local", "registers", "slm"};
inline constexpr std::array<std::string_view, 2> kChild{"kernel", "wait"};
inline constexpr std::array<std::string_view, 7> kQueue{"order", "priority", "cores", "hardware",
                                                        "graph", "next",     "share"};
inline constexpr std::array<std::string_view, 2> kOwnCores{"count", "granule"};
inline constexpr std::array<std::string_view, 18> kExpectation{"phases",
                                                               "phase_threads",
                                                               "running_threads",
                                                               "phase_durations",
                                                               "peak_occupancy",
                                                               "mean_occupancy",
                                                               "achieved_occupancy",
                                                               "cores",
                                                               "duration",
                                                               "active",
                                                               "outcome",
                                                               "launches",
                                                               "placement",
                                                               "share_on_core",
                                                               "error",
                                                               "within",
                                                               "source",
                                                               "status"};
inline constexpr std::array<std::string_view, 5> kLaunchTimes{"start", "end", "begun", "duration", "active"};
inline constexpr std::array<std::string_view, 3> kShareOnCore{"launch", "measured", "at_least"};
inline constexpr std::array<std::string_view, 53> kDevice{"device",
                                                          "base",
                                                          "name",
                                                          "vendor",
                                                          "terms",
                                                          "clock",
                                                          "power",
                                                          "cores",
                                                          "core_groups",
                                                          "engines_per_core",
                                                          "contexts_per_engine",
                                                          "sub_group_sizes",
                                                          "max_work_group_size",
                                                          "large_grf",
                                                          "grf_per_context",
                                                          "work_groups_per_core",
                                                          "work_groups_with_barrier_or_slm",
                                                          "barriers_per_core",
                                                          "barrier_use",
                                                          "slm",
                                                          "registers",
                                                          "scalar_registers",
                                                          "modes",
                                                          "release",
                                                          "dispatch",
                                                          "tie_order",
                                                          "submit_overhead",
                                                          "launch_latency",
                                                          "dependency_gap",
                                                          "graph",
                                                          "submission",
                                                          "hardware_queues",
                                                          "copy",
                                                          "vendor_occupancy",
                                                          "sources",
                                                          "kind",
                                                          "fused_engines",
                                                          "arithmetic",
                                                          "pipes",
                                                          "instruction_latency",
                                                          "slm_access",
                                                          "l1",
                                                          "written_sector",
                                                          "atomics",
                                                          "barrier_cost",
                                                          "memory",
                                                          "launch_cost",
                                                          "contexts",
                                                          "clusters",
                                                          "defaults",
                                                          "alternatives",
                                                          "partition",
                                                          "partitions"};
inline constexpr std::array<std::string_view, 6> kDevicePartition{"cores",    "core_groups", "copy",
                                                                  "dispatch", "atomics",     "memory_share"};
inline constexpr std::array<std::string_view, 5> kSource{"text", "verified", "assumed", "conflict", "extrapolated"};
inline constexpr std::array<std::string_view, 2> kDefaults{"memory", "copy"};
inline constexpr std::array<std::string_view, 3> kDefaultMemory{"in_flight", "line", "store_drain"};
inline constexpr std::array<std::string_view, 1> kDefaultCopy{"engines"};
inline constexpr std::array<std::string_view, 4> kClusters{"within", "max", "non_portable_max", "preferred"};
inline constexpr std::array<std::string_view, 1> kClock{"at"};
inline constexpr std::array<std::string_view, 4> kPower{"limit", "idle", "period", "per_busy_context"};
inline constexpr std::array<std::string_view, 1> kGraph{"dependency_gap"};
inline constexpr std::array<std::string_view, 3> kSubmission{"batch", "flush", "first"};
inline constexpr std::array<std::string_view, 2> kHardwareQueues{"count", "starts"};
inline constexpr std::array<std::string_view, 1> kContexts{"allocation"};
inline constexpr std::array<std::string_view, 7> kSlm{"per_core", "per_work_group", "without_opt_in", "sizes",
                                                      "granule",  "reserve",        "pools"};
inline constexpr std::array<std::string_view, 4> kSlmAccess{"banks", "bank_width", "latency", "accesses_per_cycle"};
inline constexpr std::array<std::string_view, 3> kL1{"lines_per_cycle", "latency", "slm"};
inline constexpr std::array<std::string_view, 3> kWrittenSector{"whole", "partial", "merged"};
inline constexpr std::array<std::string_view, 4> kAtomics{"slm", "global", "global_total", "global_float"};
inline constexpr std::array<std::string_view, 2> kBarrierCost{"base", "per_thread"};
inline constexpr std::array<std::string_view, 8> kMemory{"in_flight", "core_in_flight", "core_bandwidth", "line",
                                                         "capacity",  "block_sub_groups", "store_drain", "levels"};
inline constexpr std::array<std::string_view, 5> kMemoryLevel{"name", "capacity", "bandwidth", "latency", "scope"};
inline constexpr std::array<std::string_view, 8> kRegisters{
    "per_engine",       "granule",      "per_work_item",          "per_work_group",
    "work_group_count", "accumulation", "accumulation_alignment", "count"};
inline constexpr std::array<std::string_view, 4> kScalarRegisters{"per_engine", "granule", "reserve", "count"};
inline constexpr std::array<std::string_view, 3> kCopyEngines{"engines", "bandwidth", "latency"};
inline constexpr std::array<std::string_view, 1> kLargeGrf{"contexts_per_thread"};
inline constexpr std::array<std::string_view, 3> kCoreGroup{"name", "count", "sizes"};
inline constexpr std::array<std::string_view, 9> kMode{
    "merges_cores",        "slm",   "registers", "scalar_registers", "work_groups_per_core", "barriers_per_core",
    "max_work_group_size", "terms", "sources"};
inline constexpr std::array<std::string_view, 7> kTerms{"terms",  "core",       "engine", "context",
                                                        "thread", "work_group", "slm"};

}  // namespace gdsim::keys
