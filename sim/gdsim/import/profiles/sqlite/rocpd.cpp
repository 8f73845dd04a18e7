#include <gdsim/import/profiles/sqlite/sqlite_profile.hpp>

#include <gdsim/import/profiles/json/json_events.hpp>
#include <gdsim/import/profiles/profile.hpp>

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

/// Collects the numbers of a JSON text by their keys, at any depth.
class NumbersByKey final : public JsonHandler {
 public:
  void begin_object() override {}
  void end_object() override {}
  void begin_array() override {}
  void end_array() override {}
  void key(std::string_view name) override { key_ = name; }
  void text(std::string_view) override {}
  void number(std::string_view digits) override { numbers.emplace(key_, digits); }
  void other() override {}

  std::map<std::string, std::string> numbers;

 private:
  std::string key_;
};

/// Returns the numbers in a GPU's `extdata`. A text that is no JSON is an error of the file.
std::map<std::string, std::string> numbers_of(const std::string& json, const Profile& profile) {
  NumbersByKey found;
  if (json.empty()) return {};
  ReadBudget budget(profile.file + ", rocpd_info_agent.extdata", json.size());
  ByteStream stream(json, profile.file + ", rocpd_info_agent.extdata", budget);
  read_json(stream, found);
  return std::move(found.numbers);
}

/// The ids of agents by their absolute index, by which views of some versions name them.
using AgentIds = std::map<std::string, std::string>;

AgentIds read_agents(Database& database, Profile& profile) {
  AgentIds ids;
  if (!database.has_table("rocpd_info_agent")) return ids;
  ProfileRows rows(database, "rocpd_info_agent",
                   {"id", "type", "absolute_index", "name", "product_name", "model_name", "extdata"}, profile);
  constexpr std::uint64_t most = 1 << 20;
  while (rows.next()) {
    if (rows.has("absolute_index")) ids.emplace(rows.text("absolute_index"), rows.text("id"));
    if (rows.has("type") && rows.text("type") != "GPU") continue;
    ProfiledDevice device;
    device.key = rows.text("id");
    device.name = rows.text("product_name");
    if (device.name.empty()) device.name = rows.text("model_name");
    const std::string target = rows.text("name");
    if (target.starts_with("gfx")) device.family = target.substr(0, target.find(':'));
    const auto more = numbers_of(rows.text("extdata"), profile);
    const auto json_number = [&](const std::string& key) -> std::optional<std::uint64_t> {
      const auto known = more.find(key);
      return known != more.end() ? whole_number(known->second, most) : std::nullopt;
    };
    if (const auto cores = json_number("cu_count")) device.cores = static_cast<std::uint32_t>(*cores);
    if (const auto wave = json_number("wave_front_size")) device.sub_group = static_cast<std::uint32_t>(*wave);
    if (const auto mhz = json_number("max_engine_clk_fcompute"); mhz && *mhz > 0)
      device.clock = Hertz{static_cast<std::int64_t>(*mhz) * 1'000'000};
    add_device(profile, std::move(device));
  }
  return ids;
}

void read_sizes(ProfileRows& rows, ProfiledLaunch& launch) {
  launch.grid_counts_items = true;  // as HSA counts them
  launch.grid = {rows.number("grid_x", kMaxProfiledSize).value_or(0),
                 rows.number("grid_y", kMaxProfiledSize).value_or(1),
                 rows.number("grid_z", kMaxProfiledSize).value_or(1)};
  launch.block = {rows.number("workgroup_x", kMaxProfiledSize).value_or(0),
                  rows.number("workgroup_y", kMaxProfiledSize).value_or(1),
                  rows.number("workgroup_z", kMaxProfiledSize).value_or(1)};
  launch.static_slm = rows.number("lds_size", kMaxProfiledBytes);
  const auto registers = [&](std::string_view column) -> std::optional<std::uint32_t> {
    const auto count = rows.number(column, kMaxProfiledRegisters);
    return count ? std::optional(static_cast<std::uint32_t>(*count)) : std::nullopt;
  };
  launch.registers = registers("vgpr_count");
  if (!launch.registers) launch.registers = registers("arch_vgpr_count");
  launch.accumulation_registers = registers("accum_vgpr_count");
  launch.scalar_registers = registers("sgpr_count");
}

/// One call of read_rocpd_database().
class RocpdReader {
 public:
  RocpdReader(Database& database, Profile& profile)
      : database_(database), profile_(profile), ids_(read_agents(database, profile)) {}

  void read() {
    read_kernels();
    read_copies();
    count_unseen("rocpd_kernel_dispatch", kernels_, "kernels");
    count_unseen("rocpd_memory_copy", copies_, "memory_copies");
    count_others();
  }

 private:
  /// Returns the id of the agent of a row: `agent_id`, or the one with its absolute index.
  std::string agent_of(const ProfileRows& rows, const std::string& prefix) const {
    std::string id = rows.text(prefix + "agent_id");
    for (const char* column : {"agent_absolute_index", "agent_abs_index"}) {
      const std::string index = rows.text(prefix + column);
      if (id.empty() && !index.empty()) id = ids_.contains(index) ? ids_.at(index) : index;
    }
    return id;
  }

