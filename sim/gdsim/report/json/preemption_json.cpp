#include <gdsim/report/json/preemption_json.hpp>

#include <string>

namespace gdsim {

void write_preemption(const RunRecord& record, JsonWriter& json) {
  if (!record.preemption) return;
  json.key("preemption").open_list();
  for (const ProcessRecord& process : record.preemption->processes) {
    json.open_object();
    json.key("process").text(process.name);
    for (std::size_t i = 0; i < kDeviceUseCount; ++i) {
      const auto use = static_cast<DeviceUse>(i);
      json.key(std::string(name_of(use)) + "_ns").time(process.of(use));
    }
    json.key("preemptions").count(process.preemptions);
    json.key("work_groups_saved").count(process.saved);
    json.key("bytes_saved").count(static_cast<std::uint64_t>(process.bytes_saved.count));
    json.key("bytes_restored").count(static_cast<std::uint64_t>(process.bytes_restored.count));
    json.close_object();
  }
  json.close_list();
}

}  // namespace gdsim
