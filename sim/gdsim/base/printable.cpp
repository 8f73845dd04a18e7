#include <gdsim/base/printable.hpp>

#include <algorithm>

namespace gdsim {

std::string printable(std::string_view text) {
  std::string shown(text);
  std::replace_if(
      shown.begin(), shown.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return shown;
}

}  // namespace gdsim
