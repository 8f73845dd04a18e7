#include <gdsim/probe_model/probe_logs.hpp>

#include <gdsim/base/decimal.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/device/device_rules.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <map>
#include <utility>

namespace gdsim {
namespace {

/// Reads the comment lines above the rows, and returns their number.
std::uint32_t read_comments(const SourceText& source, std::map<std::string, std::string>& header,
                            Diagnostics& problems) {
  std::uint32_t line = 1;
  for (; source.line(line).starts_with("#"); ++line) {
    const std::string_view text = source.line(line).substr(1);
    const std::size_t colon = text.find(": ");
    const std::string_view key = trimmed(text.substr(0, std::min(colon, text.size())));
    if (colon == std::string_view::npos && !text.ends_with(":")) {
      problems.add({&source, line, 1}, "this comment line is no `# KEY: VALUE`, as the probe writes them");
      continue;
    }
    const std::string value(colon == std::string_view::npos ? "" : trimmed(text.substr(colon + 2)));
    const std::string name(key.ends_with(":") ? key.substr(0, key.size() - 1) : key);
    if (!header.emplace(name, value).second)
      problems.add({&source, line, 1}, in_quotes(name) + " stands twice above the rows");
  }
  return line - 1;
}

}  // namespace

std::string ProbeTable::fact(const std::string& key) const {
  const auto found = header.find(key);
  return found == header.end() ? std::string() : found->second;
}

ProbeTable read_probe_table(const SourceText& source, const std::string& experiment, const std::string& table,
                            Diagnostics& problems) {
  ProbeTable read;
  read.experiment = experiment;
  read.table = table;
  read.source = &source;
  const std::size_t before = problems.size();
  const std::uint32_t comments = read_comments(source, read.header, problems);
  if (comments == 0) {
    problems.add({&source, 1, 1},
                 "no comment lines `# KEY: VALUE` stand above the rows: this is no table of the probe");
    return read;
  }
  for (const auto& [key, name] : {std::pair<std::string, std::string>{"table", table}, {"experiment", experiment}})
    if (read.fact(key) != name)
      problems.add({&source, 1, 1},
                   fmt::format("its header says {} {}, the file's name {}; the probe names a file EXPERIMENT.TABLE.csv",
                               key, in_quotes(read.fact(key)), in_quotes(name)));
  if (read.fact("probe") != "1")
    problems.add({&source, 1, 1}, fmt::format("its header says version {} of the probe's tables; version 1 is read",
                                              in_quotes(read.fact("probe"))));
  if (!source.text().ends_with('\n'))
    problems.add({&source, comments + 1, 1}, "the last line does not end: the file is cut off");
  if (problems.size() == before) read.document = read_csv(source, problems, ',', comments);
  return read;
}

namespace {

namespace fs = std::filesystem;

/// Keys that all tables of one device share.
constexpr std::array kIdentity{"device", "architecture",     "runtime",
                               "cores",  "threads_per_core", "shared_bytes_per_core"};

struct TableFile {
  fs::path path;
  std::string experiment;
  std::string table;
};

/// `threads.blocks.csv`; nothing if the name has another form.
std::optional<TableFile> table_file(const fs::path& path) {
  const std::string name = path.filename().string();
  const std::size_t first = name.find('.');
  const std::size_t second = name.find('.', first == std::string::npos ? first : first + 1);
  if (second == std::string::npos || name.substr(second) != ".csv" || first == 0 || second == first + 1)
    return std::nullopt;
  return TableFile{path, name.substr(0, first), name.substr(first + 1, second - first - 1)};
}

std::vector<TableFile> files_of(const std::vector<std::string>& paths, std::vector<Diagnostic>& left_out) {
  std::vector<fs::path> files;
  for (const std::string& path : paths) {
    std::error_code failed;
    if (!fs::is_directory(path, failed)) {
      files.emplace_back(path);
      continue;
    }
    std::vector<fs::path> of_folder;
    for (fs::directory_iterator entry(path, failed), end; !failed && entry != end; entry.increment(failed))
      if (entry->path().extension() == ".csv") of_folder.push_back(entry->path());
    if (failed) throw InputError(printable(path) + ": the folder cannot be read: " + failed.message());
    if (of_folder.empty())
      throw InputError(printable(path) +
                       ": holds no table of the probe, such as threads.blocks.csv; the probe writes "
                       "them with `./probe --output FOLDER`");
    std::sort(of_folder.begin(), of_folder.end());
    files.insert(files.end(), of_folder.begin(), of_folder.end());
  }
  std::vector<TableFile> tables;
  for (const fs::path& file : files) {
    if (auto table = table_file(file)) {
      tables.push_back(*std::move(table));
    } else {
      left_out.push_back(
          {"", "the probe names its tables EXPERIMENT.TABLE.csv, such as threads.blocks.csv", file.string(), 0, 0, {}});
    }
  }
  return tables;
}

std::vector<std::string> identity_of(const ProbeTable& table) {
  std::vector<std::string> identity;
  for (const char* key : kIdentity) identity.push_back(table.fact(key));
  return identity;
}

/// The identity of most tables; if several are as frequent, that of the first one.
std::vector<std::string> common_identity(const std::vector<ProbeTable>& tables) {
  std::map<std::vector<std::string>, std::size_t> counts;
  for (const ProbeTable& table : tables) ++counts[identity_of(table)];
  std::vector<std::string> best = identity_of(tables.front());
  for (const ProbeTable& table : tables)
    if (counts.at(identity_of(table)) > counts.at(best)) best = identity_of(table);
  return best;
}

void leave_out_foreign(ProbeLogs& logs) {
  const std::vector<std::string> common = common_identity(logs.tables);
  std::erase_if(logs.tables, [&](const ProbeTable& table) {
    const std::vector<std::string> own = identity_of(table);
    if (own == common) return false;
    std::string differences;
    for (std::size_t i = 0; i < kIdentity.size(); ++i)
      if (own[i] != common[i])
        differences += fmt::format("{}{} {}, and not {}", differences.empty() ? "" : "; ", kIdentity[i],
                                   in_quotes(own[i]), in_quotes(common[i]));
    Diagnostics problem;
    problem.add({table.source, 1, 1}, "is of another device than most of the tables: " + differences);
    logs.left_out.push_back(problem.problems().front());
    return true;
  });
}

/// A number of the header; nothing, with a problem, if it is not a number or lies outside.
std::optional<std::int64_t> number_of(const ProbeTable& table, const std::string& key, std::int64_t min,
                                      std::int64_t max, Diagnostics& problems) {
  const std::string text = table.fact(key);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc() && end == text.data() + text.size() && min <= value && value <= max) return value;
  problems.add({table.source, 1, 1},
               fmt::format("{}: {} is no whole number from {} to {}", key, in_quotes(text), min, max));
  return std::nullopt;
}

ProbeFacts facts_of(const ProbeTable& table, Diagnostics& problems) {
  constexpr std::int64_t max_bytes = std::int64_t{1} << 40;
  ProbeFacts facts;
  facts.device = table.fact("device");
  facts.architecture = table.fact("architecture").substr(0, table.fact("architecture").find(':'));
  facts.runtime = table.fact("runtime");
  facts.driver = table.fact("driver");
  facts.date = table.fact("date_UTC").substr(0, 10);
  facts.cores = static_cast<std::uint32_t>(number_of(table, "cores", 1, device_limits::kCores, problems).value_or(0));
  facts.threads_per_core =
      static_cast<std::uint32_t>(number_of(table, "threads_per_core", 1, 1'000'000, problems).value_or(0));
  facts.shared_bytes_per_core = number_of(table, "shared_bytes_per_core", 0, max_bytes, problems).value_or(0);
  facts.l2_bytes = number_of(table, "l2_bytes", 0, max_bytes, problems).value_or(0);
  facts.timer_step_ns = number_of(table, "timer_step_ns", 0, 1'000'000'000, problems).value_or(0);
  facts.clock_bits = number_of(table, "clock_bits", 1, 64, problems).value_or(0);
  if (const Parsed<Decimal> clock = parse_decimal(table.fact("core_clock_MHz_measured")); clock.value)
    facts.clock_hertz = round_product({*clock.value}, {1'000'000, 1}).value_or(0);
  return facts;
}

}  // namespace

const ProbeTable* ProbeLogs::find(std::string_view experiment, std::string_view table) const {
  for (const ProbeTable& candidate : tables)
    if (candidate.experiment == experiment && candidate.table == table) return &candidate;
  return nullptr;
}

ProbeLogs read_probe_logs(const std::vector<std::string>& paths, SourceFiles& sources) {
  ProbeLogs logs;
  for (const TableFile& file : files_of(paths, logs.left_out)) {
    Diagnostics problems;
    if (logs.find(file.experiment, file.table) != nullptr) {
      problems.add(Diagnostic{
          "",
          fmt::format("there are two tables {}.{}; give those of one run of the probe", file.experiment, file.table),
          file.path.string(),
          0,
          0,
          {}});
    } else {
      ProbeTable table =
          read_probe_table(sources.read(file.path, "a table of the probe"), file.experiment, file.table, problems);
      if (problems.empty()) logs.tables.push_back(std::move(table));
    }
    logs.left_out.insert(logs.left_out.end(), problems.problems().begin(), problems.problems().end());
  }
  if (logs.tables.empty()) throw InputError(logs.left_out);
  leave_out_foreign(logs);
  Diagnostics problems;
  logs.facts = facts_of(logs.tables.front(), problems);
  problems.throw_if_any();
  return logs;
}

}  // namespace gdsim
