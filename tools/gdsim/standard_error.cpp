#include "standard_error.hpp"

#include <gdsim/base/printable.hpp>

#include <cstdio>

namespace gdsim::cli {

void print_error(std::string_view message) { std::fprintf(stderr, "%s\n", printable_lines(message).c_str()); }

}  // namespace gdsim::cli
