#include "scenarios.hpp"

#include "builders.hpp"
#include "temporary_folder.hpp"

#include <gdsim/base/diagnostic.hpp>

namespace gdsim::testing {

ReadText read_text(const std::string& text, ReadOptions options) {
  const TemporaryFolder folder;
  options.models.emplace_back(source_path("models"));
  ReadText result;
  try {
    result.cases = read_scenario(folder.write("scenario.yaml", text), options, result.sources);
  } catch (const InputError& error) {
    for (const Diagnostic& problem : error.problems())
      result.problems +=
          std::to_string(problem.line) + ":" + std::to_string(problem.column) + ": " + problem.message + "\n";
  }
  return result;
}

std::string plain_scenario(const std::string& more) {
  return "scenario: Plain\n"
         "device: tiny\n"
         "kernels:\n"
         "  k: {global: 64, local: 8, sub_group: 8, program: [compute: 1 us]}\n"
         "launches:\n"
         "  - kernel: k\n" +
         more;
}

}  // namespace gdsim::testing
