#pragma once

#include <gdsim/base/quantity.hpp>
#include <gdsim/report/number_format.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace gdsim {

/// A text as JSON, safe inside a `<script>` element.
std::string script_string(std::string_view text);

/// Appends picoseconds since `from`; negative before it.
void append_picoseconds(std::string& text, SimTime from, SimTime time);

/// `"name":[a,b,c]`
template <class Range, class Append>
std::string script_column(std::string_view name, Range&& rows, Append append) {
  std::string text = "\"" + std::string(name) + "\":[";
  bool is_first = true;
  for (auto&& row : rows) {
    if (!is_first) text.push_back(',');
    is_first = false;
    append(text, row);
  }
  return text + "]";
}

}  // namespace gdsim
