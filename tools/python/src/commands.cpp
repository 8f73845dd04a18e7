#include "commands.hpp"

#include "command_line.hpp"
#include "interruption.hpp"
#include "options/command.hpp"
#include "output/sinks.hpp"
#include "terminal/log.hpp"

#include <gdsim/base/diagnostic.hpp>

#include <pybind11/stl.h>

#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace gdsim::python {
namespace {

namespace py = pybind11;

/// Keeps the output of a command.
class KeptOutput : public cli::StandardOutput {
 public:
  void write(std::string_view text) override { text_ += text; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// All threads share one log.
std::mutex log_mutex;

/// Returns the command's texts for standard output and standard error.
std::pair<std::string, std::string> run_command(const std::string& name, const std::vector<std::string>& words) {
  for (const cli::Command& command : cli::all_commands()) {
    if (command.spec.name != name) continue;
    std::vector<const char*> plain;
    for (const std::string& word : words) plain.push_back(word.c_str());
    const cli::Options options = cli::parse_options(command.spec, plain);
    return without_gil(Watch::at_once, [&](StopToken stop) {
      const std::lock_guard lock(log_mutex);
      const cli::KeptLog log;
      KeptOutput output;
      InternalRunOptions run;
      run.stop = std::move(stop);
      cli::CommandContext context{options, output, run};
      command.run(context);
      return std::pair(output.text(), log.text());
    });
  }
  throw InputError("there is no command " + name);
}

}  // namespace

void define_commands(py::module_& module) { module.def("command", &run_command, py::arg("name"), py::arg("words")); }

}  // namespace gdsim::python