  ProfiledLaunch placed(const ProfileRows& rows, const std::string& device) const {
    ProfiledLaunch launch;
    launch.place = rows.row();
    launch.device = profile_.texts.number(device);
    std::string queue;
    for (const std::string_view column : {"stream_id", "stream", "queue_id", "queue"})
      if (queue.empty()) queue = rows.text(column);
    launch.queue = profile_.texts.number(queue);
    return launch;
  }

  void read_kernels() {
    ProfileRows rows(database_, "kernels", {"name",
                                            "start",
                                            "end",
                                            "duration",
                                            "agent_id",
                                            "agent_abs_index",
                                            "agent_absolute_index",
                                            "queue",
                                            "queue_id",
                                            "stream",
                                            "stream_id",
                                            "grid_x",
                                            "grid_y",
                                            "grid_z",
                                            "workgroup_x",
                                            "workgroup_y",
                                            "workgroup_z",
                                            "lds_size",
                                            "vgpr_count",
                                            "arch_vgpr_count",
                                            "accum_vgpr_count",
                                            "sgpr_count"},
                     profile_);
    const std::size_t first = profile_.launches.size();
    for (; rows.next(); ++kernels_) {
      ProfiledLaunch launch = placed(rows, agent_of(rows, ""));
      launch.name = profile_.texts.number(rows.text("name"));
      if (!rows.read_times(launch)) continue;
      read_sizes(rows, launch);
      add_launch(profile_, launch);
    }
    sort_by_start(profile_, first);
  }

  void read_copies() {
    if (!database_.has_table("memory_copies")) return;
    ProfileRows rows(database_, "memory_copies",
                     {"start", "end", "size", "queue_id", "stream_id", "src_agent_type", "src_agent_id",
                      "src_agent_abs_index", "src_agent_absolute_index", "dst_agent_type", "dst_agent_id",
                      "dst_agent_abs_index", "dst_agent_absolute_index"},
                     profile_);
    const std::size_t first = profile_.launches.size();
    for (; rows.next(); ++copies_) {
      const bool is_from_gpu = rows.text("src_agent_type") == "GPU";
      const bool is_to_gpu = rows.text("dst_agent_type") == "GPU";
      ProfiledLaunch launch = placed(rows, agent_of(rows, is_to_gpu ? "dst_" : "src_"));
      launch.name = profile_.texts.number("memcpy");
      launch.work = is_from_gpu == is_to_gpu ? ProfiledWork::other_copy
                    : is_to_gpu              ? ProfiledWork::host_to_device
                                             : ProfiledWork::device_to_host;
      launch.bytes = rows.number("size", kMaxProfiledBytes);
      if (rows.read_times(launch)) add_launch(profile_, launch);
    }
    sort_by_start(profile_, first);
  }

  std::uint64_t rows_in(const std::string& table) {
    return static_cast<std::uint64_t>(database_.number("SELECT count(*) FROM \"" + table + "\""));
  }

  /// Counts the rows of a table that its view, which joins others, does not show.
  void count_unseen(const std::string& table, std::uint64_t seen, const std::string& view) {
    if (!database_.has_table(table)) return;
    const std::uint64_t all = rows_in(table);
    if (all > seen)
      profile_.left_out["rows of " + table + ", which the view `" + view + "` does not show"] += all - seen;
  }

  /// Counts the rows of other tables and views that hold time on an agent. Tables of which a view shows the rows have a
  /// number in their name.
  void count_others() {
    std::vector<std::string> tables;
    auto all = database_.prepare(
        "SELECT m.name FROM sqlite_master m WHERE m.type IN ('table', 'view') AND m.name NOT GLOB '*[^a-z_]*' AND "
        "m.name NOT IN ('kernels', 'memory_copies', 'rocpd_kernel_dispatch', 'rocpd_memory_copy', "
        "'counters_collection', 'kernel_pmc_events', 'memory_allocations', 'rocpd_memory_allocate', 'scratch_memory') "
        "AND (SELECT count(*) FROM pragma_table_info(m.name) WHERE name IN ('start', 'end')) = 2 AND "
        "(SELECT count(*) FROM pragma_table_info(m.name) WHERE name IN ('agent_id', 'agent_abs_index', "
        "'agent_absolute_index', 'gpuId')) > 0 ORDER BY m.name");
    while (all.step()) tables.push_back(all.text(0));
    for (const std::string& table : tables)
      if (const std::uint64_t count = rows_in(table); count > 0)
        profile_.left_out["rows of " + table + ", which is not read"] += count;
  }

  Database& database_;
  Profile& profile_;
  AgentIds ids_;
  std::uint64_t kernels_ = 0;
  std::uint64_t copies_ = 0;
};

}  // namespace

bool is_rocpd_database(Database& database) { return database.has_table("kernels"); }

void read_rocpd_database(Database& database, Profile& profile) {
  profile.format = "rocprofv3, SQLite (rocpd)";
  profile.place_word = "row";
  RocpdReader(database, profile).read();
}

}  // namespace gdsim
