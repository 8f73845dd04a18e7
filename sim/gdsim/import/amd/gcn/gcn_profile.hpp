#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/device/core_resources.hpp>
#include <gdsim/device/device_spec.hpp>
#include <gdsim/import/amd/gcn/gcn_program.hpp>
#include <gdsim/import/imported_scenario.hpp>
#include <gdsim/import/ptx/block_log.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>
#include <gdsim/import/warp_steps.hpp>
#include <gdsim/yaml/yaml_value.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gdsim {

inline constexpr std::uint32_t kGcnLanes = 64;  ///< the most of a wave
inline constexpr std::uint64_t kStoreSector = 32;

using GcnAddresses = std::array<std::uint64_t, kGcnLanes>;

/// Totals of the requests of one instruction.
struct GcnAccess {
  std::uint64_t requests = 0;
  std::uint64_t lanes = 0;
  std::uint64_t lines = 0;      ///< of L1
  std::uint64_t coalesced = 0;  ///< of L1, if lanes accessed neighbouring addresses
  std::uint64_t missed = 0;     ///< bytes of lines that L1 does not hold; of stores, of sectors of 32 bytes
  std::uint64_t misses = 0;     ///< requests of loads for lines of which L1 does not hold all
  std::uint64_t whole = 0;      ///< sectors that a request of a store writes completely
  std::uint64_t bank_cycles = 0;
  std::uint32_t max_same = 0;  ///< lanes of an atomic request at one address

  void add(const GcnAccess& other);
};

/// The execution of one wave.
struct GcnWaveCounts {
  explicit GcnWaveCounts(const GcnProgram& program)
      : executions(program.classes.size()),
        accesses(program.classes.size()),
        entries(program.loops.size()),
        iterations(program.loops.size()) {}
  void add(const GcnWaveCounts& other);

  std::vector<std::uint64_t> executions;  ///< by instruction
  std::vector<GcnAccess> accesses;        ///< by instruction
  std::vector<std::uint64_t> entries;     ///< by loop
  std::vector<std::uint64_t> iterations;  ///< by loop
};

/// The L1 cache of a CU, as far as one work-group has it, and the banks of its LDS.
struct GcnCaches {
  std::uint64_t line = 64;  ///< bytes
  std::size_t lines = 0;    ///< that L1 holds of a work-group
  SlmAccess banks{32, Bytes{4}, {}};
};

/// Counts what waves of work-groups do.
class GcnLog {
 public:
  GcnLog(const GcnProgram& program, const GcnCaches& caches) : program_(program), caches_(caches), l1_(caches.lines) {}

  /// Begins the next work-group, with an empty L1.
  void begin_group() {
    l1_.clear();
    waves.clear();
  }
  GcnWaveCounts& counts_of(std::size_t wave) {
    while (waves.size() <= wave) waves.emplace_back(program_);
    return waves[wave];
  }

  /// Logs a request of the lanes of `active` in global memory.
  void on_global(std::size_t wave, std::uint32_t instruction, const GcnAddresses& addresses, std::uint64_t active);
  /// Logs a request in LDS, whose instruction may access two addresses of each lane: `pieces` has one or two.
  void on_lds(std::size_t wave, std::uint32_t instruction, const std::vector<GcnAddresses>& pieces,
              std::uint64_t active);
  /// Logs a request with unknown addresses that touches so many sectors of 32 bytes, or takes so many cycles of banks.
  void on_gather(std::size_t wave, std::uint32_t instruction, std::uint64_t active, std::uint32_t sectors);

  std::vector<GcnWaveCounts> waves;  ///< of the current work-group
  std::uint64_t instructions = 0;    ///< of all waves so far
  BlockLog::KeptSectors loaded;      ///< lines that L1 does not hold, of all work-groups
  BlockLog::KeptSectors stored;      ///< sectors
  std::uint64_t gathered = 0;        ///< bytes that loads with unknown addresses request, of all work-groups
  /// Lanes by instruction and address of atomic accesses to global memory.
  std::map<std::uint32_t, std::unordered_map<std::uint64_t, std::uint64_t>> atomics;

 private:
  void count_loaded(std::uint32_t instruction, const std::vector<std::uint64_t>& lines, GcnAccess& counts);
  void count_stored(const GcnAddresses& addresses, std::uint64_t active, std::uint32_t bytes, GcnAccess& counts);
  void count_atomic(std::uint32_t instruction, const GcnAddresses& addresses, std::uint64_t active, GcnAccess& counts);

  const GcnProgram& program_;
  GcnCaches caches_;
  SectorCache l1_;
};

/// The execution of a kernel's work-groups.
struct GcnProfile {
  GcnProgram program;
  std::vector<WarpClass<GcnWaveCounts>> classes;  ///< of one work-group, in the order of their first waves
  std::uint64_t waves = 0;                        ///< of a work-group
  std::uint64_t groups = 0;
  std::uint64_t followed_groups = 1;
  double distinct_loads = 1;    ///< distinct lines that followed work-groups load from L2 / all of them
  double distinct_stores = 1;   ///< the same for stored sectors
  double loaded_footprint = 0;  ///< bytes that the whole launch loads, if later work-groups load other lines
  /// By instruction, of atomic accesses to global memory: such a number of addresses that each is accessed as often as
  /// the one that is accessed most often.
  std::map<std::uint32_t, std::uint64_t> atomic_addresses;
  std::vector<std::string> notes;
  std::string reason;  ///< unless empty, why no program stands for all work-groups

  /// Returns the counts of all waves of the work-group.
  GcnWaveCounts total() const;
};

/// Maximum of instructions of waves that are executed for one kernel.
inline constexpr std::uint64_t kMaxGcnExecuted = 20'000'000;

/// Executes some work-groups. `resident` of them are on the device at once. Throws InputError with everything that code
/// and launch leave open, and if more than `max_instructions` of one work-group are executed.
GcnProfile gcn_profile_of(const GcnKernel& kernel, const PtxLaunch& launch, const GcnCaches& caches,
                          std::uint64_t resident, const SourceText& source,
                          std::uint64_t max_instructions = kMaxGcnExecuted);

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
