// One call of the probe: the device, the folder of tables, the skipped runs, and the remaining GPU time.
#pragma once

#include <cstdint>
#include <ctime>
#include <string>

#include "csv.hpp"
#include "device.hpp"

namespace probe {

inline std::string compiled_by() {
#if defined(__CUDACC_VER_MAJOR__)
  return "nvcc " + std::to_string(__CUDACC_VER_MAJOR__) + "." + std::to_string(__CUDACC_VER_MINOR__);
#elif defined(__clang_version__)
  return std::string("clang ") + __clang_version__;
#else
  return std::string("g++ ") + __VERSION__;
#endif
}

inline std::string date_utc() {
  const std::time_t now = std::time(nullptr);
  char date[32];
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&now));
  return date;
}

struct Session {
  Device device;
  std::string folder;
  std::string experiment;           ///< the current one
  std::uint64_t timer_base_ns = 0;  ///< the origin of all times of the timer
  bool failed = false;
  Table skipped{"skipped"};

  /// Returns the comment lines above a table. They hold nothing that identifies a machine or a person.
  std::string header(const std::string& table) const {
    const DeviceShape& shape = device.shape;
    const std::string values[] = {"1",
                                  table,
                                  experiment,
                                  PROBE_RUNTIME,
                                  shape.name,
                                  device.architecture,
                                  text(shape.cores),
                                  text(shape.threads_per_core),
                                  text(shape.shared_per_core),
                                  text(shape.l2_bytes),
                                  decimal(device.core_mhz_nominal),
                                  decimal(shape.cycles_per_us),
                                  decimal(device.memory_mhz_nominal),
                                  text(device.timer_hertz),
                                  text(device.timer_step_ns),
                                  text(timer_base_ns),
                                  std::to_string(device.clock_bits),
                                  device.driver,
                                  device.runtime_version,
                                  compiled_by(),
                                  date_utc()};
    static_assert(sizeof values / sizeof *values == sizeof kHeaderKeys / sizeof *kHeaderKeys);
    std::string lines;
    for (std::size_t i = 0; i < sizeof values / sizeof *values; ++i) {
      lines += std::string("# ") + kHeaderKeys[i] + ": " + values[i] + "\n";
    }
    return lines;
  }

  void write(const Table& table) const { table.write(folder, experiment, header(table.name())); }

  void skip(const std::string& run, const std::string& reason) {
    skipped.row({experiment, word(run), word(reason)});
    std::fprintf(stderr, "probe: %s: %s skipped: %s\n", experiment.c_str(), run.c_str(), reason.c_str());
  }

  /// Like a skip, but the program ends with status 1.
  void fail(const std::string& run, const std::string& reason) {
    skip(run, reason);
    failed = true;
  }

  std::int64_t after_base(std::uint64_t ticks) const {
    return static_cast<std::int64_t>(device.nanoseconds(ticks) - timer_base_ns);
  }
};

}  // namespace probe
