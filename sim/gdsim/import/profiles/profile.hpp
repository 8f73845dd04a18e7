#pragma once

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/quantity.hpp>
#include <gdsim/base/read_budget.hpp>
#include <gdsim/workload/kernel.hpp>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace gdsim {

/// Texts that many launches share. Each is stored once.
class TextPool {
 public:
  /// Returns the number of this text. Numbers begin at 0, in the order of first calls.
  std::uint32_t number(std::string_view text);
  /// Returns the text with this number of this pool.
  const std::string& operator[](std::uint32_t number) const { return *texts_[number]; }
  std::size_t size() const { return texts_.size(); }

 private:
  std::unordered_map<std::string, std::uint32_t> numbers_;
  std::vector<const std::string*> texts_;  ///< keys of numbers_, which never move
};

/// The kind of work.
enum class ProfiledWork : std::uint8_t { kernel, host_to_device, device_to_host, other_copy, fill };

/// A profiler's counts for one launch, summed over all its threads.
struct ProfiledCounters {
  std::uint64_t instructions = 0;                                ///< executed by threads (warps)
  std::vector<std::pair<std::string, std::uint64_t>> by_kind{};  ///< by kind of arithmetic; the rest are others
  std::uint64_t cache_bytes = 0;                                 ///< to and from the cache shared by all cores
  std::uint64_t memory_bytes = 0;                                ///< to and from the memory behind that cache
  std::optional<std::uint64_t> achieved_hundredths{};            ///< achieved occupancy, hundredths of a percent
};

/// One entry of a profile: a kernel launch, or a copy or fill of bytes. A value that the file lacks is nullopt (zeros
/// in an extent), never a default.
struct ProfiledLaunch {
  ProfiledWork work = ProfiledWork::kernel;
  std::uint32_t name = 0;                    ///< in Profile::texts
  std::uint32_t queue = 0;                   ///< its queue or stream, in Profile::texts; the empty text: not named
  std::uint32_t device = 0;                  ///< the file's name of its device, in Profile::texts
  std::optional<Int128> start{};             ///< picoseconds on the profiler's clock
  std::optional<std::int64_t> duration{};    ///< picoseconds
  Extent grid{};                             ///< work-groups, as x, y, z; zeros: not known
  Extent block{};                            ///< work-items of a work-group, as x, y, z; zeros: not known
  bool grid_counts_items = false;            ///< `grid` still holds work-items; settle_grids() divides
  std::optional<std::uint32_t> registers{};  ///< vector registers per work-item
  std::optional<std::uint32_t> accumulation_registers{};
  std::optional<std::uint32_t> scalar_registers{};  ///< per thread
  std::optional<std::uint64_t> static_slm{};        ///< bytes per work-group; both kinds if the file has one number
  std::optional<std::uint64_t> dynamic_slm{};       ///< bytes per work-group, given at launch
  std::optional<std::uint32_t> sub_group{};         ///< work-items per thread
  bool large_grf = false;                           ///< compiled for the large register file (Intel)
  std::uint64_t cluster = 0;                        ///< work-groups of a cluster; 0: none, or not known
  std::uint32_t active_clusters = 0;                ///< at once, as the driver counted them; 0: not known
  std::uint32_t slm_of_core = 0;                    ///< bytes that the driver set on each core; 0: not known
  std::optional<std::uint64_t> bytes{};             ///< of a copy, or of the whole buffer of a collective
  std::uint32_t group = 0;                          ///< number of devices in a collective; 0: none, or not known
  std::uint64_t correlation = 0;                    ///< number that links it to a host call; 0: not known
  std::uint64_t count = 1;                          ///< number of equal launches in this entry
  std::uint32_t counters = 0;                       ///< in Profile::counters, from 1 on; 0: nothing was counted
  std::uint64_t place = 0;                          ///< line, row or byte offset in the file
};

/// A profile's information on one device.
struct ProfiledDevice {
  std::string key;     ///< its name in the file's launches: `0`, `Agent 4`
  std::string name;    ///< the driver's product name; empty: not known
  std::string family;  ///< the model of its family: `cc-8.0`, `gfx942`; empty: not known
  std::optional<std::uint32_t> cores{};
  std::optional<Hertz> clock{};
  std::optional<std::uint32_t> sub_group{};
  std::optional<std::uint64_t> memory{};  ///< bytes
};

/// A file's information on a kernel, apart from its launches.
struct KernelProperties {
  std::optional<std::uint32_t> sub_group{};
  std::optional<std::uint64_t> slm{};
  bool large_grf = false;
};

/// The content of one profile, in the order of the file.
struct Profile {
  std::string format;  ///< for people: `Nsight Systems, SQLite`
  std::string file;
  std::shared_ptr<ReadBudget> budget = std::make_shared<ReadBudget>();  ///< charged for all that is kept
  std::string place_word = "line";  ///< what ProfiledLaunch::place counts: `line`, `row`, `byte`
  TextPool texts;
  std::vector<ProfiledDevice> devices;
  std::vector<ProfiledLaunch> launches;
  std::vector<ProfiledCounters> counters;
  std::map<std::string, KernelProperties, std::less<>> properties;  ///< by the names of kernels
  std::vector<std::string> notes;                                   ///< what was assumed or not used, each a sentence
  std::map<std::string, std::uint64_t> left_out;                    ///< number of omitted entries by reason
};

