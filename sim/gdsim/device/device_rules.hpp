#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/device/core_resources.hpp>
#include <gdsim/device/device_spec.hpp>

#include <cstdint>
#include <string>
#include <string_view>

/// The largest value of every number of a device. The limits are far beyond any GPU, and keep derived values within
/// memory, within 64 bits, and short. `gdsim help device` lists them.
namespace gdsim::device_limits {

inline constexpr std::uint64_t kCores = 100'000;
inline constexpr std::uint64_t kContextsPerCore = 10'000;  ///< also of engines, and of contexts per engine
inline constexpr std::uint64_t kSubGroup = 1'024;          ///< work-items
inline constexpr std::uint64_t kWorkGroup = 1'048'576;     ///< work-items
inline constexpr std::uint64_t kRegisters = 1'000'000'000;
inline constexpr std::uint64_t kCopyEngines = 1'024;
inline constexpr std::uint64_t kBatch = 1'000'000;   ///< launches that the host sends at once
inline constexpr std::uint64_t kScopes = 1'048'576;  ///< groups that share a level, times cores, or contexts of one
inline constexpr std::uint64_t kMemoryLevels = 16;
inline constexpr std::uint64_t kArithmeticKinds = 60;  ///< a step notes in a word which pipes have served it
inline constexpr std::uint64_t kCluster = 10'000;      ///< work-groups of a cluster
inline constexpr std::uint64_t kBanks = 4'096;
inline constexpr std::uint64_t kSlmAccesses = 64;  // side by side
inline constexpr Bytes kBankWidth{4'096};
inline constexpr Bytes kWrittenSector{4'096};
inline constexpr Bytes kMemoryLine{4'096};
inline constexpr Bytes kMemory{std::int64_t{1} << 40};              ///< SLM, a cache, bytes in flight: 1 TiB
inline constexpr BytesPerSecond kBandwidth{1'000'000'000'000'000};  ///< 1000 TB/s
inline constexpr Hertz kClock{1'000'000'000'000};                   ///< 1000 GHz
inline constexpr std::uint64_t kClockChanges = 1'000;
inline constexpr std::uint64_t kPowerLevels = 100;            ///< clocks for which a context's power is listed
inline constexpr Power kPower{1'000'000'000'000};             ///< of a device: 1 MW
inline constexpr Power kContextPower{1'000'000'000};          ///< 1 kW
inline constexpr Duration kDeviceLatency{1'000'000'000'000};  ///< of memory, SLM and barriers: 1 s
inline constexpr Duration kHostLatency{std::int64_t{1'000'000'000'000} *
                                       1'000};  ///< of submission, launch, copy: 1000 s

}  // namespace gdsim::device_limits

namespace gdsim {

/// Something that a device may have or not. Its model says how fast or how large it is, or `none`, which is noted in
/// DeviceSpec::lacks, or it does not know: the key is left out, or its value is `unknown`. What a model does not know
/// is no fact about the device, and a refusal must not say so.
struct Capability {
  std::string_view key;     ///< in a device file: `large_grf`
  std::string_view name;    ///< behind `has no`: `large-GRF mode`
  std::string_view unsaid;  ///< behind `does not say`: `whether it has a large-GRF mode`
  std::string_view line;    ///< a value of the key to paste: `large_grf: {contexts_per_thread: 2}`
};

namespace capabilities {

inline constexpr Capability kClusters{"clusters", "clusters", "whether it has clusters",
                                      "clusters: {within: gpc, max: 8}"};
inline constexpr Capability kPreferredClusters{"clusters.preferred", "preferred sizes of clusters",
                                               "whether its clusters may have a preferred size",
                                               "clusters: {preferred: true}"};
inline constexpr Capability kLargeGrf{"large_grf", "large-GRF mode", "whether it has a large-GRF mode",
                                      "large_grf: {contexts_per_thread: 2}"};
inline constexpr Capability kCopy{"copy", "copy engines", "what its copy engines and your link do",
                                  "copy: {engines: 2, bandwidth: 25 GB/s}"};
inline constexpr Capability kL1{"l1", "L1", "how fast its L1 is", "l1: {lines_per_cycle: 1}"};
inline constexpr Capability kSlmAccess{"slm_access", "SLM", "how many banks its SLM has and how wide they are",
                                       "slm_access: {banks: 32, bank_width: 4 B}"};
inline constexpr Capability kMemory{"memory", "global memory", "how fast its global memory is",
                                    "memory: {levels: [{name: DRAM, bandwidth: 1 TB/s, latency: 400 ns}]}"};
inline constexpr Capability kSlmAtomics{"atomics.slm", "atomic accesses in SLM",
                                        "how many atomic accesses of one address its SLM serves per cycle",
                                        "atomics: {slm: 1}"};
inline constexpr Capability kGlobalAtomics{"atomics.global", "atomic accesses in global memory",
                                           "how many atomic accesses of one address its caches serve per cycle",
                                           "atomics: {global: 1}"};

}  // namespace capabilities

/// Returns true if the model says that the device does not have it. Thread-safe, as are all functions below.
bool lacks(const DeviceSpec& device, std::string_view key);

/// Returns what a refusal says of a capability that the device does not have, or of which its model says nothing, with
/// the line that decides it.
std::string why_missing(const DeviceSpec& device, const Capability& capability);

/// Returns the source that speaks for the value at this path, which has the longest path at or above it; null if none.
const FigureSource* figure_source_of(const DeviceSpec& device, std::string_view path);

/// Returns true for a lower-case letter followed by lower-case letters, digits and underscores, except `l1`, `mma` and
/// `count`: these keys of `issue` stand beside kinds. Thread-safe, as are all functions below.
bool is_kind_name(std::string_view kind);

/// The end of the message about a name that is_kind_name() rejects.
inline constexpr std::string_view kKindNameFault =
    "is no name of a kind of arithmetic: a lower-case letter, then lower-case letters, digits and underscores, as in "
    "fp32 or tensor_fp16; l1, mma and count are none";

/// Returns true if amounts of the kind are multiply-adds of a thread, not instructions.
bool is_tensor_kind(std::string_view kind);

/// Returns true if the rate is a multiple of a millionth, from a millionth to a million.
bool is_arithmetic_rate(const Decimal& rate);

/// Returns the rate of `kind`, or null if the device does not list it.
const Decimal* rate_of(const ArithmeticRule& arithmetic, std::string_view kind);

/// Returns the name of the pipe that executes the kind: `tensor` for all `tensor_` kinds, and the kind itself for
/// others, unless the rate names one.
std::string_view pipe_of(const ArithmeticRate& rate);

/// Returns true if the rate is a multiple of a thousandth, from a thousandth to a thousand.
bool is_atomic_rate(const Decimal& rate);

/// Returns the cycles that one address needs for `accesses` / `addresses` accesses, rounded up to a millionth.
/// `accesses` must be at most 2^30, `addresses` at least 1, and the rate is_atomic_rate().
StepTime cycles_in_turn(const Decimal& rate, std::uint64_t accesses, std::uint64_t addresses);

/// Returns the cycles for which a thread occupies the device if its work-items make `accesses` accesses, spread evenly
/// over `addresses` addresses of global memory: the cycles that one address needs for its share or, if more, those that
/// all accesses need at the total rate. An address has a rate of its own for floating-point accesses, if the device
/// names one. `rule` must have a `global` rate; otherwise as for cycles_in_turn().
StepTime cycles_of_global_atomics(const AtomicRule& rule, std::uint64_t accesses, std::uint64_t addresses,
                                  bool is_float);

/// Returns the cycles for which one atomic access of a thread keeps the banks busy: those of an access to neighboring
/// words of 4 bytes or, if more, those that the address with the most work-items needs, times the accesses that are
/// served side by side. The rate must be is_atomic_rate(), `addresses` at least 1.
StepTime cycles_per_slm_atomic(const SlmAccess& slm, const Decimal& rate, std::uint32_t sub_group,
                               std::uint64_t addresses);

// Rule, to the picosecond: a clock that follows power.
//
// `power` cuts time into periods, the first from 0 s on. A run begins under the device's `clock`. At the end of each
// period, the clock of the next one is chosen: the highest of those listed under which the device would take no more
// than `limit` if it held as many contexts as in the period that ended, on average. The device takes `idle`, and for
// each context that a thread holds the power listed for the clock. If it would take more than `limit` under every
// clock, the lowest is chosen. A clock is in force from the end of a period on, as one of `clock: {at: ...}` would be.

/// Returns the clock of the period after one in which contexts were held for `busy` context-picoseconds.
Hertz clock_after(const PowerRule& rule, Int128 busy);

}  // namespace gdsim
