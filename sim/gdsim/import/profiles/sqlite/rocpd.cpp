#include <gdsim/import/profiles/sqlite/rocpd.hpp>

#include <gdsim/import/profiles/exact_number.hpp>
#include <gdsim/import/profiles/sqlite/profile_rows.hpp>

#include <algorithm>

namespace gdsim {
namespace {

/// The number behind `"key":` of a JSON text that is one flat mapping.
std::optional<std::uint64_t> json_number(const std::string& text, const std::string& key, std::uint64_t most) {
  const std::size_t at = text.find("\"" + key + "\"");
  if (at == std::string::npos) return std::nullopt;
  const std::size_t begin = text.find_first_not_of("\": ", at + key.size() + 2);
  if (begin == std::string::npos) return std::nullopt;
  const std::size_t end = std::min(text.find_first_not_of("0123456789", begin), text.size());
  return whole_number(std::string_view(text).substr(begin, end - begin), most);
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
    const std::string more = rows.text("extdata");
    if (const auto cores = json_number(more, "cu_count", most)) device.cores = static_cast<std::uint32_t>(*cores);
    if (const auto wave = json_number(more, "wave_front_size", most))
      device.sub_group = static_cast<std::uint32_t>(*wave);
    if (const auto mhz = json_number(more, "max_engine_clk_fcompute", most); mhz && *mhz > 0)
      device.clock = Hertz{static_cast<std::int64_t>(*mhz) * 1'000'000};
    profile.devices.push_back(std::move(device));
  }
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
  constexpr Int128 nanosecond = 1'000;
  while (rows.next()) {
    ProfiledLaunch launch;
    launch.place = rows.row();
    launch.name = profile.texts.number(rows.text("name"));
    launch.device = profile.texts.number(rows.text("agent_id"));
    std::string queue;
    for (const std::string_view column : {"stream_id", "stream", "queue_id", "queue"})
      if (queue.empty()) queue = rows.text(column);
    launch.queue = profile.texts.number(queue);
    const auto start = rows.signed_number("start");
    const auto end = rows.signed_number("end");
    if (start && end && *end < *start) rows.fail("it ends before it starts");
    if (start) launch.start = Int128{*start} * nanosecond;
    if (start && end) {
      const Int128 duration = (Int128{*end} - *start) * nanosecond;
      if (duration > kMaxProfiledSpan) rows.fail("it lasts longer than 50 days");
      launch.duration = static_cast<std::int64_t>(duration);
    }
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
    add_launch(profile, launch);
  }
}

}  // namespace gdsim
