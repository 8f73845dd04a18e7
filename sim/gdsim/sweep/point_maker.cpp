#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/report/json/json_writer.hpp>
#include <gdsim/scenario/expressions/parameters.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/store/point_store.hpp>
#include <gdsim/sweep/study_writers.hpp>
#include <gdsim/sweep/sweep.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {
namespace {

bool names_a_file(const std::string& path) {
  return path == "device" || path == "device.base" || path.starts_with("devices.") ||
         path.ends_with(".variation.work_groups");
}

}  // namespace

PointMaker::PointMaker(const std::filesystem::path& file, const std::optional<std::string>& given_text,
                       const ReadOptions& read, const std::vector<Axis>& axes)
    : pool_(given_text ? TemplatePool(file.string(), *given_text, file == "-" ? "." : file.parent_path(), read)
                       : TemplatePool(file, read)) {
  auto reader = pool_.borrow();
  for (const Axis& axis : axes) {
    const std::string option = "--vary " + axis.name;
    const std::string path = reader->settable_path(axis.name, option);
    const auto same = [&](const auto& other) { return other.front().path == path; };
    if (std::any_of(values_.begin(), values_.end(), same))
      throw InputError(option + " names the same value as another --vary");
    auto& values = values_.emplace_back();
    Diagnostics problems;
    for (const std::string& text : axis.values) {
      auto value = ScenarioTemplate::parse_value(path, pool_.keep(option, text), problems);
      if (value) values.push_back(std::move(*value));
    }
    problems.throw_if_any();
  }
  path_order_.resize(axes.size());
  std::iota(path_order_.begin(), path_order_.end(), std::size_t{0});
  std::sort(path_order_.begin(), path_order_.end(),
            [&](std::size_t a, std::size_t b) { return values_[a].front().path < values_[b].front().path; });
}

void PointMaker::require_known_keys() {
  auto reader = pool_.borrow();
  for (const auto& values : values_) {
    const ScenarioValue& first = values.front();
    if (find_path(reader->root(), first.path) != nullptr) continue;
    try {
      reader->read(std::vector<const ScenarioValue*>{&first});
    } catch (const InputError& error) {
      const std::string& name = first.value.mark.source->name();
      for (const Diagnostic& problem : error.problems())
        if (problem.file == name && problem.code == kUnknownKey) throw InputError({problem});
    }
  }
}

Scenario PointMaker::make(const PointSpace& space, std::uint64_t ordinal) {
  std::vector<const ScenarioValue*> values;
  for (std::size_t axis = 0; axis < values_.size(); ++axis)
    values.push_back(&values_[axis][space.index(ordinal, axis)]);
  auto reader = pool_.borrow();
  return reader->read(values);
}

Scenario PointMaker::make_own() {
  auto reader = pool_.borrow();
  return reader->read({});
}

std::string PointMaker::point_text(const PointSpace& space, std::uint64_t ordinal) const {
  std::string text;
  for (const std::size_t axis : path_order_)
    text += (text.empty() ? "{" : ", ") + json_string(values_[axis].front().path) + ": " +
            json_string(space.value(ordinal, axis));
  return text + "}";
}

std::vector<std::pair<std::string, double>> PointMaker::constants() {
  std::vector<std::pair<std::string, double>> constants;
  auto reader = pool_.borrow();
  const YamlNode* parameters = reader->root().find("parameters");
  if (parameters == nullptr) return constants;
  Diagnostics ignored;
  for (const Parameter& parameter : read_parameters(*parameters, ValueReader(ignored)))
    constants.emplace_back(parameter.name, parameter.value);
  return constants;
}

std::vector<std::optional<std::size_t>> PointMaker::own_values() {
  std::vector<std::optional<std::size_t>> own;
  auto reader = pool_.borrow();
  for (const auto& values : values_) {
    const auto text = reader->own_value(values.front().path);
    const auto found = std::find_if(values.begin(), values.end(), [&](const ScenarioValue& scenario_value) {
      return flow_text(scenario_value.value) == text;
    });
    own.push_back(found == values.end() ? std::nullopt
                                        : std::optional(static_cast<std::size_t>(found - values.begin())));
  }
  return own;
}

