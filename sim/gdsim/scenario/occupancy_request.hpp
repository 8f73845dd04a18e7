#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/occupancy/occupancy.hpp>
#include <gdsim/scenario/device/model_library.hpp>

#include <array>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace gdsim {

/// The fields of an occupancy query: columns of a table, options of the command line.
inline constexpr std::array<std::string_view, 16> kOccupancyFields{"device",
                                                                   "local",
                                                                   "sub_group",
                                                                   "global",
                                                                   "slm_bytes",
                                                                   "registers",
                                                                   "accumulation_registers",
                                                                   "scalar_registers",
                                                                   "barriers",
                                                                   "carveout_percent",
                                                                   "large_grf",
                                                                   "mode",
                                                                   "slm_dynamic_bytes",
                                                                   "slm_opt_in",
                                                                   "max_dynamic_slm_bytes",
                                                                   "cluster"};

/// The given values, by field; an absent or empty value was not given.
using OccupancyFields = std::map<std::string, std::string, std::less<>>;

/// A parsed request. All requests about a device share it.
struct OccupancyRequest {
  const DeviceSpec* device = nullptr;
  Kernel kernel;
  GlobalSize global = GlobalSize::any;
};

/// Reads requests; reads each device once.
class OccupancyRequestReader {
 public:
  OccupancyRequestReader(ModelLibrary& models, std::filesystem::path near);

  /// Reads a request. Throws InputError with all problems, after those of `known`.
  OccupancyRequest read(const OccupancyFields& fields, const Diagnostics& known = {});

 private:
  /// Returns null if the device cannot be read.
  const DeviceSpec* device(const std::string& name, const std::string& mode, Diagnostics& problems);

  ModelLibrary& models_;
  std::filesystem::path near_;
  std::map<std::pair<std::string, std::string>, DeviceSpec> devices_;
};

}  // namespace gdsim