/// The maximum number of launches that are read from a profile.
inline constexpr std::size_t kMaxProfiledLaunches = 4'000'000;
/// The maximum of a number in a profile: work-items or work-groups of a dimension, bytes, registers.
inline constexpr std::uint64_t kMaxProfiledSize = std::uint64_t{1} << 40;
inline constexpr std::uint64_t kMaxProfiledGroup = std::uint64_t{1} << 30;
inline constexpr std::uint64_t kMaxProfiledBytes = std::uint64_t{1} << 50;
inline constexpr std::uint64_t kMaxProfiledRegisters = 1'024;
/// The maximum of a duration, or of a time since the first launch: 50 days, in picoseconds.
inline constexpr Int128 kMaxProfiledSpan = Int128{1} << 62;

/// Adds a launch, for which the budget is charged. Throws InputError if there are too many.
void add_launch(Profile& profile, ProfiledLaunch launch);

/// Sorts the launches from number `first` on by their start; those without one come first. Equal ones keep their order.
void sort_by_start(Profile& profile, std::size_t first);

/// Adds a device, for which the budget is charged.
void add_device(Profile& profile, ProfiledDevice device);

/// Divides grids that count work-items by the work-group sizes, rounding up: the last work-group may be smaller.
/// Launches without a work-group size lose their grid.
void settle_grids(Profile& profile);

/// Adds to each launch the profile's properties of its kernel that the launch lacks.
void apply_properties(Profile& profile);

/// Adds another file's information on kernels and devices to `profile`. Throws InputError if both have launches.
void join_profile(Profile& profile, Profile other);

/// Returns the device whose launches refer to it as `key`, or null if the file does not describe it. If the file
/// describes only one device, the result is that device for every key.
const ProfiledDevice* device_of(const Profile& profile, std::string_view key);

/// Throws InputError `FILE: error: at WORD PLACE: WHAT`, with the line for texts.
[[noreturn]] void fail_at(const Profile& profile, std::uint64_t position, const std::string& message);

/// Returns the direction of a copy, or a fill, by its text: `[CUDA memcpy HtoD]`, `Host-to-Device`, `HtoD`, `memset`.
/// Any other text is a kernel.
ProfiledWork work_named(std::string_view text);

/// A file that may be a profile. Initially only its head is read, because profiles may exceed the memory.
class ProfileInput {
 public:
  /// Reads the head, decompressed if the file is compressed with gzip. Throws InputError if the file cannot be read.
  explicit ProfileInput(const std::filesystem::path& path);
  /// All bytes of an input that is no file, decompressed in the same way.
  ProfileInput(std::string name, std::string_view text);

  const std::filesystem::path& path() const { return path_; }
  const std::string& name() const { return name_; }
  bool is_gzip() const { return is_gzip_; }
  /// The first kHead bytes, or all bytes if there are fewer.
  std::string_view head() const { return head_; }
  bool head_is_all() const { return head_is_all_; }
  /// The file's budget, which all of its readers share.
  const std::shared_ptr<ReadBudget>& budget() const { return budget_; }
  /// Returns the whole text, decompressed, which is read at the first call. Valid as long as this object. Throws
  /// InputError if it takes more memory than the budget allows.
  const SourceText& text() const;
  /// Throws InputError: `FILE: error: WHAT`.
  [[noreturn]] void fail(const std::string& message) const;

  static constexpr std::size_t kHead = std::size_t{1} << 20;

 private:
  std::filesystem::path path_;
  std::string name_;
  std::shared_ptr<ReadBudget> budget_;
  bool is_gzip_ = false;
  std::string head_;
  bool head_is_all_ = false;
  mutable std::unique_ptr<SourceText> text_;
};

/// Returns the printed number x 10^`exponent`, rounded once to a whole number, halves up: `506.66026` milliseconds and
/// 9 give 506660260000 picoseconds. Accepts signs, leading zeros, exponents, and commas between thousands. Returns
/// nullopt if the text is no number, or its value exceeds 96 bits.
std::optional<Int128> scaled_number(std::string_view text, int exponent);

/// Returns a whole number from 0 to `most`, or nullopt. `12.0` is whole, too.
std::optional<std::uint64_t> whole_number(std::string_view text, std::uint64_t most);

/// Returns the bytes of a unit, or nullopt: 1 of `B`, `byte`, `byte/block`; 1000 of `KB` and `Kbyte`; 1024 of `KiB`.
std::optional<std::uint64_t> bytes_of_unit(std::string_view unit);

/// Returns the bytes of shared memory that a tool printed in units of `unit` bytes, rounded to the decimals of `text`.
/// Among the whole numbers that `text` may represent, the result is the only multiple of 1024, 128, 16 or 4, in this
/// order; if there is none, it is the printed number. Returns nullopt if the text is no number.
std::optional<std::uint64_t> snapped_bytes(std::string_view text, std::uint64_t unit);

/// Returns true if the file is a profile in a format that read_profile() can read.
bool is_profile(const ProfileInput& input);

/// Reads a profile in the format of its content. Throws InputError with the position if it cannot be read.
Profile read_profile(const ProfileInput& input);

/// Names of the formats, for messages.
std::string profile_formats_text();

}  // namespace gdsim
