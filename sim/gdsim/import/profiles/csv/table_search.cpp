#include <gdsim/import/profiles/csv/table_search.hpp>

#include <gdsim/import/profiles/exact_number.hpp>

#include <algorithm>

namespace gdsim {
namespace {

constexpr std::size_t kMaxHeaderLine = 1 << 17;  ///< bytes: rocprof-compute has 2,043 columns

}  // namespace

std::optional<CsvHeader> find_csv_header(std::string_view text,
                                         const std::function<bool(const std::vector<std::string>&)>& is_wanted) {
  std::size_t begin = text.starts_with("\xef\xbb\xbf") ? 3 : 0;
  for (std::uint32_t line = 1; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view candidate = text.substr(begin, std::min(end - begin, kMaxHeaderLine));
    for (const char separator : {',', ';', '\t'}) {
      if (std::count(candidate.begin(), candidate.end(), separator) < 2) continue;
      std::vector<std::string> cells = csv_line_cells(candidate, separator);
      if (is_wanted(cells)) return CsvHeader{end + 1, line, separator, std::move(cells)};
    }
    begin = end + 1;
  }
  return std::nullopt;
}

CsvRecords records_below(const CsvHeader& header, std::string_view text, const Profile& profile) {
  return {text.substr(std::min(header.behind, text.size())), header.separator, header.line + 1, profile.budget.get()};
}

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
  CsvRecords records = records_below(*header, source.text(), profile);
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
