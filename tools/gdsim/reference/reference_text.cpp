#include "reference/reference_text.hpp"

#include "options/roff.hpp"
#include "reference/key_reference.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace gdsim::cli {
namespace {

constexpr std::size_t kWidth = 100;

constexpr std::string_view kPaths =
    "A path such as kernels.NAME.program[] names the mapping that the keys below it stand in: NAME is a name of your\n"
    "own, [] an item of a list. Every key shows an example.\n";

constexpr std::string_view kValues =
    "QUANTITIES have units: B KiB MiB GiB, ps ns us ms s, cycles, Hz kHz MHz GHz, B/s kB/s MB/s GB/s TB/s.\n";

constexpr std::string_view kScenarioValues =
    "EXPRESSIONS begin with `= `, a unit at their end belongs to the result: `= 2 * tile * 4 B`. They may stand\n"
    "wherever a number or a quantity may, but not in model files, `parameters`, titles and sources.\n"
    "  operators   + - * / ^ ( ), and < <= > >= == !=, which are 1 or 0\n"
    "  functions   min max ceil floor log2 sqrt, mod(a, b), if(c, a, b); one with a comma stands in quotes\n"
    "              where it is inside of [...] or {...}\n"
    "  names       parameters; device.cores, device.contexts; in a kernel its own `local` and `threads`;\n"
    "              in a program and in `variation.work_groups` the number of the work-group, `group`, and its\n"
    "              position from the dimension that runs fastest: `group_x`, `group_y`, `group_z`\n"
    "  exactness   whole numbers are exact up to 2^53; what leaves them, and a division by 0, is an error\n"
    "  limits      1,000 bytes, 50 nested brackets; 65,536 different programs of one kernel, and 4,194,304\n"
    "              work-groups with values of their own\n"
    "NAMES of kernels, launches, queues, buffers and cases must not begin with = + - @ or white space: they stand in\n"
    "tables, and spreadsheets compute a cell that begins so. A parameter's name has letters, digits and underscores.\n"
    "SIZES: a file has at most 1 GiB and 16 million values.\n";

/// `text` broken into lines that end at `kWidth`, each but the first behind `indent` spaces.
std::string wrapped(std::string_view text, std::size_t indent) {
  std::string lines;
  std::size_t column = indent;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    if (column > indent && column + 1 + word.size() > kWidth) {
      lines += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      lines += ' ';
      ++column;
    }
    lines += word;
    column += word.size();
    at = end + 1;
  }
  return lines;
}

/// What is said of a key: whether it must be there, what it is, and what is allowed.
std::string sentence_of(const KeyEntry& key) {
  return (key.is_required ? "Required. " : "") + key.description +
         (key.allowed.empty() ? "" : " (" + key.allowed + ")");
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
    text += fmt::format("  {:<{}}  {}\n", key.name, widest, wrapped(sentence_of(key), indent));
    text += std::string(indent + 2, ' ') + key.example + "\n";
  }
  return text;
}

}  // namespace

const std::vector<ReferenceTopic>& reference_topics() {
  static const std::vector<ReferenceTopic> topics{{"scenario", "every key of a scenario, with an example"},
                                                  {"device", "every key of a device model, with an example"}};
  return topics;
}

const ReferenceTopic* find_topic(std::string_view name) {
  for (const ReferenceTopic& topic : reference_topics())
    if (topic.name == name) return &topic;
  return nullptr;
}

std::string reference_text(const ReferenceTopic& topic) {
  std::string text = std::string(kPaths) + "\n" + values_text(topic);
  for (const KeySection& section : sections_of(topic))
    text += section_text(section, topic.name == "scenario" ? "a scenario" : "a device");
  return text;
}

std::string reference_page(const ReferenceTopic& topic) {
  std::string text = roff_head(fmt::format("gdsim-{}", topic.name), 5, topic.summary);
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
