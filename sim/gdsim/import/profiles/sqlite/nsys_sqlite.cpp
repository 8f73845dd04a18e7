#include <gdsim/import/profiles/sqlite/sqlite_profile.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gdsim {
namespace {

constexpr const char* kNsysKernels = "CUPTI_ACTIVITY_KIND_KERNEL";
constexpr const char* kNsysGraphs = "CUPTI_ACTIVITY_KIND_GRAPH_TRACE";
/// Tables that are read, and those of waits and events, which are no work.
constexpr std::string_view kRead[] = {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY",
                                      "CUPTI_ACTIVITY_KIND_MEMSET", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
                                      "CUPTI_ACTIVITY_KIND_CUDA_EVENT"};

class NsysReader {
 public:
  NsysReader(Database& database, Profile& profile) : database_(database), profile_(profile) {}

  void read() {
    read_devices();
    if (database_.has_table(kNsysKernels)) read_kernels();
    read_moves("CUPTI_ACTIVITY_KIND_MEMCPY", false);
    read_moves("CUPTI_ACTIVITY_KIND_MEMSET", true);
    count_others();
  }

 private:
  void read_devices() {
    if (!database_.has_table("TARGET_INFO_GPU")) return;
    ProfileRows rows(
        database_, "TARGET_INFO_GPU",
        {"id", "name", "smCount", "threadsPerWarp", "computeMajor", "computeMinor", "clockRate", "totalMemory"},
        profile_);
    while (rows.next()) {
      ProfiledDevice device;
      device.key = std::to_string(rows.number("id", ~std::uint32_t{0}).value_or(0));
      device.name = rows.text("name");
      constexpr std::uint64_t most = 1 << 20;
      if (const auto cores = rows.number("smCount", most)) device.cores = static_cast<std::uint32_t>(*cores);
      if (const auto warp = rows.number("threadsPerWarp", most)) device.sub_group = static_cast<std::uint32_t>(*warp);
      device.memory = rows.number("totalMemory", kMaxProfiledBytes);
      constexpr std::uint64_t most_hertz = 100'000'000'000;
      if (const auto clock = rows.number("clockRate", most_hertz); clock && *clock > 0)
        device.clock = Hertz{static_cast<std::int64_t>(*clock)};
      const auto major = rows.number("computeMajor", most);
      if (major) device.family = fmt::format("cc-{}.{}", *major, rows.number("computeMinor", most).value_or(0));
      add_device(profile_, std::move(device));
    }
  }

  /// Returns the number in Profile::texts of a string in the file.
  std::uint32_t name_of(std::int64_t id, const ProfileRows& rows) {
    const auto [known, is_new] = names_.emplace(id, 0);
    if (is_new) {
      if (!strings_) strings_ = database_.prepare("SELECT value FROM StringIds WHERE id = ?1");
      strings_->bind(1, id);
      if (!strings_->step()) rows.fail(fmt::format("the name is string {}, which StringIds does not hold", id));
      known->second = profile_.texts.number(strings_->text(0));
      strings_->reset();
    }
    return known->second;
  }

  /// Returns a launch with the times, place and correlation of a row; nullopt if the row has lost its times.
  std::optional<ProfiledLaunch> timed(ProfileRows& rows) {
    ProfiledLaunch launch;
    launch.place = rows.row();
    if (!rows.read_times(launch)) return std::nullopt;
    launch.device = profile_.texts.number(std::to_string(rows.signed_number("deviceId").value_or(0)));
    const auto stream = rows.signed_number("streamId");
    launch.queue = profile_.texts.number(stream ? std::to_string(*stream) : "");
    launch.correlation = rows.number("correlationId", ~std::uint64_t{0} >> 1).value_or(0);
    return launch;
  }

