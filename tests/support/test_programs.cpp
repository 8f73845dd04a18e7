#include "support/test_programs.hpp"

#include "support/builders.hpp"
#include "support/temporary_folder.hpp"

#include <algorithm>
#include <filesystem>

namespace gdsim::testing {

namespace fs = std::filesystem;

std::vector<std::string> lists_of_tests() {
  std::vector<std::string> lists{"tests/CMakeLists.txt"};
  for (const auto& entry : fs::directory_iterator(source_path("tests"))) {
    const fs::path list = entry.path() / "CMakeLists.txt";
    if (entry.path().filename() != "package" && fs::exists(list))
      lists.push_back(fs::relative(list, source_path("")).string());
  }
  std::sort(lists.begin(), lists.end());
  return lists;
}

bool is_test_program(std::string_view name) {
  const std::string call = "gdsim_add_tests(" + std::string(name) + "\n";
  const std::vector<std::string> lists = lists_of_tests();
  return std::any_of(lists.begin(), lists.end(), [&call](const std::string& list) {
    return read_file(source_path(list)).find(call) != std::string::npos;
  });
}

}  // namespace gdsim::testing
