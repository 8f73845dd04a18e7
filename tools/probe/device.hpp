// Reads the facts of the device from the runtime and a first kernel.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>

#include "gpu.hpp"
#include "kernels.hpp"
#include "launch.hpp"
#include "memory.hpp"
#include "plan.hpp"

namespace probe {

/// A device and its measured clocks.
struct Device {
  DeviceShape shape;
  std::string architecture, driver, runtime_version;
  double core_mhz_nominal = 0, memory_mhz_nominal = 0;
  std::uint64_t timer_hertz = 1000000000;
  std::uint64_t timer_step_ns = 0;
  int clock_bits = 64;

  std::uint64_t nanoseconds(std::uint64_t ticks) const {
    if (timer_hertz == 1000000000) return ticks;
    return static_cast<std::uint64_t>(
        std::llround(static_cast<double>(ticks) * 1e9 / static_cast<double>(timer_hertz)));
  }
};

/// First and last reading of both clocks, the smallest step of the timer, and the number of the clock's valid bits.
struct ClockRecord {
  std::uint64_t first_ticks, first_clock, last_ticks, last_clock, least_step, clock_bits;
};

/// Reads both clocks whenever the timer has advanced, for `span` ticks; at most `polls` readings.
__global__ void clock_kernel(ClockRecord* to, std::uint64_t span, std::uint32_t polls) {
  if (threadIdx.x != 0) return;
  std::uint64_t before = read_timer(), least = ~0ULL;
  ClockRecord record{};
  for (std::uint32_t i = 0; i < polls && record.last_ticks - record.first_ticks < span; ++i) {
    const std::uint64_t ticks = read_timer();
    if (ticks == before) continue;
    const std::uint64_t clock = read_clock();
    if (record.first_ticks == 0) {
      record.first_ticks = ticks;
      record.first_clock = clock;
    } else if (ticks - before < least) {
      least = ticks - before;
    }
    record.last_ticks = ticks;
    record.last_clock = clock;
    before = ticks;
  }
  record.least_step = least;
  record.clock_bits = kClockBits;
  *to = record;
}

inline int attribute(Attribute which, int device) {
  int value = 0;
  return succeeds(GPU(DeviceGetAttribute)(&value, static_cast<NativeAttribute>(which), device)) ? value : 0;
}

/// Measures the core clock for 200 us, after 50 ms of spinning: boost clocks rise only under load.
inline void measure_clocks(Device& device) {
  DeviceMemory<BlockRecord> records(1);
  DeviceMemory<ClockRecord> readings(1);
  const auto spinning = static_cast<std::uint64_t>(device.core_mhz_nominal > 0 ? device.core_mhz_nominal * 1000 : 1e6);
  for (int i = 0; i < 50; ++i) launch(spin_kernel<1>, 1, 32, 0, nullptr, SpinRequest{records.get(), spinning, 0, 0});
  launch(clock_kernel, 1, 32, 0, nullptr, readings.get(), device.timer_hertz / 5000, 1000000U);
  GPU_CHECK(GPU(DeviceSynchronize)());
  const ClockRecord read = readings.read()[0];
  device.clock_bits = static_cast<int>(read.clock_bits);
  device.timer_step_ns = device.nanoseconds(read.least_step);
  const double us = static_cast<double>(device.nanoseconds(read.last_ticks - read.first_ticks)) / 1000;
  const std::uint64_t mask = device.clock_bits == 64 ? ~0ULL : (1ULL << device.clock_bits) - 1;
  const auto cycles = static_cast<double>((read.last_clock - read.first_clock) & mask);
  if (us <= 0 || cycles <= 0) throw GpuError("the timer or the clock of the device stands still");
  device.shape.cycles_per_us = cycles / us;
}

inline Device find_device(int number) {
  int count = 0;
  const GPU(Error_t) status = GPU(GetDeviceCount)(&count);
  if (!succeeds(status) || count == 0) {
    throw GpuError(std::string("no GPU that this program can use: ") + GPU(GetErrorString)(status));
  }
  if (number >= count) {
    throw GpuError("--device is " + std::to_string(number) + "; there are " + std::to_string(count) + ", from 0");
  }
  GPU_CHECK(GPU(SetDevice)(number));
  Device device;
  Properties properties;
  GPU_CHECK(GPU(GetDeviceProperties)(&properties, number));
  device.shape.name = properties.name;
  device.architecture = architecture_name(properties);
  int driver = 0, runtime = 0;
  GPU_CHECK(GPU(DriverGetVersion)(&driver));
  GPU_CHECK(GPU(RuntimeGetVersion)(&runtime));
  device.driver = std::to_string(driver);
  device.runtime_version = std::to_string(runtime);
  DeviceShape& shape = device.shape;
  shape.cores = static_cast<unsigned>(attribute(kCores, number));
  shape.threads_per_core = static_cast<unsigned>(attribute(kThreadsPerCore, number));
  shape.warp = static_cast<unsigned>(attribute(kWarpSize, number));
  shape.shared_per_core = static_cast<unsigned>(attribute(kSharedPerCore, number));
  shape.shared_per_block = static_cast<unsigned>(attribute(kSharedPerBlock, number));
  // Old runtimes do not report the amount per core, which is at least the limit per block.
  shape.shared_per_core = std::max(shape.shared_per_core, shape.shared_per_block);
  shape.l2_bytes = static_cast<unsigned>(attribute(kL2Bytes, number));
  shape.major = attribute(kMajor, number);
  shape.minor = attribute(kMinor, number);
  if (device.architecture.empty()) {
    device.architecture = "cc-" + std::to_string(shape.major) + "." + std::to_string(shape.minor);
  }
#ifdef PROBE_CLUSTERS
  shape.clusters = shape.major >= 9;
#else
  shape.clusters = false;
#endif
  std::size_t free_bytes = 0, total_bytes = 0;
  GPU_CHECK(GPU(MemGetInfo)(&free_bytes, &total_bytes));
  shape.free_bytes = free_bytes;
  if (shape.cores == 0 || shape.threads_per_core == 0)
    throw GpuError("the runtime does not say how large the device is");
  device.core_mhz_nominal = attribute(kCoreClockKhz, number) / 1000.0;
  device.memory_mhz_nominal = attribute(kMemoryClockKhz, number) / 1000.0;
  device.timer_hertz = timer_hertz(number);
  measure_clocks(device);
  return device;
}

}  // namespace probe
