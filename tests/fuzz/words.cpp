#include "words.hpp"

#include <gdsim/scenario/keys/keys.hpp>
#include <gdsim/scenario/occupancy_request.hpp>

#include <string_view>

namespace gdsim::fuzz {
namespace {

/// Words and shapes that stand as values, or between them.
constexpr std::string_view kValues[] = {"true",
                                        "false",
                                        "unlimited",
                                        "whole",
                                        "partial",
                                        "spread",
                                        "never",
                                        "always",
                                        "fill_first",
                                        "round_robin",
                                        "least_loaded",
                                        "most_room",
                                        "barrier_or_slm",
                                        "head_only",
                                        "skip_blocked",
                                        "priority",
                                        "exclusive",
                                        "drains_core",
                                        "work_group",
                                        "static",
                                        "atomic",
                                        "= mod(tile, 3) + 1",
                                        "thread",
                                        "lognormal",
                                        "normal",
                                        "uniform",
                                        "exponential",
                                        "evens_then_odds",
                                        "ascending",
                                        "in_order",
                                        "after_end",
                                        "out_of_order",
                                        "completed",
                                        "stalled",
                                        "known_gap",
                                        "host_to_device",
                                        "device_to_host",
                                        "tiny",
                                        "0-3",
                                        " ps",
                                        " ns",
                                        " us",
                                        " ms",
                                        " s",
                                        " cycles",
                                        " B",
                                        " KiB",
                                        " MiB",
                                        " GiB",
                                        " GB/s",
                                        " kHz",
                                        " GHz",
                                        " %",
                                        "4294967295",
                                        "4294967296",
                                        "9223372036854775807",
                                        "18446744073709551615",
                                        "1e18",
                                        "0.000001",
                                        "100000",
                                        "time_ns",
                                        "time_ms",
                                        "Bin Start Time",
                                        "Bin End Time",
                                        "occupancy_percent",
                                        "percent",
                                        "duration_ns",
                                        "=== ",
                                        "[]",
                                        "{}",
                                        ": ",
                                        "- ",
                                        "\n- ",
                                        "\n  ",
                                        "cyclic",
                                        "contiguous",
                                        "aligned_ranges",
                                        "counted",
                                        "core_group",
                                        "device",
                                        "core",
                                        "asynchronous: true",
                                        "written: {whole: 1, partial: 31}",
                                        "written_sector: {whole: 32 B, partial: 64 B}",
                                        "excess_sectors: 7",
                                        " cycles/thread"};

template <class Words>
void add(std::set<std::string>& words, const Words& more, std::string_view behind) {
  for (const std::string_view word : more) words.insert(std::string(word) + std::string(behind));
}

}  // namespace

std::set<std::string> words() {
  std::set<std::string> words;
  const auto all = [&](const auto&... keys) { (add(words, keys, ": "), ...); };
  all(keys::kScenario, keys::kCase, keys::kDispatch, keys::kPartition, keys::kInterval, keys::kBatch,
      keys::kPerCoreCount, keys::kKernel, keys::kVariation, keys::kStep, keys::kMemoryStep, keys::kWaitMemory,
      keys::kSlmStep, keys::kL1Access, keys::kL1, keys::kAtomic, keys::kLoop, keys::kOnly, keys::kLaunch, keys::kCopy,
      keys::kChild, keys::kQueue, keys::kExpectation, keys::kLaunchTimes, keys::kShareOnCore, keys::kDevice, keys::kSlm,
      keys::kSlmAccess, keys::kBarrierCost, keys::kAtomics, keys::kMemory, keys::kMemoryLevel, keys::kRegisters,
      keys::kScalarRegisters, keys::kCopyEngines, keys::kLargeGrf, keys::kClusters, keys::kClusterSizes,
      keys::kContexts, keys::kCoreGroup, keys::kMode, keys::kTerms, keys::kDefaults, keys::kDevicePartition,
      keys::kChildren, keys::kOwnCores, keys::kSubmission, keys::kClock, keys::kLink, keys::kCollective);
  add(words, kOccupancyFields, "");
  add(words, kValues, "");
  return words;
}

}  // namespace gdsim::fuzz
