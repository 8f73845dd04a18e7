#include <gdsim/report/run_tables.hpp>

#include <gdsim/analysis/run_report.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/compile/compiled_parts.hpp>
#include <gdsim/report/format_catalog.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
namespace {

/// All formats except those of repeated runs, which have several results.
std::vector<Format> formats_of_one_run() {
  std::vector<Format> formats = built_in_formats();
  for (const Format& format : export_formats()) formats.push_back(format);
  std::erase_if(formats, [](const Format& format) { return format.keeps == Keeps::repetitions; });
  return formats;
}

Format format_named(const std::string& name) {
  for (const Format& format : formats_of_one_run())
    if (format.name == name) return format;
  throw InputError("RunTables: there is no table " + in_quotes(name) + "; " + known_names(name, run_table_names()));
}

/// Throws InputError if the run lacks the subject of the table.
void require_subject(const Format& format, const Compiled& compiled) {
  if (format.keeps == Keeps::core_groups && compiled.device().core_groups.empty())
    throw InputError("RunTables: " + in_quotes(format.name) + " needs a device with `core_groups`");
  if (format.keeps == Keeps::processes && !compiled.rules().preemption)
    throw InputError("RunTables: " + in_quotes(format.name) + " needs `preemption` in the rules of dispatch");
  if (!format.vendor.empty() && compiled.device().vendor != format.vendor)
    throw InputError("RunTables: " + in_quotes(format.name) + " needs a device of the vendor " +
                     in_quotes(format.vendor));
}

/// Forwards what is written.
class PieceSink : public Sink {
 public:
  PieceSink(void (*write_piece)(void* to, std::string_view piece), void* to) : write_piece_(write_piece), to_(to) {}
  void write(std::string_view text) override { write_piece_(to_, text); }

 private:
  void (*write_piece_)(void* to, std::string_view piece);
  void* to_;
};

}  // namespace

std::vector<std::string_view> run_table_names() {
  std::vector<std::string_view> names;
  for (const Format& format : formats_of_one_run()) names.push_back(format.name);
  return names;
}

struct RunTables::Parts {
  explicit Parts(const Compiled& compiled_scenario) : compiled(compiled_scenario) {}

  Compiled compiled;
  std::string title;
  std::vector<Format> formats;
  KeptParts kept;
  bool is_watched = false;
};

RunTables::RunTables(const Compiled& compiled, const std::vector<std::string>& names, std::string title)
    : parts_(std::make_unique<Parts>(compiled)) {
  parts_->title = std::move(title);
  for (const std::string& name : names) {
    parts_->formats.push_back(format_named(name));
    require_subject(parts_->formats.back(), compiled);
  }
}

RunTables::~RunTables() = default;

void RunTables::watch(RunOptions& options) {
  if (parts_->is_watched) throw InputError("RunTables: it watches one run, and a second one was asked of it");
  std::set<Keeps> keeps;
  for (const Format& format : parts_->formats) keeps.insert(format.keeps);
  if (keeps.contains(Keeps::waits)) keeps.insert(Keeps::timeline);
  parts_->kept.watch(keeps, parts_->compiled.device(), parts_->compiled.workload(), std::nullopt, options);
  parts_->is_watched = true;
}

void RunTables::write_pieces(std::string_view name, const RunResult& run,
                             void (*write_piece)(void* to, std::string_view piece), void* to) const {
  const auto format =
      std::find_if(parts_->formats.begin(), parts_->formats.end(), [&](const Format& one) { return one.name == name; });
  if (format == parts_->formats.end())
    throw InputError("RunTables: " + in_quotes(name) + " is none of the tables that were asked for");
  const Compiled& compiled = parts_->compiled;
  if (!parts_->is_watched) throw InputError("RunTables: watch() was not called, so nothing was kept");
  if (run.record.launches.size() != compiled.workload().launches.size())
    throw InputError("RunTables: the result has " + std::to_string(run.record.launches.size()) +
                     " launches, the workload " + std::to_string(compiled.workload().launches.size()));
  const DeviceSpec device = device_as_run(compiled.device(), run.record);
  RunReport report{parts_->title, device, compiled.rules(), compiled.workload(), run.record, graph_of(compiled)};
  report.timeline = &run.timeline;
  parts_->kept.add_to(report);
  PieceSink sink(write_piece, to);
  format->write(report, sink);
}

std::string RunTables::text(std::string_view name, const RunResult& run) const {
  std::string text;
  const auto append = [](void* all, std::string_view piece) { static_cast<std::string*>(all)->append(piece); };
  write_pieces(name, run, append, &text);
  return text;
}

}  // namespace gdsim
