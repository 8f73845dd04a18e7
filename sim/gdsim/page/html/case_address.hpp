#pragma once

#include <string>
#include <string_view>

namespace gdsim {

/// The address of a case on its page, `#case=NAME`, as the script of pages of several cases reads it.
std::string case_address(std::string_view name);

}  // namespace gdsim
