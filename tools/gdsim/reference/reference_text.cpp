#include "reference/reference_text.hpp"

#include "reference/key_reference.hpp"
#include "terminal/program.hpp"
#include "terminal/terminal.hpp"

#include <gdsim/report/format_catalog.hpp>
#include <gdsim/scenario/keys/synonyms.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim::cli {

std::string roff_escaped(std::string_view text) {
  std::string roff;
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line && (c == '.' || c == '\'')) roff += "\\&";
    if (c == '\\') {
      roff += "\\e";
    } else if (c == '-') {
      roff += "\\-";
    } else if (c == '`' || c == '\'') {
      roff += c == '`' ? "\\(ga" : "\\(aq";
    } else {
      roff += c;
    }
    begins_line = c == '\n';
  }
  return roff;
}

std::string roff_head(std::string_view name, int section, std::string_view summary) {
  std::string upper;
  for (const char c : name) upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return fmt::format(".TH {} {} \"\" \"gdsim {}\" \"gdsim\"\n.SH NAME\n{} \\- {}\n", roff_escaped(upper), section,
                     version_number(), roff_escaped(name), roff_escaped(summary));
}

namespace {

constexpr std::string_view kPaths =
    "A path such as kernels.NAME.program[] names the mapping that the keys below it stand in: NAME is a\n"
    "name of your own, [] an item of a list. Every key has an example below it.\n";

constexpr std::string_view kValues =
    "QUANTITIES have units: B KiB MiB GiB, ps ns us ms s, cycles, Hz kHz MHz GHz,\n"
    "B/s kB/s MB/s GB/s TB/s, uW mW W kW MW.\n"
    "EDITORS that know yaml-language-server check files that begin with the line\n"
    "`# yaml-language-server: $schema=PATH`. The schemas are scenarios/scenario.schema.json and\n"
    "models/device.schema.json, in the sources and in share/gdsim of an installation.\n";

constexpr std::string_view kScenarioValues =
    "EXPRESSIONS begin with `= `; a unit at their end belongs to the result: `= 2 * tile * 4 B`. They\n"
    "may stand wherever a number or a quantity may, but not in model files, `parameters`, titles and\n"
    "sources.\n"
    "  operators  + - * / ^ ( ), and < <= > >= == !=, which are 1 or 0\n"
    "  functions  min max ceil floor log2 sqrt, mod(a, b), if(c, a, b); in quotes where a comma stands\n"
    "             inside of [...] or {...}\n"
    "  names      parameters; device.cores, device.contexts; in a kernel its `local` and `threads`; in a\n"
    "             program and in `variation.work_groups` the number of the work-group, `group`, from 0,\n"
    "             and its position in each dimension: `group_x` (runs fastest), `group_y`, `group_z`\n"
    "  exactness  whole numbers are exact up to 2^53; what leaves them, and a division by 0, is an error;\n"
    "             a quantity enters in B, ps, Hz, B/s or uW; its expression needs a unit behind it\n"
    "  limits     1,000 bytes, 50 nested brackets; a kernel has at most 65,536 different programs, and\n"
    "             4,194,304 work-groups with values of their own\n"
    "NAMES of kernels, launches, queues, buffers and cases do not begin with = + - @ or white space:\n"
    "they stand in tables, and spreadsheets compute a cell that begins so. Parameters have letters,\n"
    "digits and underscores.\n"
    "SIZES: a file has at most 1 GiB and 16 million values.\n";

/// Describes a key: whether it is required, its meaning, and its allowed values.
std::string sentence_of(const KeyEntry& key) {
  return (key.is_required ? "Required. " : "") + key.description +
         (key.allowed.empty() ? "" : " (" + key.allowed + ")");
}

/// Returns the kinds of tables of runs, by the names of their files.
std::map<std::string, const CsvTable*, std::less<>> tables_by_file() {
  static const std::unique_ptr<CsvTable> samples = samples_table(Duration{1});
  std::map<std::string, const CsvTable*, std::less<>> tables{{std::string(samples->file()), samples.get()}};
  for (const Format& format : built_in_formats())
    if (format.table != nullptr) tables.emplace(format.file, format.table);
  return tables;
}

/// Adds the columns that have a sentence, unless they are there already: each before the next one that is.
void add_columns(const CsvTable& table, std::vector<ColumnWords>& all) {
  const auto place_of = [&](const ColumnWords& column) {
    return std::find_if(all.begin(), all.end(), [&](const ColumnWords& known) { return known.name == column.name; });
  };
  std::vector<ColumnWords> columns = table.columns(nullptr);
  std::erase_if(columns, [](const ColumnWords& column) { return column.sentence.empty(); });
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (place_of(columns[i]) != all.end()) continue;
    auto before = all.end();
    for (std::size_t next = i + 1; next < columns.size() && before == all.end(); ++next)
      before = place_of(columns[next]);
    all.insert(before, columns[i]);
  }
}

