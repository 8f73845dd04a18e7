#include "markup.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <vector>

namespace gdsim::testing {
namespace {

const std::set<std::string> kVoid{"meta", "link", "br", "!DOCTYPE"};

/// Returns the text without the contents of scripts and styles.
std::string without_contents(std::string text) {
  for (const std::string name : {"script", "style"}) {
    const std::string close = "</" + name + ">";
    for (std::size_t at = 0; (at = text.find("<" + name, at)) != std::string::npos;) {
      const std::size_t begin = text.find('>', at) + 1;
      const std::size_t end = text.find(close, begin);
      if (end == std::string::npos) return text;
      text.erase(begin, end - begin);
      at = begin;
    }
  }
  return text;
}

bool is_name(const std::string& text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == ':' || c == '!';
  });
}

/// The parts of a tag: its name, `/NAME` in a closing tag, and whether it closes itself.
struct Tag {
  std::string name;
  bool is_empty = false;
};
std::optional<Tag> read_tag(std::string text) {
  Tag tag;
  if (text.ends_with('/')) {
    tag.is_empty = true;
    text.pop_back();
  }
  std::size_t at = std::min(text.find(' '), text.size());
  tag.name = text.substr(0, at);
  if (!is_name(tag.name.substr(tag.name.starts_with('/') ? 1 : 0))) return std::nullopt;
  while ((at = text.find_first_not_of(' ', at)) != std::string::npos) {
    const std::size_t end = std::min(text.find_first_of(" =", at), text.size());
    if (!is_name(text.substr(at, end - at))) return std::nullopt;
    at = end;
    if (at == text.size() || text[at] == ' ') continue;
    const std::size_t close = at + 1 < text.size() && text[at + 1] == '"' ? text.find('"', at + 2) : std::string::npos;
    if (close == std::string::npos || text.substr(at, close - at).find('<') != std::string::npos) return std::nullopt;
    at = close + 1;
    if (at < text.size() && text[at] != ' ') return std::nullopt;
  }
  return tag;
}

bool is_reference(const std::string& text) {
  const std::set<std::string> known{"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
  return known.contains(text.substr(0, text.find(';') + 1));
}

}  // namespace

std::string fault_of_markup(const std::string& page) {
  const std::string text = without_contents(page);
  std::vector<std::string> open;
  for (std::size_t at = text.find_first_of("<&"); at != std::string::npos; at = text.find_first_of("<&", at + 1)) {
    const std::string place = text.substr(at, 80);
    if (text[at] == '&') {
      if (!is_reference(place)) return "a bare & at: " + place;
      continue;
    }
    const std::size_t end = text.find('>', at);
    const auto tag = end == std::string::npos ? std::nullopt : read_tag(text.substr(at + 1, end - at - 1));
    if (!tag) return "not a tag: " + place;
    if (tag->name.starts_with('/')) {
      if (open.empty() || open.back() != tag->name.substr(1)) return "closes what is not open: " + place;
      open.pop_back();
    } else if (!tag->is_empty && !kVoid.contains(tag->name)) {
      open.push_back(tag->name);
    }
  }
  return open.empty() ? "" : "never closed: " + open.back();
}

}  // namespace gdsim::testing