Terms PointMaker::words() {
  const auto chooses_words = [](const auto& values) {
    const std::string& path = values.front().path;
    return path == "device" || path == "device.base" || path.starts_with("device.terms");
  };
  if (std::any_of(values_.begin(), values_.end(), chooses_words)) return {};
  auto reader = pool_.borrow();
  return reader->own_words();
}

std::string PointMaker::content_hash(const std::string& program) {
  TemplatePool::Reader reader = pool_.make();
  const auto read = [&](std::vector<const ScenarioValue*> values) {
    try {
      reader.scenario.read(values);
    } catch (const InputError&) {  // only the files that it read matter here
    }
  };
  read({});
  for (const auto& axis : values_)
    if (names_a_file(axis.front().path))
      for (const ScenarioValue& value : axis) read({&value});
  std::vector<std::string> texts;
  for (const SourceText& text : reader.files.all())
    texts.push_back(std::filesystem::path(text.name()).filename().string() + "\n" + text.text());
  std::sort(texts.begin(), texts.end());
  ContentHash hash;
  hash.add(program).add(pool_.source().text()).add(pool_.options().only_case);
  for (const Override& override_ : pool_.options().overrides) hash.add(override_.path).add(override_.value);
  for (const std::string& text : texts) hash.add(text);
  return hash.finish();
}

namespace {

/// The maximum number of points of a table that is read again for one sentence.
constexpr std::uint64_t kMaxPoints = 100'000;
/// The maximum number of proposed values.
constexpr std::size_t kMaxProposed = 12;

/// Refused points whose reasons differ in numbers at most.
struct RefusedAlike {
  std::uint64_t count = 0;
  std::string first_reason;
};

/// Returns the reason without its digits.
std::string without_digits(std::string reason) {
  std::erase_if(reason, is_digit);
  return reason;
}

RefusedAlike most_frequent(const StudyTable& table) {
  std::map<std::string, RefusedAlike> by_reason;
  table.for_each([&](const StudyRow& row) {
    if (row.result.status != PointStatus::refused) return;
    RefusedAlike& alike = by_reason[without_digits(row.result.reason)];
    if (alike.count++ == 0) alike.first_reason = row.result.reason;
  });
  const auto most = std::max_element(by_reason.begin(), by_reason.end(),
                                     [](const auto& a, const auto& b) { return a.second.count < b.second.count; });
  return most->second;
}

/// Returns a word of a command as a person types it: in single quotes where a shell needs them.
std::string in_shell(const std::string& word) {
  const bool is_plain = std::all_of(word.begin(), word.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || std::string_view("_.,:=-").find(c) != std::string::npos;
  });
  if (is_plain) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

/// `; ok: --vary local=64,128`: the values of the only axis that are not refused, and how many more there are. Empty if
/// there is none. A single list would be read as several values of --vary.
std::string accepted_values(const StudyTable& table) {
  const PointSpace& space = table.space();
  if (space.axes().size() != 1) return {};
  std::vector<std::string> values;
  std::size_t more = 0;
  table.for_each([&](const StudyRow& row) {
    if (row.result.status != PointStatus::ok) return;
    if (values.size() == kMaxProposed)
      ++more;
    else
      values.push_back(space.value(row.ordinal, 0));
  });
  if (values.empty()) return {};
  const bool has_lists = std::any_of(values.begin(), values.end(),
                                     [](const std::string& value) { return value.find(',') != std::string::npos; });
  const std::string option = has_lists && values.size() == 1 ? "--set " : "--vary ";
  const std::string list = fmt::format("{}={}", space.axes().front().name, fmt::join(values, has_lists ? ";" : ","));
  return printable("; ok: `" + option + in_shell(list) + "`" + (more == 0 ? "" : fmt::format(", and {} more", more)));
}

}  // namespace

std::string refused_sentence(const StudyTable& table) {
  const std::uint64_t count = table.count(PointStatus::refused);
  if (count == 0 || count * 2 < table.points() || table.rows() != table.points() || table.points() > kMaxPoints)
    return {};
  const RefusedAlike alike = most_frequent(table);
  const std::string share = alike.count == count ? "" : fmt::format("{} of them ", alike.count);
  const std::string reason = alike.first_reason.substr(0, alike.first_reason.find(';'));
  return fmt::format("{} of {} points are refused, {}as the first: {}{}.", count, table.points(), share,
                     printable(reason), accepted_values(table));
}

}  // namespace gdsim
