#include "commands/check_report.hpp"

#include <gdsim/base/text.hpp>
#include <gdsim/page/markup.hpp>
#include <gdsim/report/json/json_writer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace gdsim::cli {
namespace {

/// Wraps words in terminal colors if output is colored.
class Paint {
 public:
  explicit Paint(bool colored) : colored_(colored) {}
  std::string good(const std::string& word) const { return paint("32", word); }
  std::string warning(const std::string& word) const { return paint("33", word); }
  std::string bad(const std::string& word) const { return paint("1;31", word); }

 private:
  std::string paint(const char* code, const std::string& word) const {
    return colored_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, word) : word;
  }
  bool colored_;
};

/// Cuts a text to a line or two. Texts can be long: an imported profile expects two figures of each of its launches.
std::string cut(const std::string& words) {
  constexpr std::size_t most = 400;
  if (words.size() <= most) return printable(words);
  const std::size_t end = words.rfind(", ", most);
  return printable(words.substr(0, end == std::string::npos ? most : end)) + ", ... (`--format json` has all of it)";
}

std::string item_text(const CheckedItem& item, const Paint& paint) {
  const ExpectationResult& verdict = item.verdict;
  if (verdict.passed && item.status == ExpectationStatus::known_gap)
    return fmt::format("  {}   {}: {}; found {}\n", paint.warning("gap"), printable(item.key), cut(verdict.expected),
                       cut(verdict.found));
  if (verdict.passed)
    return fmt::format("  {}    {}: {}\n", paint.good("ok"), printable(item.key), cut(verdict.expected));
  return fmt::format("  {}  {}: {}: expected {}, found {}; tolerance: {}; source: {}\n", paint.bad("MISS"),
                     printable(item.place), printable(item.key), printable(verdict.expected), printable(verdict.found),
                     printable(verdict.tolerance), item.source.empty() ? "none given" : printable(item.source));
}

std::string case_text(const CheckedCase& checked, const Paint& paint) {
  std::string text = checked.name.empty() ? "" : fmt::format(" case {}\n", printable(checked.name));
  for (const CheckedItem& item : checked.items) text += item_text(item, paint);
  if (!checked.deadlock.empty()) text += fmt::format("  {} {}\n", paint.bad("DEADLOCK"), printable(checked.deadlock));
  if (!checked.interruption.empty())
    text += fmt::format("  {} {}\n", paint.bad("INTERRUPTED"), printable(checked.interruption));
  if (checked.items.empty() && checked.deadlock.empty() && checked.interruption.empty())
    text += "  (expects nothing)\n";
  return text;
}

void append_item(const CheckedItem& item, JsonWriter& json) {
  json.open_object();
  json.key("key").text(item.key);
  json.key("place").text(item.place);
  json.key("passed").truth(item.verdict.passed);
  json.key("known_gap").truth(item.status == ExpectationStatus::known_gap);
  json.key("expected").text(item.verdict.expected);
  json.key("found").text(item.verdict.found);
  json.key("tolerance").text(item.verdict.tolerance);
  json.key("source").text(item.source);
  json.close_object();
}

void append_case(const CheckedCase& checked, JsonWriter& json) {
  json.open_object();
  json.key("case").text(checked.name);
  json.key("stall").text(checked.deadlock);
  json.key("interruption").text(checked.interruption);
  json.key("expectations").open_list();
  for (const CheckedItem& item : checked.items) append_item(item, json);
  json.close_list();
  json.close_object();
}

std::size_t count_unusable(const std::vector<CheckedFile>& files) {
  return static_cast<std::size_t>(
      std::count_if(files.begin(), files.end(), [](const CheckedFile& file) { return !file.errors.empty(); }));
}

/// Escapes the value of an attribute; line ends stay.
std::string xml(std::string_view text) {
  std::string escaped;
  for (const char c : markup_text(text)) escaped += c == '\n' ? std::string("&#10;") : std::string(1, c);
  return escaped;
}

/// The test cases of one file, with the counts of `failures` and `errors`.
struct Suite {
  std::string body;
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t errors = 0;

