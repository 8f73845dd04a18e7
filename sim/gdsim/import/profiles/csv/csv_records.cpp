#include <gdsim/import/profiles/csv/csv_records.hpp>

#include <gdsim/import/profiles/exact_number.hpp>

#include <algorithm>

namespace gdsim {
namespace {

std::string_view stripped(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\r')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

/// Returns the end of a quoted cell, after its closing quote, or nullopt if it is not closed within kMaxCell bytes.
std::optional<std::size_t> end_of_quoted(std::string_view text) {
  const std::size_t most = std::min(text.size(), CsvRecords::kMaxCell);
  for (std::size_t i = 1; i < most; ++i) {
    if (text[i] != '"') continue;
    if (i + 1 < text.size() && text[i + 1] == '"') {
      ++i;
      continue;
    }
    return i + 1;
  }
  return std::nullopt;
}

std::string unquoted(std::string_view quoted) {
  std::string text;
  text.reserve(quoted.size());
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    text.push_back(quoted[i]);
    if (quoted[i] == '"') ++i;
  }
  return text;
}

}  // namespace

void CsvRecords::read_cell() {
  const std::size_t begin = std::min(rest_.find_first_not_of(' '), rest_.size());
  std::size_t end = std::min(rest_.find_first_of(std::string({separator_, '\n'})), rest_.size());
  std::string cell;
  if (begin < rest_.size() && rest_[begin] == '"') {
    // A quote that is never closed is an ordinary character, because other text may surround a table.
    if (const auto closed = end_of_quoted(rest_.substr(begin))) {
      const std::string_view quoted = rest_.substr(begin, *closed);
      cell = unquoted(quoted);
      next_line_ += static_cast<std::uint32_t>(std::count(quoted.begin(), quoted.end(), '\n'));
      const std::size_t behind = begin + *closed;
      end = std::min(rest_.find_first_of(std::string({separator_, '\n'}), behind), rest_.size());
      cell += stripped(rest_.substr(behind, end - behind));
    }
  }
  if (cell.empty() && (begin >= rest_.size() || rest_[begin] != '"' || end < begin + 2 || rest_[begin + 1] != '"'))
    cell = stripped(rest_.substr(0, end));
  if (budget_ != nullptr && (cells_.size() + 1) * sizeof cell > budget_->limit(ReadCost::memory))
    budget_->refuse(ReadCost::memory);
  cells_.push_back(std::move(cell));
  has_more_cells_ = end < rest_.size() && rest_[end] == separator_;
  if (end < rest_.size() && rest_[end] == '\n') ++next_line_;
  rest_.remove_prefix(std::min(end + 1, rest_.size()));
}

const std::vector<std::string>* CsvRecords::next() {
  while (!rest_.empty()) {
    line_ = next_line_;
    cells_.clear();
    do {
      read_cell();
    } while (has_more_cells_);
    if (cells_.size() > 1 || !cells_.front().empty()) return &cells_;
  }
  return nullptr;
}

std::vector<std::string> csv_cells(std::string_view line, char separator) {
  CsvRecords records(line, separator);
  const std::vector<std::string>* cells = records.next();
  return cells != nullptr ? *cells : std::vector<std::string>{};
}

namespace {

constexpr std::size_t kMaxHeaderLine = 1 << 17;  ///< bytes: rocprof-compute has 2,043 columns

}  // namespace

std::optional<CsvHeader> find_csv_header(std::string_view text,
                                         const std::function<bool(const std::vector<std::string>&)>& is_wanted,
                                         std::size_t from, std::uint32_t first_line) {
  std::size_t begin = from == 0 && text.starts_with("\xef\xbb\xbf") ? 3 : from;
  for (std::uint32_t line = first_line; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view candidate = text.substr(begin, std::min(end - begin, kMaxHeaderLine));
    for (const char separator : {',', ';', '\t'}) {
      if (std::count(candidate.begin(), candidate.end(), separator) < 2) continue;
      std::vector<std::string> cells = csv_cells(candidate, separator);
      if (is_wanted(cells)) return CsvHeader{end + 1, line, separator, std::move(cells)};
    }
    begin = end + 1;
  }
  return std::nullopt;
}

std::optional<std::size_t> position_of(const std::vector<std::string>& header, std::string_view name) {
  const auto found = std::find(header.begin(), header.end(), name);
  if (found == header.end()) return std::nullopt;
  return static_cast<std::size_t>(found - header.begin());
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
