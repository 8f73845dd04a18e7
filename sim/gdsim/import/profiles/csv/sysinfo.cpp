#include <gdsim/import/profiles/csv/sysinfo.hpp>

#include <gdsim/import/profiles/csv/csv_header.hpp>
#include <gdsim/import/profiles/csv/csv_records.hpp>
#include <gdsim/import/profiles/exact_number.hpp>

namespace gdsim {
namespace {

bool is_sysinfo_header(const std::vector<std::string>& cells) {
  return position_of(cells, "gpu_arch").has_value() || (position_of(cells, "gpu_soc") && position_of(cells, "numCU"));
}

}  // namespace

bool is_sysinfo(std::string_view text) { return find_csv_header(text, is_sysinfo_header).has_value(); }

void read_sysinfo(const SourceText& source, Profile& profile) {
  profile.format = "rocprof-compute, sysinfo.csv";
  const auto header = find_csv_header(source.text(), is_sysinfo_header);
  if (!header) throw InputError({Diagnostic{"profile", "describes no device", source.name(), 0, 0, {}}});
  const std::string_view text = source.text();
  CsvRecords records(text.substr(std::min(header->behind, text.size())), header->separator, header->line + 1,
                     profile.budget.get());
  const std::vector<std::string>* cells = records.next();
  if (cells == nullptr || cells->size() != header->cells.size())
    fail_at(profile, header->line, "the row below the header has another number of cells; is the file cut off?");
  const auto value = [&](std::string_view name) {
    const auto at = position_of(header->cells, name);
    return at ? (*cells)[*at] : std::string();
  };
  constexpr std::uint64_t most = 1 << 20;
  ProfiledDevice device;
  device.name = value("gpu_model");
  device.family = value("gpu_arch");
  if (device.family.empty()) device.family = value("gpu_soc");
  device.family = device.family.substr(0, device.family.find(':'));
  for (const std::string_view name : {"cu_per_gpu", "numCU"})
    if (const auto cores = whole_number(value(name), most); cores && !device.cores)
      device.cores = static_cast<std::uint32_t>(*cores);
  for (const std::string_view name : {"wave_size", "waveSize"})
    if (const auto wave = whole_number(value(name), most); wave && !device.sub_group)
      device.sub_group = static_cast<std::uint32_t>(*wave);
  for (const std::string_view name : {"max_sclk", "sclk"})
    if (const auto mhz = whole_number(value(name), most); mhz && *mhz > 0 && !device.clock)
      device.clock = Hertz{static_cast<std::int64_t>(*mhz) * 1'000'000};
  profile.devices.push_back(std::move(device));
}

}  // namespace gdsim
