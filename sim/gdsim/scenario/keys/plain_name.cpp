#include <gdsim/scenario/keys/plain_name.hpp>

#include <gdsim/base/text.hpp>

#include <string>

namespace gdsim {

void require_plain_name(std::string_view name, std::string_view what, const SourceMark& where, Diagnostics& problems) {
  if (!begins_as_formula(name)) return;
  problems.add(where, std::string(what) + ": " + in_quotes(name) +
                          " begins as a formula does in a spreadsheet that opens the tables (= + - @, tab, carriage "
                          "return); begin it with a letter, a digit or '_'");
}

}  // namespace gdsim
