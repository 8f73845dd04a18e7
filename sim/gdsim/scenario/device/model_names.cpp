#include <gdsim/scenario/device/models.hpp>

#include <gdsim/base/csv_table.hpp>
#include <gdsim/base/text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <span>

namespace gdsim {
namespace {

using Words = std::vector<std::string>;

/// Words that a vendor adds to each of its products.
constexpr std::array<std::string_view, 18> kVendorWords{
    "nvidia",   "geforce", "amd",         "radeon", "instinct", "intel",   "data",    "center",  "gpu",
    "graphics", "tesla",   "corporation", "series", "founders", "edition", "desktop", "sramecc", "xnack"};
/// The names of series, without which a number still names its product.
constexpr std::array<std::string_view, 8> kSeries{"rtx", "gtx", "rx", "arc", "max", "quadro", "flex", "cc"};
/// What may stand behind a product's number without a space; a word comes before its beginnings.
constexpr std::array<std::string_view, 8> kBehindNumber{"super", "laptop", "xtx", "gre", "xt", "ti", "d", "m"};
constexpr std::string_view kDigits = "0123456789";

bool is_in(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of(kDigits) == std::string_view::npos;
}

char lower_case(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

void erase_all(std::string& text, std::string_view part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) text.erase(at, part.size());
}

/// Returns the name in lower case, without the marks of registered names, words apart by single spaces or more.
std::string spaced(std::string_view name) {
  std::string text;
  for (const char c : name) text.push_back(lower_case(c));
  for (const std::string_view mark : {"(r)", "(tm)", "\u00ae", "\u2122"}) erase_all(text, mark);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_point =
        text[i] == '.' && i > 0 && i + 1 < text.size() && is_digit(text[i - 1]) && is_digit(text[i + 1]);
    if (!is_digit(text[i]) && !(text[i] >= 'a' && text[i] <= 'z') && !is_point) text[i] = ' ';
  }
  return text;
}

/// Adds what stands behind the four digits of a product's number, each word apart; returns false if it is none.
bool add_behind_number(std::string_view rest, Words& words) {
  Words behind;
  while (!rest.empty()) {
    const auto* const found = std::find_if(kBehindNumber.begin(), kBehindNumber.end(),
                                           [&](std::string_view word) { return rest.starts_with(word); });
    if (found == kBehindNumber.end()) return false;
    behind.emplace_back(*found);
    rest.remove_prefix(found->size());
  }
  words.insert(words.end(), behind.begin(), behind.end());
  return true;
}

/// Adds a word, split at the borders of a series, its number, and what stands behind.
void add_split(std::string_view word, Words& words) {
  for (const std::string_view series : kSeries)
    if (word.size() > series.size() && word.starts_with(series) && is_digit(word[series.size()])) {
      words.emplace_back(series);
      word.remove_prefix(series.size());
      break;
    }
  constexpr std::size_t digits = 4;
  const std::size_t at = words.size();
  if (word.size() > digits && is_number(word.substr(0, digits)) && add_behind_number(word.substr(digits), words)) {
    words.emplace(words.begin() + static_cast<std::ptrdiff_t>(at), word.substr(0, digits));
    return;
  }
  words.emplace_back(word == "mobile" ? std::string_view("laptop") : word);
}

/// Returns the digits of a compute capability with their point: `8.9` of `89`, `12.0` of `120`; `10` to `19` are whole.
std::string with_point(std::string digits) {
  if (digits.size() == 3 || (digits.size() == 2 && digits.front() != '1')) digits.insert(digits.size() - 1, 1, '.');
  return digits;
}

/// Makes `cc 8.9` of `sm 89`, `compute 89`, `cc 89`, `sm89`, `sm 90a` and `8.9`; leaves other words alone.
void name_capability(Words& words) {
  std::string text;
  for (const std::string& word : words) text += word;
  const bool has_prefix = [&] {
    for (const std::string_view prefix : {"compute", "sm", "cc"})
      if (text.starts_with(prefix)) {
        text.erase(0, prefix.size());
        return true;
      }
    return false;
  }();
  if (has_prefix && !text.empty() && (text.back() == 'a' || text.back() == 'f')) text.pop_back();
  const bool is_whole = has_prefix && is_number(text) && text.size() == 2 && text.front() == '1';
  if (has_prefix && is_number(text)) text = with_point(text);
  const std::size_t point = std::min(text.find('.'), text.size());
  const bool has_point = point <= 2 && point + 2 == text.size() && is_number(text.substr(0, point));
  if (has_point || is_whole) words = {"cc", text};
}

Words words_of(std::string_view name) {
  Words words;
  const std::string text = spaced(name);
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    if (end > at) add_split(std::string_view(text).substr(at, end - at), words);
    at = end + 1;
  }
  std::erase_if(words, [](const std::string& word) { return is_in(word, kVendorWords); });
  name_capability(words);
  return words;
}

