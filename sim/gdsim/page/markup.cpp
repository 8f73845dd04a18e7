#include <gdsim/page/markup.hpp>

#include <gdsim/base/text.hpp>

namespace gdsim {

std::string markup_text(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (const char c : well_formed(text)) {
    switch (c) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      case '\'': result += "&#39;"; break;
      default: {
        const auto code = static_cast<unsigned char>(c);
        result.push_back((code < 0x20 && c != '\n' && c != '\t') || code == 0x7F ? ' ' : c);
      }
    }
  }
  return result;
}

std::string shortened(std::string_view text, std::size_t max) {
  if (text.size() <= max) return std::string(text);
  return std::string(utf8_prefix(text, max)) + "…";
}

std::string table_box(std::string_view caption) {
  return "<div class=\"wide\" role=\"group\" aria-label=\"" + markup_text(caption) + "\" tabindex=\"0\">";
}

std::string capitalized(std::string text) {
  if (!text.empty() && text.front() >= 'a' && text.front() <= 'z')
    text.front() = static_cast<char>(text.front() - 'a' + 'A');
  return text;
}

}  // namespace gdsim