  void read_kernels() {
    ProfileRows rows(database_, kNsysKernels,
                     {"start",
                      "end",
                      "deviceId",
                      "streamId",
                      "correlationId",
                      "demangledName",
                      "shortName",
                      "registersPerThread",
                      "gridX",
                      "gridY",
                      "gridZ",
                      "blockX",
                      "blockY",
                      "blockZ",
                      "staticSharedMemory",
                      "dynamicSharedMemory",
                      "sharedMemoryExecuted",
                      "clusterX",
                      "clusterY",
                      "clusterZ",
                      "maxActiveClusters"},
                     profile_);
    const std::size_t first = profile_.launches.size();
    while (rows.next()) {
      std::optional<ProfiledLaunch> read = timed(rows);
      if (!read) continue;
      ProfiledLaunch& launch = *read;
      auto name = rows.signed_number("demangledName");
      if (!name) name = rows.signed_number("shortName");
      if (!name) rows.fail("it has no name");
      launch.name = name_of(*name, rows);
      launch.grid = extent(rows, "gridX", "gridY", "gridZ");
      launch.block = extent(rows, "blockX", "blockY", "blockZ");
      if (const auto registers = rows.number("registersPerThread", kMaxProfiledRegisters))
        launch.registers = static_cast<std::uint32_t>(*registers);
      launch.static_slm = rows.number("staticSharedMemory", kMaxProfiledBytes);
      launch.dynamic_slm = rows.number("dynamicSharedMemory", kMaxProfiledBytes);
      const Extent cluster = extent(rows, "clusterX", "clusterY", "clusterZ");  // 0: none
      if (const auto size = volume(cluster); size && *size > 1 && *size <= kMaxProfiledRegisters)
        launch.cluster = *size;
      constexpr std::uint64_t most = ~std::uint32_t{0};
      launch.active_clusters = static_cast<std::uint32_t>(rows.number("maxActiveClusters", most).value_or(0));
      launch.slm_of_core = static_cast<std::uint32_t>(rows.number("sharedMemoryExecuted", most).value_or(0));
      add_launch(profile_, launch);
    }
    sort_by_start(profile_, first);
    if (!rows.has("registersPerThread"))
      profile_.notes.push_back("the file holds no registers and no shared memory of kernels");
  }

  /// Counts the rows of other tables that hold time on a device.
  void count_others() {
    std::vector<std::string> tables;
    auto all = database_.prepare(
        "SELECT m.name FROM sqlite_master m WHERE m.type = 'table' AND m.name LIKE 'CUPTI_ACTIVITY_KIND_%' AND "
        "m.name NOT GLOB '*[^A-Z0-9_]*' AND "
        "(SELECT count(*) FROM pragma_table_info(m.name) WHERE name IN ('start', 'end', 'deviceId')) = 3");
    while (all.step()) tables.push_back(all.text(0));
    for (const std::string& table : tables) {
      if (std::find(std::begin(kRead), std::end(kRead), table) != std::end(kRead)) continue;
      ProfileRows rows(database_, table, {"start"}, profile_);
      std::uint64_t count = 0;
      while (rows.next()) ++count;
      if (count > 0) profile_.left_out[reason_of(table)] += count;
    }
  }

  static std::string reason_of(const std::string& table) {
    if (table == kNsysGraphs)
      return "graphs, whose kernels the file does not hold: record with `nsys profile --cuda-graph-trace=node`";
    return "rows of " + table + ", which is not read";
  }

  static Extent extent(const ProfileRows& rows, std::string_view x, std::string_view y, std::string_view z) {
    Extent sizes{rows.number(x, kMaxProfiledSize).value_or(0), rows.number(y, kMaxProfiledSize).value_or(1),
                 rows.number(z, kMaxProfiledSize).value_or(1)};
    if (sizes[0] != 0)
      for (std::uint64_t& size : sizes) size = std::max<std::uint64_t>(size, 1);
    return sizes;
  }

  void read_moves(const std::string& table, bool is_fill) {
    if (!database_.has_table(table)) return;
    ProfileRows rows(database_, table, {"start", "end", "deviceId", "streamId", "correlationId", "bytes", "copyKind"},
                     profile_);
    const std::size_t first = profile_.launches.size();
    constexpr std::int64_t host_to_device = 1;
    constexpr std::int64_t device_to_host = 2;
    while (rows.next()) {
      std::optional<ProfiledLaunch> read = timed(rows);
      if (!read) continue;
      ProfiledLaunch& launch = *read;
      launch.name = profile_.texts.number(is_fill ? "memset" : "memcpy");
      launch.bytes = rows.number("bytes", kMaxProfiledBytes);
      const std::int64_t kind = rows.signed_number("copyKind").value_or(0);
      launch.work = is_fill                  ? ProfiledWork::fill
                    : kind == host_to_device ? ProfiledWork::host_to_device
                    : kind == device_to_host ? ProfiledWork::device_to_host
                                             : ProfiledWork::other_copy;
      add_launch(profile_, launch);
    }
    sort_by_start(profile_, first);
  }

  Database& database_;
  Profile& profile_;
  std::optional<Database::Statement> strings_;
  std::unordered_map<std::int64_t, std::uint32_t> names_;
};

}  // namespace

bool is_nsys_database(Database& database) {
  return (database.has_table(kNsysKernels) || database.has_table(kNsysGraphs)) && database.has_table("StringIds");
}

void read_nsys_database(Database& database, Profile& profile) {
  profile.format = "Nsight Systems, SQLite";
  profile.place_word = "row";
  NsysReader(database, profile).read();
}

}  // namespace gdsim
