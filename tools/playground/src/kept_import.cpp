#include "kept_import.hpp"

#include "import/imports.hpp"
#include "terminal/log.hpp"

namespace gdsim::playground {

KeptImport& kept_import() {
  static KeptImport only;
  return only;
}

}  // namespace gdsim::playground

// Of the command line: where a command writes, and what it says. Messages for those who look for more are left out.
namespace gdsim::cli {

void write_imported(CommandContext&, const std::function<void(Sink&)>& write) {
  TextSink sink;
  write(sink);
  playground::kept_import().text = sink.take();
}

void log_info(std::string_view) {}
void log_warning(std::string_view message) { playground::kept_import().report.emplace_back(message); }
void log_report(std::string_view text) { playground::kept_import().report.emplace_back(text); }

}  // namespace gdsim::cli
