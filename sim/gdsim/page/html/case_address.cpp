#include <gdsim/page/html/case_address.hpp>

#include <fmt/format.h>

#include <cctype>

namespace gdsim {

std::string case_address(std::string_view name) {
  std::string text = "#case=";
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_plain = byte < 0x80 && (std::isalnum(byte) != 0 || c == '-' || c == '_' || c == '.');
    text += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return text;
}

}  // namespace gdsim
