#include <gdsim/import/profiles/csv/csv_header.hpp>

#include <gdsim/import/profiles/csv/csv_records.hpp>

#include <algorithm>

namespace gdsim {
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

}  // namespace gdsim