std::string joined(const Words& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : "-") + word;
  return text;
}

bool has(const Words& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Returns true if `words` are the wanted ones, in their order, and the name of a series.
bool adds_series_only(const Words& words, const Words& wanted) {
  const auto found = std::search(words.begin(), words.end(), wanted.begin(), wanted.end());
  if (found == words.end()) return false;
  const auto end = found + static_cast<std::ptrdiff_t>(wanted.size());
  const auto is_series = [](const std::string& word) { return is_in(word, kSeries); };
  return end == words.end() && std::all_of(words.begin(), found, is_series);
}

/// A name as its series, the letters before its first number, and this number: `rx`, ``, `7900`; ``, `mi`, `300`.
struct Numbered {
  std::string series;
  std::string letters;
  std::string number;
};

Numbered numbered(const Words& words) {
  Numbered name;
  for (const std::string& word : words) {
    if (is_in(word, kSeries) && name.series.empty()) {
      name.series = word;
      continue;
    }
    const std::size_t first = word.find_first_of(kDigits);
    if (first == std::string::npos) continue;
    name.letters = word.substr(0, first);
    const std::size_t end = word.find_first_not_of("0123456789.", first);
    name.number = word.substr(first, std::min(end, word.size()) - first);
    return name;
  }
  return name;
}

std::size_t common_beginning(std::string_view a, std::string_view b) {
  const auto [end, other] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  return static_cast<std::size_t>(end - a.begin());
}

double number_of(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

/// Returns how much two numbers of a series begin alike: of compute capabilities, whether the whole part is the same.
std::size_t likeness(const Numbered& a, const Numbered& b) {
  if (a.series != "cc") return common_beginning(a.number, b.number);
  return a.number.substr(0, a.number.find('.')) == b.number.substr(0, b.number.find('.')) ? 1 : 0;
}

/// One call of match_model().
class Matcher {
 public:
  Matcher(Words written, const std::vector<std::string>& known) : written_(std::move(written)), known_(known) {
    for (const std::string& name : known_) words_.push_back(words_of(name));
  }

  Words equal() const {
    return those([&](std::size_t i) { return words_[i] == written_; });
  }

  Words without_series() const {
    return those([&](std::size_t i) { return adds_series_only(words_[i], written_); });
  }

  /// Returns the models that have the written words in a row, else those that have the written letters.
  Words with_part() const {
    Words found = those([&](std::size_t i) {
      return std::search(words_[i].begin(), words_[i].end(), written_.begin(), written_.end()) != words_[i].end();
    });
    if (!found.empty()) return found;
    const std::string text = joined(written_);
    found = those([&](std::size_t i) { return joined(words_[i]).starts_with(text); });
    if (!found.empty()) return found;
    return those([&](std::size_t i) { return joined(words_[i]).find(text) != std::string::npos; });
  }

  /// Returns the models all of whose words are written, those with most words.
  Words with_most_words() const {
    std::size_t most = 0;
    const auto count = [&](std::size_t i) {
      const Words& words = words_[i];
      const bool all = std::all_of(words.begin(), words.end(), [&](const auto& word) { return has(written_, word); });
      return all ? words.size() : 0;
    };
    for (std::size_t i = 0; i < words_.size(); ++i) most = std::max(most, count(i));
    return most == 0 ? Words() : those([&](std::size_t i) { return count(i) == most; });
  }

  /// Returns the models of the written series whose numbers begin most alike, the nearest number first.
  Words of_generation() const {
    const Numbered wanted = numbered(written_);
    if (wanted.number.empty() || (wanted.series.empty() && wanted.letters.empty())) return {};
    std::size_t most = 0;
    std::vector<std::pair<double, std::string>> found;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const Numbered word = numbered(words_[i]);
      if (word.series != wanted.series || word.letters != wanted.letters) continue;
      if (word.series != "cc" && word.number.size() != wanted.number.size()) continue;
      const std::size_t common = likeness(word, wanted);
      if (common < most) continue;
      if (common > most) found.clear();
      most = common;
      found.emplace_back(std::abs(number_of(word.number) - number_of(wanted.number)), known_[i]);
    }
    std::stable_sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    Words names;
    for (auto& [distance, name] : found) names.push_back(std::move(name));
    return names;
  }

  Words with_slips() const {
    const std::vector<std::string_view> views(known_.begin(), known_.end());
    const std::string_view nearest = nearest_name(joined(written_), views);
    return nearest.empty() ? Words() : Words{std::string(nearest)};
  }

 private:
  template <class Holds>
  Words those(Holds holds) const {
    Words found;
    for (std::size_t i = 0; i < known_.size(); ++i)
      if (holds(i)) found.push_back(known_[i]);
    return found;
  }

  Words written_;
  const std::vector<std::string>& known_;
  std::vector<Words> words_;  ///< of known_
};

/// Returns the model, or the family of a product, of the first row whose words fit; `none` if no row's do.
template <class Fits>
ModelMatch match_row(const std::vector<std::string>& known, const std::vector<DeviceName>& names, Fits fits) {
  for (const DeviceName& row : names) {
    if (!fits(words_of(row.name))) continue;
    if (std::find(known.begin(), known.end(), row.model) == known.end()) continue;
    return {row.cores ? NameFit::no_model : NameFit::named, {row.model}, row.cores, row.note};
  }
  return {};
}

std::optional<std::uint32_t> read_cores(const CsvRow& row, const std::string& text, Diagnostics& problems) {
  if (text.empty()) return std::nullopt;
  std::uint32_t cores = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), cores);
  if (error == std::errc() && end == text.data() + text.size() && cores > 0) return cores;
  problems.add(row.mark, "cores: is " + in_quotes(text) + "; a number from 1, or nothing where the name is a model's");
  return std::nullopt;
}

}  // namespace

