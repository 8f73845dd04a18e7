#include "options/roff.hpp"

#include "terminal/program.hpp"

#include <fmt/format.h>

namespace gdsim::cli {

std::string roff_escaped(std::string_view text) {
  std::string roff;
  bool begins_line = true;
  for (const char c : text) {
    if (begins_line && (c == '.' || c == '\'')) roff += "\\&";
    if (c == '\\') {
      roff += "\\e";
    } else if (c == '-') {
      roff += "\\-";
    } else if (c == '`' || c == '\'') {
      roff += c == '`' ? "\\(ga" : "\\(aq";
    } else {
      roff += c;
    }
    begins_line = c == '\n';
  }
  return roff;
}

std::string roff_head(std::string_view name, int section, std::string_view summary) {
  std::string upper;
  for (const char c : name) upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return fmt::format(".TH {} {} \"\" \"gdsim {}\" \"gdsim\"\n.SH NAME\n{} \\- {}\n", roff_escaped(upper), section,
                     version_number(), roff_escaped(name), roff_escaped(summary));
}

}  // namespace gdsim::cli
