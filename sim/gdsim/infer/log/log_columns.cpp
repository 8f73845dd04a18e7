#include <gdsim/infer/log/log_columns.hpp>

#include <gdsim/base/text.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

struct Alias {
  std::string_view name;
  LogColumn meaning;
};

constexpr std::array kAliases{
    Alias{"work_group", LogColumn::group},
    Alias{"block", LogColumn::group},
    Alias{"thread_block", LogColumn::group},
    Alias{"wg", LogColumn::group},
    Alias{"workgroup", LogColumn::group},
    Alias{"block_id", LogColumn::group},
    Alias{"cta", LogColumn::group},
    Alias{"core", LogColumn::core},
    Alias{"sm", LogColumn::core},
    Alias{"smid", LogColumn::core},
    Alias{"sm_id", LogColumn::core},
    Alias{"cu", LogColumn::core},
    Alias{"wgp", LogColumn::core},
    Alias{"wgp_or_cu", LogColumn::core},
    Alias{"start", LogColumn::start},
    Alias{"begin", LogColumn::start},
    Alias{"first_placed", LogColumn::start},
    Alias{"first", LogColumn::start},
    Alias{"end", LogColumn::end},
    Alias{"ended", LogColumn::end},
    Alias{"last", LogColumn::last_cycle},
    Alias{"kernel", LogColumn::kernel},
    Alias{"gpu", LogColumn::gpu},
    Alias{"launch", LogColumn::launch},
    Alias{"test", LogColumn::test},
    Alias{"threads", LogColumn::threads},
    Alias{"block_size", LogColumn::threads},
    Alias{"threads_per_block", LogColumn::threads},
    Alias{"threads_per_work_group", LogColumn::threads},
    Alias{"registers", LogColumn::registers},
    Alias{"shared_bytes", LogColumn::shared},
    Alias{"slm_bytes", LogColumn::shared},
    Alias{"blocks", LogColumn::blocks},
    Alias{"work_groups", LogColumn::blocks},
    Alias{"se", LogColumn::shader_engine},
    Alias{"sa", LogColumn::shader_array},
    Alias{"sh", LogColumn::shader_array},
    Alias{"sa_or_sh", LogColumn::shader_array},
    Alias{"launched", LogColumn::launched},
    Alias{"submitted", LogColumn::launched},
    Alias{"event", LogColumn::trace},
    Alias{"exec", LogColumn::execution},
    Alias{"simd", LogColumn::ignored},
    Alias{"slot", LogColumn::ignored},
    Alias{"stream", LogColumn::ignored},
    Alias{"queue", LogColumn::ignored},
    Alias{"fully_placed", LogColumn::ignored},
    Alias{"threads_first_placed", LogColumn::ignored},
};

constexpr std::array<std::pair<std::string_view, std::int64_t>, 7> kUnits{{{"_ps", 1},
                                                                           {"_ns", 1'000},
                                                                           {"_us", 1'000'000},
                                                                           {"_ms", 1'000'000'000},
                                                                           {"_s", 1'000'000'000'000},
                                                                           {"_cycle", 0},
                                                                           {"_cycles", 0}}};

/// Returns the name without its unit, and the unit: 0 for ticks.
std::pair<std::string_view, std::optional<std::int64_t>> cut_unit(std::string_view name) {
  for (const auto& [suffix, size] : kUnits)
    if (name.ends_with(suffix)) return {name.substr(0, name.size() - suffix.size()), size};
  return {name, std::nullopt};
}

bool is_time(LogColumn column) {
  return column == LogColumn::start || column == LogColumn::end || column == LogColumn::last_cycle ||
         column == LogColumn::launched;
}

std::optional<LogColumn> meaning_of(std::string_view header) {
  std::string name(header);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto [stem, unit] = cut_unit(name);
  for (const Alias& alias : kAliases) {
    if (alias.name == name && alias.name != "first" && alias.name != "last") return alias.meaning;
    const bool may_have_unit = is_time(alias.meaning) || alias.name == "fully_placed";
    if (alias.name == stem && unit && may_have_unit) return alias.meaning;
  }
  return std::nullopt;
}

std::vector<std::string_view> known() {
  std::vector<std::string_view> names;
  for (const Alias& alias : kAliases)
    if (alias.name != "first" && alias.name != "last") names.push_back(alias.name);
  return names;
}

}  // namespace

LogColumns::LogColumns(const CsvDocument& table, const SourceText& source, Diagnostics& problems) {
  const SourceMark header{&source, 1, 1};
  for (std::size_t i = 0; i < table.header.size(); ++i) {
    const std::string& name = table.header[i];
    const auto meaning = meaning_of(name);
    if (!meaning) {
      problems.add(table.header_marks[i], "unknown column " + in_quotes(name) + "; " + known_names(name, known()));
      continue;
    }
    if (name == "threads_first_placed") counts_sub_groups_ = true;
    if (*meaning == LogColumn::ignored) continue;
    if (!positions_.emplace(*meaning, i).second)
      problems.add(table.header_marks[i], "the columns " + in_quotes(names_.at(*meaning)) + " and " + in_quotes(name) +
                                              " mean the same; leave one of them out");
    names_.emplace(*meaning, name);
  }
  const bool has_end = has(LogColumn::end) || has(LogColumn::last_cycle);
  if (has(LogColumn::end) && has(LogColumn::last_cycle))
    problems.add(header, "an end and a last cycle mean the same; leave one of them out");
  if (!has(LogColumn::core)) problems.add(header, "a column with the core is needed, such as `core`, `sm` or `cu`");
  if (!has(LogColumn::group) && !has(LogColumn::start))
    problems.add(header,
                 "a column with the number of the work-group is needed, as in `block,sm`, or one with its start");
  if (has(LogColumn::start) != has_end) problems.add(header, "a start and an end are needed both, or neither");
  if (table.rows.empty()) problems.add(header, "no work-group stands below the header");
}

std::string_view LogColumns::text(const CsvRow& row, LogColumn column) const {
  const auto found = positions_.find(column);
  return found == positions_.end() ? std::string_view() : std::string_view(row.cells[found->second]);
}

LogUnit LogColumns::unit(LogColumn column) const {
  std::string name = names_.at(column);
  for (char& c : name) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const auto [stem, unit] = cut_unit(name);
  if (!unit) return {};
  return {*unit > 0 ? std::optional(Duration{*unit}) : std::nullopt, true};
}

}  // namespace gdsim
