#include <gdsim/import/profiles/sqlite/rocpd.hpp>

#include <gdsim/import/profiles/exact_number.hpp>
#include <gdsim/import/profiles/json/json_events.hpp>
#include <gdsim/import/profiles/sqlite/profile_rows.hpp>

#include <map>
#include <string>
#include <utility>

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
  ByteStream stream(json, profile.file + ", rocpd_info_agent.extdata");
  read_json(stream, found);
  return std::move(found.numbers);
}

void read_agents(Database& database, Profile& profile) {
  if (!database.has_table("rocpd_info_agent")) return;
  ProfileRows rows(database, "rocpd_info_agent", {"id", "type", "name", "product_name", "model_name", "extdata"},
                   {"id"}, profile);
  constexpr std::uint64_t most = 1 << 20;
  while (rows.next()) {
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
    profile.devices.push_back(std::move(device));
  }
}

void read_times(ProfileRows& rows, ProfiledLaunch& launch) {
  constexpr Int128 nanosecond = 1'000;
  const auto start = rows.signed_number("start");
  const auto end = rows.signed_number("end");
  if (start && end && *end < *start) rows.fail("it ends before it starts");
  if (start) launch.start = Int128{*start} * nanosecond;
  if (!start || !end) return;
  const Int128 duration = (Int128{*end} - *start) * nanosecond;
  if (duration > kMaxProfiledSpan) rows.fail("it lasts longer than 50 days");
  launch.duration = static_cast<std::int64_t>(duration);
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
  launch.accumulation_registers = registers("accum_vgpr_count");
  launch.scalar_registers = registers("sgpr_count");
}

}  // namespace

bool is_rocpd_database(Database& database) { return database.has_table("kernels"); }

void read_rocpd_database(Database& database, Profile& profile) {
  profile.format = "rocprofv3, SQLite (rocpd)";
  profile.place_word = "row";
  read_agents(database, profile);
  ProfileRows rows(database, "kernels",
                   {"name", "start", "end", "duration", "agent_id", "queue", "queue_id", "stream", "stream_id",
                    "grid_x", "grid_y", "grid_z", "workgroup_x", "workgroup_y", "workgroup_z", "lds_size", "vgpr_count",
                    "accum_vgpr_count", "sgpr_count"},
                   {"start"}, profile);
  while (rows.next()) {
    ProfiledLaunch launch;
    launch.place = rows.row();
    launch.name = profile.texts.number(rows.text("name"));
    launch.device = profile.texts.number(rows.text("agent_id"));
    std::string queue;
    for (const std::string_view column : {"stream_id", "stream", "queue_id", "queue"})
      if (queue.empty()) queue = rows.text(column);
    launch.queue = profile.texts.number(queue);
    read_times(rows, launch);
    read_sizes(rows, launch);
    add_launch(profile, launch);
  }
}

}  // namespace gdsim
