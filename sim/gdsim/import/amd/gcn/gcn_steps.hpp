#pragma once

#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/amd/gcn/gcn_profile.hpp>
#include <gdsim/import/imported_scenario.hpp>
#include <gdsim/yaml/yaml_value.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {

/// Totals of the instructions between two waits, over all executions of some waves.
struct GcnSegment {
  std::array<std::uint64_t, kGcnKinds.size()> issued{};       ///< by kind
  std::map<std::string, std::uint64_t> multiply_adds;         ///< by kind
  std::vector<std::pair<std::uint32_t, GcnAccess>> accesses;  ///< in global memory, by instruction
  GcnAccess lds;
  std::uint32_t lds_bytes = 4;   ///< of a lane's widest access
  std::uint64_t stored = 0;      ///< bytes
  std::uint64_t whole = 0;       ///< stored sectors that are written completely
  std::uint32_t first_line = 0;  ///< 0: nothing was added
  std::uint32_t last_line = 0;

  /// Adds what an instruction issues, stores and requests of L1 and LDS. Bytes that it loads are not counted here.
  void add(const GcnProgram& program, const GcnWaveCounts& counts, std::uint32_t instruction);
};

/// Adds the steps of a segment: `issue`, `slm`, `store`. `per` is the number of executions that it counts.
void add_gcn_steps_of(const GcnSegment& segment, std::uint64_t per, const GcnProgram& program, const DeviceSpec& device,
                      YamlValue& steps);

/// Adds the steps of the kernel's waves, or the reasons why there are none. Loads go out when the wave next waits, and
/// `s_waitcnt vmcnt(N)` waits for those that it does not leave outstanding. Accesses to LDS take their time where the
/// wave waits for them. Where waves do different things, the steps between barriers are written for each class of them.
void add_gcn_steps(const GcnProfile& profile, const DeviceSpec& device, ImportedProgram& program);

}  // namespace gdsim
