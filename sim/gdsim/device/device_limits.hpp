#pragma once

#include <gdsim/base/quantity.hpp>

#include <cstdint>

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
