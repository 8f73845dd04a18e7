#include <gdsim/scenario/keys.hpp>
#include <gdsim/scenario/occupancy_question.hpp>

#include <cstdio>
#include <iterator>
#include <set>
#include <string>
#include <string_view>

/// Writes the words of gdsim's files in libFuzzer's form: every key that a reader knows, every column of an occupancy
/// table, and the words and shapes that stand as values. A new key comes into it by itself.
namespace {

using namespace gdsim;

template <class Keys>
void add(std::set<std::string>& words, const Keys& keys, std::string_view behind) {
  for (const std::string_view key : keys) words.insert(std::string(key) + std::string(behind));
}

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
                                        "thread",
                                        "lognormal",
                                        "normal",
                                        "uniform",
                                        "exponential",
                                        "evens_then_odds",
                                        "ascending",
                                        "in_order",
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
                                        "\\x0a- ",
                                        "\\x0a  "};

}  // namespace

int main() {
  std::set<std::string> words;
  const auto all = [&](const auto&... keys) { (add(words, keys, ": "), ...); };
  all(keys::kScenario, keys::kCase, keys::kDispatch, keys::kKernel, keys::kVariation, keys::kStep, keys::kSlmStep,
      keys::kLoop, keys::kOnly, keys::kLaunch, keys::kCopy, keys::kChild, keys::kQueue, keys::kExpectation,
      keys::kLaunchTimes, keys::kDevice, keys::kSlm, keys::kSlmAccess, keys::kBarrierCost, keys::kMemory,
      keys::kMemoryLevel, keys::kRegisters, keys::kScalarRegisters, keys::kCopyEngines, keys::kLargeGrf,
      keys::kCoreGroup, keys::kMode, keys::kTerms);
  add(words, kOccupancyFields, "");
  add(words, kValues, "");
  for (const std::string& word : words) std::printf("\"%s\"\n", word.c_str());
}
