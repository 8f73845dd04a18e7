#include <gdsim/page/html/script_json.hpp>

#include <gdsim/report/json/json_writer.hpp>

namespace gdsim {

std::string script_string(std::string_view text) {
  std::string result;
  for (const char c : json_string(text)) {
    if (c == '<') {
      result += "\\u003c";
    } else {
      result.push_back(c);
    }
  }
  return result;
}

void append_picoseconds(std::string& text, SimTime from, SimTime time) {
  if (time < from) {
    text.push_back('-');
    append_count(text, static_cast<std::uint64_t>((from - time).count));
  } else {
    append_count(text, static_cast<std::uint64_t>((time - from).count));
  }
}

}  // namespace gdsim