/// Describes each column; neighbors that have one sentence stand together.
std::string columns_text(const std::vector<ColumnWords>& columns) {
  constexpr std::size_t indent = 24;
  std::string text;
  for (std::size_t i = 0; i < columns.size();) {
    std::string names = columns[i].name;
    const std::string_view sentence = columns[i].sentence;
    for (++i; i < columns.size() && columns[i].sentence == sentence; ++i) names += ", " + columns[i].name;
    text += names.size() + 4 <= indent ? fmt::format("  {:<{}}", names, indent - 2)
                                       : fmt::format("  {}\n{:{}}", names, "", indent);
    text += wrapped_text(sentence, indent) + "\n";
  }
  return text;
}

/// Describes the tables whose names are given, and their columns together.
std::string tables_text(std::string_view names) {
  const auto tables = tables_by_file();
  std::vector<const CsvTable*> shown;
  std::istringstream words{std::string(names)};
  for (std::string name; words >> name;) shown.push_back(tables.at(name + ".csv"));
  std::size_t widest = 0;
  for (const CsvTable* table : shown) widest = std::max(widest, table->file().size());
  std::string text;
  std::vector<ColumnWords> columns;
  for (const CsvTable* table : shown) {
    text += fmt::format("{:<{}}  {}\n", table->file(), widest, wrapped_text(table->words(), widest + 2));
    add_columns(*table, columns);
  }
  return text + columns_text(columns);
}

/// The outputs of a run, column by column.
std::string outputs_reference() {
  std::string text;
  std::istringstream lines{std::string(outputs_text())};
  for (std::string line; std::getline(lines, line);)
    text += line.starts_with('@') ? tables_text(std::string_view(line).substr(1)) : line + "\n";
  return text;
}

/// Returns the text of a topic that is not made from a schema, else nullopt.
std::optional<std::string> written_text(const ReferenceTopic& topic) {
  if (topic.name == "words") return std::string(words_text());
  if (topic.name == "outputs") return outputs_reference();
  return std::nullopt;
}

std::vector<KeySection> sections_of(const ReferenceTopic& topic) {
  return topic.name == "scenario" ? scenario_keys() : device_keys();
}

std::string values_text(const ReferenceTopic& topic) {
  return std::string(kValues) + std::string(topic.name == "scenario" ? kScenarioValues : "");
}

std::string section_text(const KeySection& section, std::string_view outermost) {
  std::size_t widest = 0;
  for (const KeyEntry& key : section.keys) widest = std::max(widest, key.name.size());
  const std::size_t indent = widest + 4;
  std::string text = fmt::format("\n{}\n", section.path.empty() ? outermost : std::string_view(section.path));
  for (const KeyEntry& key : section.keys) {
    text += fmt::format("  {:<{}}  {}\n", key.name, widest, wrapped_text(sentence_of(key), indent));
    text += fmt::format("      {}\n", key.example);
  }
  return text;
}

