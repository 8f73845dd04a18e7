#include <gdsim/scenario/model_names.hpp>

#include <gdsim/base/near_names.hpp>

#include <algorithm>
#include <array>
#include <cctype>

namespace gdsim {
namespace {

constexpr std::array<std::string_view, 11> kVendorWords{"nvidia", "geforce", "amd", "radeon",   "instinct", "intel",
                                                        "data",   "center",  "gpu", "graphics", "tesla"};

std::string lower(std::string_view text) {
  std::string result;
  for (const char c : text)
    result.push_back(c == ' ' || c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  return result;
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (c == '-') {
      words.emplace_back();
    } else {
      words.back().push_back(c);
    }
  }
  std::erase(words, "");
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "-") + word;
  return text;
}

/// `sm-89`, `sm89`, `cc89` and `8.9` as `cc-8.9`; else the text.
std::string compute_capability(const std::string& text) {
  std::string digits = text;
  for (const std::string_view prefix : {"sm-", "cc-", "sm", "cc"})
    if (digits.starts_with(prefix)) {
      digits.erase(0, prefix.size());
      break;
    }
  if (digits.size() == text.size() || digits.size() < 2 || digits.size() > 3 ||
      digits.find_first_not_of("0123456789") != std::string::npos)
    return text;
  return "cc-" + digits.substr(0, digits.size() - 1) + "." + digits.back();
}

bool has_words(const std::vector<std::string>& words, const std::vector<std::string>& wanted) {
  return !wanted.empty() && std::search(words.begin(), words.end(), wanted.begin(), wanted.end()) != words.end();
}

}  // namespace

ModelMatch match_model(std::string_view name, const std::vector<std::string>& known) {
  std::vector<std::string> words = words_of(lower(name));
  std::erase_if(words, [](const std::string& word) {
    return std::find(kVendorWords.begin(), kVendorWords.end(), word) != kVendorWords.end();
  });
  const std::string wanted = compute_capability(joined(words));
  if (wanted.empty()) return {};
  const auto all_that = [&](auto holds) {
    std::vector<std::string> found;
    for (const std::string& one : known)
      if (holds(lower(one))) found.push_back(one);
    return found;
  };
  if (auto same = all_that([&](const std::string& one) { return one == wanted; }); !same.empty())
    return {same, same.size() == 1};
  if (auto whole = all_that([&](const std::string& one) { return has_words(words_of(one), words_of(wanted)); });
      !whole.empty())
    return {whole, whole.size() == 1};
  if (auto begins = all_that([&](const std::string& one) { return one.starts_with(wanted); }); !begins.empty())
    return {begins, false};
  if (auto contains = all_that([&](const std::string& one) { return one.find(wanted) != std::string::npos; });
      !contains.empty())
    return {contains, false};
  const std::vector<std::string_view> views(known.begin(), known.end());
  const std::string_view nearest = nearest_name(wanted, views);
  if (nearest.empty()) return {};
  return {{std::string(nearest)}, false};
}

}  // namespace gdsim
