#include <gdsim/scenario/yaml/plain_name.hpp>

#include <gdsim/base/printable.hpp>

#include <string>

namespace gdsim {

void require_plain_name(std::string_view name, std::string_view what, const SourceMark& where, Diagnostics& problems) {
  if (name.empty() || std::string_view("=+-@\t\r").find(name.front()) == std::string_view::npos) return;
  problems.add(where, std::string(what) + ": " + in_quotes(name) +
                          " begins as a formula does in a spreadsheet that opens the tables (= + - @, tab, carriage "
                          "return); begin it with a letter, a digit or '_'");
}

}  // namespace gdsim
