#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gdsim {

/// Texts that many launches have in common, each kept once.
class TextPool {
 public:
  /// The number of this text, from 0 in the order in which texts came.
  std::uint32_t number(std::string_view text);
  /// The text of a number that this pool gave.
  const std::string& operator[](std::uint32_t number) const { return *texts_[number]; }
  std::size_t size() const { return texts_.size(); }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<const std::string*> texts_;  ///< keys of numbers_, which stay where they are
};

/// What a device was busy with.
enum class ProfiledWork : std::uint8_t { kernel, host_to_device, device_to_host, other_copy, fill };

/// What a profiler counted of one launch, all its threads together.
struct ProfiledCounters {
  std::uint64_t instructions = 0;                                ///< of threads: of warps
  std::vector<std::pair<std::string, std::uint64_t>> by_kind{};  ///< of them, by kind of arithmetic; others are left
  std::uint64_t cache_bytes = 0;                                 ///< to and from what all cores share
  std::uint64_t memory_bytes = 0;                                ///< to and from the memory behind that
  std::optional<std::uint64_t> achieved_hundredths{};            ///< achieved occupancy, hundredths of a percent
};

/// One entry of a profile: a launch of a kernel, or bytes that were moved or set. What a file does not hold is nothing
/// (an extent: zeros), and never a default.
struct ProfiledLaunch {
  ProfiledWork work = ProfiledWork::kernel;
  std::uint32_t name = 0;                    ///< in Profile::texts
  std::uint32_t queue = 0;                   ///< its queue or stream, in Profile::texts; the empty text: not named
  std::uint32_t device = 0;                  ///< what the file calls its device, in Profile::texts
  std::optional<Int128> start{};             ///< picoseconds on the profiler's clock
  std::optional<std::int64_t> duration{};    ///< picoseconds
  Extent grid{};                             ///< work-groups, as x, y, z; zeros: not known
  Extent block{};                            ///< work-items of a work-group, as x, y, z; zeros: not known
  bool grid_counts_items = false;            ///< `grid` still holds work-items; settle_grids() divides
  std::optional<std::uint32_t> registers{};  ///< vector registers per work-item
  std::optional<std::uint32_t> accumulation_registers{};
  std::optional<std::uint32_t> scalar_registers{};  ///< per thread
  std::optional<std::uint64_t> static_slm{};        ///< bytes per work-group; of both kinds where a file has one number
  std::optional<std::uint64_t> dynamic_slm{};       ///< bytes per work-group, given at launch
  std::optional<std::uint32_t> sub_group{};         ///< work-items per thread
  bool large_grf = false;                           ///< compiled for the large register file, of Intel's
  std::uint64_t cluster = 0;                        ///< work-groups of a cluster; 0: none, or not known
  std::optional<std::uint64_t> bytes{};             ///< of a copy; of a collective: of its whole buffer
  std::uint32_t group = 0;                          ///< devices of a collective; 0: none, or not known
  std::uint64_t correlation = 0;                    ///< ties it to a call of the host; 0: not known
  std::uint64_t count = 1;                          ///< equal launches that the entry stands for
  std::uint32_t counters = 0;                       ///< in Profile::counters, from 1 on; 0: nothing was counted
  std::uint64_t place = 0;                          ///< line, row or byte offset in the file
};

/// What a profile says about a device that it saw.
struct ProfiledDevice {
  std::string key;     ///< as launches of the file call it: `0`, `Agent 4`
  std::string name;    ///< the product, as the driver calls it; empty: not said
  std::string family;  ///< the model of its family: `cc-8.0`, `gfx942`; empty: not said
  std::optional<std::uint32_t> cores{};
  std::optional<Hertz> clock{};
  std::optional<std::uint32_t> sub_group{};
  std::optional<std::uint64_t> memory{};  ///< bytes
};

/// What a file says of a kernel beside its launches.
struct KernelProperties {
  std::optional<std::uint32_t> sub_group{};
  std::optional<std::uint64_t> slm{};
  bool large_grf = false;
};

/// All that was read from one profile, in the order of the file.
struct Profile {
  std::string format;  ///< for people: `Nsight Systems, SQLite`
  std::string file;
  std::string place_word = "line";  ///< what ProfiledLaunch::place counts: `line`, `row`, `byte`
  TextPool texts;
  std::vector<ProfiledDevice> devices;
  std::vector<ProfiledLaunch> launches;
  std::vector<ProfiledCounters> counters;
  std::map<std::string, KernelProperties, std::less<>> properties;  ///< by the names of kernels
  std::vector<std::string> notes;                                   ///< what was assumed or not used, each a sentence
  std::map<std::string, std::uint64_t> left_out;  ///< why entries are not among the launches: how many
};

/// So many launches are read of one profile.
inline constexpr std::size_t kMaxProfiledLaunches = 4'000'000;
/// What a number of a profile may be at most: work-items or work-groups of a dimension, bytes, registers.
inline constexpr std::uint64_t kMaxProfiledSize = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kMaxProfiledGroup = std::uint64_t{1} << 30;
inline constexpr std::uint64_t kMaxProfiledBytes = std::uint64_t{1} << 50;
inline constexpr std::uint64_t kMaxProfiledRegisters = 1'024;
/// A duration or a time since the first launch is no longer: 50 days, in picoseconds.
inline constexpr Int128 kMaxProfiledSpan = Int128{1} << 62;

/// Adds a launch. Throws InputError if there are too many.
void add_launch(Profile& profile, ProfiledLaunch launch);

/// Divides grids that count work-items by the work-groups' sizes, rounding up: a rest is a smaller work-group. Launches
/// without a work-group size lose their grid.
void settle_grids(Profile& profile);

/// Adds to launches what the profile's properties say of their kernels, and they do not.
void apply_properties(Profile& profile);

/// Adds to `profile` what another file says of its kernels and devices. Throws InputError if both have launches.
void join_profile(Profile& profile, Profile other);

/// The device that launches call `key`; null if the file says nothing about it. A file that describes one device means
/// that one, whatever launches call it.
const ProfiledDevice* device_of(const Profile& profile, std::string_view key);

/// Throws InputError: `FILE: error: at WORD PLACE: WHAT`; for text, with the line.
[[noreturn]] void fail_at(const Profile& profile, std::uint64_t place, const std::string& what);

}  // namespace gdsim
