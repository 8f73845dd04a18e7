#include <gdsim/scenario/scenario_reader.hpp>

#include <gdsim/base/column_names.hpp>
#include <gdsim/base/text.hpp>

#include <algorithm>
#include <array>
#include <unordered_map>

namespace gdsim {
namespace {

enum class Column : std::uint8_t { work_group, duration, factor, core, start, end };

constexpr std::array kOfVariation{ColumnAliases<Column>{Column::work_group, "work_group"},
                                  ColumnAliases<Column>{Column::duration, "duration"},
                                  ColumnAliases<Column>{Column::factor, "factor"}};
constexpr std::array kOfPlacement{ColumnAliases<Column>{Column::work_group, "work_group"},
                                  ColumnAliases<Column>{Column::core, "core"},
                                  ColumnAliases<Column>{Column::start, "start", UnitInName::time},
                                  ColumnAliases<Column>{Column::end, "end", UnitInName::time}};

using Columns = NamedColumns<Column>;

/// Returns the problem of a cell, or an empty text.
using FaultOf = std::string (*)(const std::string& cell);

std::string fault_of_factor(const std::string& cell) {
  const Parsed<Decimal> factor = parse_decimal(cell);
  return factor.value ? "" : "factor: " + in_quotes(cell) + " " + factor.problem;
}

std::string fault_of_duration(const std::string& cell) {
  const Parsed<StepTime> duration = parse_step_time(cell);
  return duration.value ? "" : "duration: " + in_quotes(cell) + " " + duration.problem;
}

/// Accepts every cell: its reader checks that it is a number.
std::string no_fault(const std::string&) { return {}; }

/// Adds the rows as entries of a mapping, from the cells of one column to those of another.
void fill(YamlNode& mapping, const CsvDocument& table, const Columns& columns, Column value, FaultOf fault_of,
          Diagnostics& problems) {
  mapping.entries.reserve(table.rows.size());
  std::unordered_map<std::string_view, std::uint32_t> lines;
  lines.reserve(table.rows.size());
  for (const CsvRow& row : table.rows) {
    const std::string_view group = columns.text(row, Column::work_group);
    const std::string cell(columns.text(row, value));
    if (const auto [first, is_new] = lines.emplace(group, row.mark.line); !is_new)
      problems.add(row.mark, "work_group: " + std::string(group) + " stands in line " + std::to_string(first->second) +
                                 " already");
    if (std::string fault = fault_of(cell); !fault.empty()) problems.add(row.mark, std::move(fault));
    YamlNode node;
    node.mark = row.mark;
    node.text = cell;
    mapping.entries.push_back({std::string(group), row.mark, std::move(node)});
  }
}

/// Returns the value of a key of a mapping, or null if there is none, or it is no mapping.
template <class Node>
Node* find_in(Node* node, std::string_view key) {
  return node != nullptr && node->is_mapping() ? node->find(key) : nullptr;
}

}  // namespace

/// Calls `visit(node, kind)` for every node that names a file.
template <class Root, class Visit>
void WorkGroupTables::for_each_name(Root& root, Visit visit) {
  const auto visit_name = [&](auto* node, TableUse kind) {
    if (node != nullptr && node->is_scalar() && !node->is_missing() && node->group_value == 0) visit(*node, kind);
  };
  auto* whole = root.is_mapping() ? &root : nullptr;
  if (auto* kernels = find_in(whole, "kernels"); kernels != nullptr && kernels->is_mapping())
    for (auto& kernel : kernels->entries)
      visit_name(find_in(find_in(&kernel.value, "variation"), "work_groups"), TableUse::variation);
  if (auto* expect = find_in(whole, "expect"); expect != nullptr && expect->is_sequence())
    for (auto& item : expect->items)
      visit_name(find_in(find_in(&item, "share_on_core"), "measured"), TableUse::placement);
}

bool WorkGroupTables::are_named(const YamlNode& root) {
  bool is_one = false;
  for_each_name(root, [&](const YamlNode&, TableUse) { is_one = true; });
  return is_one;
}

void WorkGroupTables::fill_in(YamlNode& root, Diagnostics& problems) {
  const ValueReader values(problems);
  for_each_name(root, [&](YamlNode& name, TableUse kind) { fill_in(name, kind, values); });
}

void WorkGroupTables::fill_in(YamlNode& name, TableUse kind, const ValueReader& values) {
  const char* key = kind == TableUse::variation ? "work_groups" : "measured";
  const auto file = values.text(name, key);
  if (!file) return;
  YamlNode mapping;
  mapping.kind = YamlNode::Shape::mapping;
  mapping.mark = name.mark;
  if (const auto known = tables_.find({kind, *file}); known != tables_.end()) {
    mapping.entries = known->second.entries;
  } else {
    const std::size_t before = values.problems().size();
    try {
      const std::filesystem::path path = (near_.empty() ? std::filesystem::path(".") : near_) / *file;
      read(sources_.read(path, kind == TableUse::variation ? "the factors or durations of work-groups"
                                                           : "the measured cores of work-groups"),
           kind, mapping, values.problems());
    } catch (const InputError& error) {
      for (const Diagnostic& problem : error.problems())
        values.fail(name, key,
                    "is " + describe(name) + ", and " + problem.file + " " + problem.message +
                        "; the name of a CSV file, or a mapping such as {3: " +
                        (kind == TableUse::variation ? "1.5}" : "0}") + ", is needed");
    }
    if (values.problems().size() == before) tables_.emplace(std::pair(kind, *file), mapping);
  }
  name = std::move(mapping);
}

void WorkGroupTables::read(const SourceText& source, TableUse kind, YamlNode& mapping, Diagnostics& problems) {
  const std::size_t before = problems.size();
  const CsvDocument table = read_csv(source, problems);
  if (problems.size() > before) return;
  const bool is_placement = kind == TableUse::placement;
  const Columns columns(table, is_placement ? std::span<const ColumnAliases<Column>>(kOfPlacement) : kOfVariation,
                        problems);
  const SourceMark header{&source, 1, 1};
  const bool has_duration = columns.has(Column::duration);
  if (!columns.has(Column::work_group))
    problems.add(header, std::string("the column 'work_group' is missing, as in `work_group,") +
                             (is_placement ? "core`" : "duration`"));
  if (is_placement && !columns.has(Column::core))
    problems.add(header, "the column 'core' is missing, as in `work_group,core`");
  if (!is_placement && has_duration == columns.has(Column::factor))
    problems.add(header, std::string("exactly one of the columns 'duration' and 'factor' is needed; ") +
                             (has_duration ? "both are" : "neither is") + " there");
  if (table.rows.empty()) problems.add(header, "no work-group stands below the header");
  if (problems.size() > before) return;
  const Column value = is_placement ? Column::core : has_duration ? Column::duration : Column::factor;
  fill(mapping, table, columns, value,
       is_placement   ? no_fault
       : has_duration ? fault_of_duration
                      : fault_of_factor,
       problems);
}

}  // namespace gdsim