std::vector<DeviceName> read_device_names(const SourceText& source, Diagnostics& problems) {
  const std::size_t before = problems.size();
  const CsvDocument table = read_csv(source, problems);
  if (problems.size() > before) return {};
  const std::vector<std::string> columns{"name", "model", "cores", "note"};
  if (table.header != columns) {
    problems.add({&source, 1, 1}, "has other columns than these: name,model,cores,note");
    return {};
  }
  std::vector<DeviceName> names;
  for (const CsvRow& row : table.rows)
    names.push_back({row.cells[0], row.cells[1], read_cores(row, row.cells[2], problems), row.cells[3]});
  return names;
}

bool names_partition(std::string_view name, std::string_view model, std::string_view partition) {
  const Words of_model = words_of(model);
  const Words parts = words_of(partition);
  Words rest = words_of(name);
  std::erase_if(rest, [&](const std::string& word) { return has(of_model, word); });
  if (rest.empty()) return false;
  const auto match = std::search(parts.begin(), parts.end(), rest.begin(), rest.end());
  return match == parts.begin() || (match != parts.end() && !is_digit(rest.front().front()));
}

ModelMatch match_model(std::string_view name, const std::vector<std::string>& known,
                       const std::vector<DeviceName>& names) {
  const Words written = words_of(name);
  if (written.empty()) return {};
  const Matcher matcher(written, known);
  if (Words equal = matcher.equal(); !equal.empty())
    return {equal.size() == 1 ? NameFit::named : NameFit::part, std::move(equal), {}, {}};
  const auto is_written = [&](const Words& words) { return words == written; };
  if (ModelMatch row = match_row(known, names, is_written); row.fit != NameFit::none) return row;
  if (Words words = matcher.without_series(); words.size() == 1) return {NameFit::named, std::move(words), {}, {}};
  const auto adds_series = [&](const Words& words) { return adds_series_only(words, written); };
  if (ModelMatch row = match_row(known, names, adds_series); row.fit != NameFit::none) return row;
  if (Words parts = matcher.with_part(); !parts.empty()) return {NameFit::part, std::move(parts), {}, {}};
  if (Words longer = matcher.with_most_words(); !longer.empty()) return {NameFit::near, std::move(longer), {}, {}};
  if (Words alike = matcher.of_generation(); !alike.empty()) return {NameFit::near, std::move(alike), {}, {}};
  if (Words slip = matcher.with_slips(); !slip.empty()) return {NameFit::near, std::move(slip), {}, {}};
  return {};
}

}  // namespace gdsim