  void add(const std::string& name, const std::string& kind, const std::string& message) {
    ++tests;
    body += fmt::format("    <testcase name=\"{}\"", xml(name));
    body += kind.empty() ? "/>\n" : fmt::format("><{} message=\"{}\"/></testcase>\n", kind, xml(message));
  }
};

void add_case(const CheckedCase& checked, Suite& suite) {
  const std::string prefix = checked.name.empty() ? "" : checked.name + ": ";
  std::size_t number = 0;
  for (const CheckedItem& item : checked.items) {
    const std::string name = fmt::format("{}{} {}", prefix, ++number, item.key);
    const ExpectationResult& verdict = item.verdict;
    if (!verdict.passed) ++suite.failures;
    suite.add(name, verdict.passed ? "" : "failure",
              fmt::format("{}: expected {}, found {}; tolerance: {}; source: {}", item.place, verdict.expected,
                          verdict.found, verdict.tolerance, item.source.empty() ? "none given" : item.source));
  }
  for (const std::string& error : {checked.deadlock, checked.interruption}) {
    if (error.empty()) continue;
    ++suite.errors;
    suite.add(prefix + "run", "error", error);
  }
}

Suite suite_of(const CheckedFile& file) {
  Suite suite;
  for (const CheckedCase& checked : file.cases) add_case(checked, suite);
  for (const std::string& error : file.errors) {
    ++suite.errors;
    suite.add("scenario", "error", error);
  }
  return suite;
}

}  // namespace

CheckCounts count_items(const std::vector<CheckedFile>& files) {
  CheckCounts counts;
  for (const CheckedFile& file : files)
    for (const CheckedCase& checked : file.cases)
      for (const CheckedItem& item : checked.items) {
        ++(item.verdict.passed ? counts.passed : counts.missed);
        if (item.verdict.passed && item.status == ExpectationStatus::known_gap) ++counts.known_gaps;
      }
  return counts;
}

std::string check_text(const std::vector<CheckedFile>& files, bool colored) {
  const Paint paint(colored);
  std::string text;
  const std::size_t unusable = count_unusable(files);
  for (const CheckedFile& file : files) {
    text += printable(file.file) + "\n";
    for (const CheckedCase& checked : file.cases) text += case_text(checked, paint);
    if (!file.errors.empty()) text += fmt::format("  {} could not be checked\n", paint.bad("ERROR"));
  }
  const CheckCounts counts = count_items(files);
  const std::string gaps = counts.known_gaps > 0 ? ", " + counted(counts.known_gaps, "known gap") : "";
  text += fmt::format("{} in {}: {} ok{}, {} missed", counted(counts.passed + counts.missed, "expectation"),
                      counted(files.size(), "file"), counts.passed - counts.known_gaps, gaps, counts.missed);
  return text + (unusable > 0 ? fmt::format("; {} could not be checked\n", counted(unusable, "file")) : "\n");
}

std::string check_json(const std::vector<CheckedFile>& files) {
  const CheckCounts counts = count_items(files);
  JsonWriter json;
  json.open_object();
  json.key("schema_version").count(1);
  json.key("passed").count(counts.passed);
  json.key("known_gaps").count(counts.known_gaps);
  json.key("missed").count(counts.missed);
  json.key("files_not_judged").count(count_unusable(files));
  json.key("files").open_list();
  for (const CheckedFile& file : files) {
    json.open_object();
    json.key("file").text(file.file);
    json.key("status").count(static_cast<std::uint64_t>(file.status));
    json.key("errors").open_list();
    for (const std::string& error : file.errors) json.text(error);
    json.close_list();
    json.key("cases").open_list();
    for (const CheckedCase& checked : file.cases) append_case(checked, json);
    json.close_list();
    json.close_object();
  }
  json.close_list();
  json.close_object();
  return json.finish();
}

std::string check_junit(const std::vector<CheckedFile>& files) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (const CheckedFile& file : files) {
    const Suite suite = suite_of(file);
    text += fmt::format("  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\">\n", xml(file.file),
                        suite.tests, suite.failures, suite.errors);
    text += suite.body + "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace gdsim::cli