/// Returns the keys of this name with their meaning, then the paths of further keys that speak of the word.
std::string keys_saying(const std::vector<KeySection>& sections, std::string_view word) {
  constexpr std::size_t indent = 6;
  std::string named;
  std::string others;
  for (const KeySection& section : sections)
    for (const KeyEntry& key : section.keys) {
      const std::string path = section.path + (section.path.empty() ? "" : ".") + key.name;
      if (plain_word(key.name) == plain_word(word))
        named += fmt::format("  {}\n      {}\n      {}\n", path, wrapped_text(sentence_of(key), indent), key.example);
      else if (says(key.name, word) || says(key.description, word))
        others += (others.empty() ? "" : ", ") + path;
    }
  return named + (others.empty() ? "" : fmt::format("  also in {}\n", wrapped_text(others, 2)));
}

/// Returns the lines of a text that say the word.
std::string lines_saying(std::string_view text, std::string_view word) {
  std::string lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (says(line, word))
      lines += fmt::format("  {}\n", line.substr(std::min(line.find_first_not_of(' '), line.size())));
  }
  return lines;
}

}  // namespace

const std::vector<ReferenceTopic>& reference_topics() {
  static const std::vector<ReferenceTopic> topics{{"scenario", "every key of a scenario, with an example"},
                                                  {"device", "every key of a device model, with an example"},
                                                  {"outputs", "every table and column that a run writes"},
                                                  {"words", "a glossary: gdsim's terms in SYCL, CUDA, HIP and VTune"}};
  return topics;
}

const ReferenceTopic* find_topic(std::string_view name) {
  for (const ReferenceTopic& topic : reference_topics())
    if (topic.name == name) return &topic;
  return nullptr;
}

std::string reference_text(const ReferenceTopic& topic) {
  if (const auto written = written_text(topic)) return *written;
  std::string text = std::string(kPaths) + "\n" + values_text(topic);
  for (const KeySection& section : sections_of(topic))
    text += section_text(section, topic.name == "scenario" ? "a scenario" : "a device");
  return text;
}

bool says(std::string_view text, std::string_view word) {
  const std::string plain = plain_word(word);
  return !plain.empty() && plain_word(text).find(plain) != std::string::npos;
}

std::string search_text(std::string_view word) {
  const auto part = [](std::string_view title, const std::string& found) {
    return found.empty() ? std::string() : fmt::format("{}\n{}\n", title, found);
  };
  std::string text =
      part("Words: gdsim, SYCL, CUDA, HIP, VTune (`gdsim help words`)", lines_saying(words_text(), word)) +
      part("Keys of a scenario (`gdsim help scenario`)", keys_saying(scenario_keys(), word)) +
      part("Keys of a device model (`gdsim help device`)", keys_saying(device_keys(), word)) +
      part("Outputs (`gdsim help outputs`)", lines_saying(outputs_reference(), word));
  if (!text.empty()) text.pop_back();
  return text;
}

std::string reference_page(const ReferenceTopic& topic) {
  std::string text = roff_head(fmt::format("gdsim-{}", topic.name), 5, topic.summary);
  if (const auto written = written_text(topic))
    return text + fmt::format(".SH DESCRIPTION\n.nf\n{}.fi\n.SH SEE ALSO\n.BR gdsim (1)\n", roff_escaped(*written));
  text += fmt::format(".SH DESCRIPTION\n{}", roff_escaped(kPaths));
  text += fmt::format(".nf\n{}.fi\n", roff_escaped(values_text(topic)));
  for (const KeySection& section : sections_of(topic)) {
    text += fmt::format(".SH {}\n", section.path.empty() ? "KEYS" : roff_escaped(section.path));
    for (const KeyEntry& key : section.keys)
      text += fmt::format(".TP\n\\fB{}\\fR\n{}\n.br\n{}\n", roff_escaped(key.name), roff_escaped(sentence_of(key)),
                          roff_escaped(key.example));
  }
  return text + ".SH SEE ALSO\n.BR gdsim (1)\n";
}

}  // namespace gdsim::cli
