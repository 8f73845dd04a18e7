#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// What a `gpgpusim.config` says of a GPU. Nothing where it does not.
struct GpgpuSimConfig {
  std::string family;                         ///< the model of its compute capability: `cc-7.0`; empty: not said
  std::optional<std::uint64_t> cores{};       ///< clusters x cores per cluster
  std::optional<std::uint64_t> schedulers{};  ///< engines of a core
  std::optional<std::uint64_t> threads{};     ///< resident work-items of a core
  std::optional<std::uint64_t> warp{};        ///< work-items
  std::optional<std::uint64_t> blocks{};      ///< work-groups of a core
  std::optional<std::uint64_t> registers{};   ///< of a core
  std::optional<std::uint64_t> shared{};      ///< bytes of a core
  std::optional<Hertz> clock{};               ///< of the cores
  std::optional<std::uint64_t> launch_cycles{};
  std::vector<std::string> unused;  ///< options that no model of gdsim has
};

/// The text is a configuration of GPGPU-Sim or Accel-Sim.
bool is_gpgpusim_config(std::string_view text);

/// Reads it. Throws InputError with all lines that cannot be read.
GpgpuSimConfig read_gpgpusim_config(const SourceText& source);

/// A device file called `name`, on the model of the family, that has what the configuration says. Throws InputError if
/// it says no compute capability.
std::string device_file_of(const GpgpuSimConfig& config, const std::string& name, const std::string& file);

}  // namespace gdsim
