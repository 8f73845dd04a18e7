#include <gdsim/base/diagnostic.hpp>

#include <utility>

namespace gdsim {

SourceText::SourceText(std::string name, std::string text)
    : name_(std::move(name)), text_(std::move(text)), line_starts_{0} {
  for (std::size_t end = text_.find('\n'); end != std::string::npos; end = text_.find('\n', end + 1))
    line_starts_.push_back(end + 1);
}

std::string_view SourceText::line(std::uint32_t number) const {
  if (number == 0 || number > line_starts_.size()) return {};
  std::string_view rest = std::string_view(text_).substr(line_starts_[number - 1]);
  rest = rest.substr(0, rest.find('\n'));
  if (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
  return rest;
}

}  // namespace gdsim
