#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gdsim::testing {

/// Every list of files of the tests (CMakeLists.txt of `tests` and of folders of it), by its path from the top. What
/// other projects would write is none of them.
std::vector<std::string> lists_of_tests();

/// Whether some list adds tests to the program test_NAME.
bool is_test_program(std::string_view name);

}  // namespace gdsim::testing
