#include <gdsim/scenario/device/model_names.hpp>

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

/// `sm-89`, `sm89`, `cc89` and `8.9` as `cc-8.9`; any other text unchanged.
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

/// Returns true for words by which a driver names a board and that a model may leave out: `sxm4`, `pcie`, `80gb`.
bool is_of_board(const std::string& word) {
  return word.starts_with("sxm") || word == "pcie" || word.starts_with("hbm") ||
         (word.size() > 2 && word.ends_with("gb") && word.find_first_not_of("0123456789") == word.size() - 2);
}

/// Matches names as drivers print them, such as `A100-SXM4-80GB`. Finds the models all of whose words are among the
/// written ones, and keeps those with the most words. A single model is certain if the other written words name the
/// board. If there is none, finds the models that have the first word.
ModelMatch match_longer_name(const std::vector<std::string>& written, const std::vector<std::string>& known) {
  ModelMatch best;
  std::vector<std::string> fitting;
  std::size_t most = 0;
  const auto is_written = [&](const std::string& word) {
    return std::find(written.begin(), written.end(), word) != written.end();
  };
  for (const std::string& one : known) {
    const std::vector<std::string> words = words_of(lower(one));
    if (words.size() < most || !std::all_of(words.begin(), words.end(), is_written)) continue;
    if (words.size() > most) best.names.clear();
    most = words.size();
    best.names.push_back(one);
    fitting = words;
  }
  best.is_certain = best.names.size() == 1 && std::all_of(written.begin(), written.end(), [&](const std::string& word) {
                      return is_of_board(word) || std::find(fitting.begin(), fitting.end(), word) != fitting.end();
                    });
  if (best.names.empty())
    for (const std::string& one : known)
      if (has_words(words_of(lower(one)), {written.front()})) best.names.push_back(one);
  return best;
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
  if (words.size() > 1)
    if (ModelMatch longer = match_longer_name(words, known); !longer.names.empty()) return longer;
  const std::vector<std::string_view> views(known.begin(), known.end());
  const std::string_view nearest = nearest_name(wanted, views);
  if (nearest.empty()) return {};
  return {{std::string(nearest)}, false};
}

}  // namespace gdsim
