#include "terminal/program.hpp"

#include "commit.hpp"

#include <algorithm>
#include <array>

namespace gdsim::cli {

const char* version_number() { return GDSIM_VERSION; }

std::string version_text() {
  const std::string commit = GDSIM_COMMIT;
  return std::string("gdsim ") + version_number() + (commit.empty() ? "" : " (commit " + commit + ")");
}

namespace {

std::filesystem::path path_of_program() {
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/self/exe", unknown);
}

}  // namespace

std::filesystem::path path_of_all_commands() { return path_of_program().parent_path() / "gdsim-all"; }

bool lacks_other_commands() {
  std::error_code unknown;
  return path_of_program().filename() == "gdsim" && !std::filesystem::exists(path_of_all_commands(), unknown);
}

ExitStatus worse(ExitStatus a, ExitStatus b) {
  constexpr std::array by_gravity{ExitStatus::defect,  ExitStatus::interrupted,        ExitStatus::bad_input,
                                  ExitStatus::stalled, ExitStatus::expectation_missed, ExitStatus::done};
  return std::min(std::find(by_gravity.begin(), by_gravity.end(), a),
                  std::find(by_gravity.begin(), by_gravity.end(), b))[0];
}

}  // namespace gdsim::cli
