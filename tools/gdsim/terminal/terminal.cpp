#include "terminal/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

namespace gdsim::cli {

bool is_terminal(int descriptor) {
  const char* term = std::getenv("TERM");
  return isatty(descriptor) == 1 && term != nullptr && std::string_view(term) != "dumb";
}

std::size_t terminal_width(int descriptor) {
  constexpr std::size_t usual = 80;
  winsize size{};
  if (!is_terminal(descriptor) || ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return usual;
  return size.ws_col;
}

Glyphs terminal_glyphs() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view locale(value);
    const bool is_utf8 =
        locale.find("UTF-8") != std::string_view::npos || locale.find("utf8") != std::string_view::npos;
    return is_utf8 ? Glyphs::unicode : Glyphs::ascii;
  }
  return Glyphs::ascii;
}

}  // namespace gdsim::cli
