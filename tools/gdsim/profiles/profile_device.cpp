#include "profiles/profile_device.hpp"

#include <gdsim/base/printable.hpp>
#include <gdsim/scenario/device/model_names.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include <gdsim/yaml/yaml_document.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace gdsim::cli {
namespace {

/// Words of a driver's name for a product, in lower case: `a100`, `sxm4`, `80gb`.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      words.back().push_back(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  std::erase(words, "");
  return words;
}

/// Words that name a board, a vendor or a kind of product, but not another product.
bool is_of_board(const std::string& word) {
  constexpr std::array<std::string_view, 20> harmless{
      "nvidia", "geforce", "amd", "radeon", "instinct", "intel", "data",  "center", "gpu",    "graphics",
      "tesla",  "r",       "tm",  "pcie",   "vf",       "oam",   "pg509", "200",    "series", "a1"};
  return std::find(harmless.begin(), harmless.end(), word) != harmless.end() || word.starts_with("sxm") ||
         word.starts_with("hbm") ||
         (word.size() > 2 && word.ends_with("gb") && word.find_first_not_of("0123456789") == word.size() - 2);
}

/// One call of choose_device().
class DeviceChooser {
 public:
  DeviceChooser(const Profile& profile, const std::string& key, ModelLibrary& models, SourceFiles& sources)
      : profile_(profile), said_(device_of(profile, key)), models_(models), sources_(sources) {}

  ChosenDevice choose(const std::string& wanted) {
    if (!wanted.empty()) return wanted_device(wanted);
    if (said_ != nullptr && !said_->name.empty())
      if (auto product = product_named()) return std::move(*product);
    if (auto family = family_said()) return std::move(*family);
    fail();
  }

 private:
  DeviceSpec read(const ScenarioDevice& device) {
    const SourceText& text = sources_.keep("the device of " + profile_.file, device_value(device, {}) + "\n");
    Diagnostics problems;
    std::optional<DeviceSpec> spec;
    if (const auto node = read_yaml(text, problems)) spec = read_device(*node, ".", models_, ValueReader(problems));
    problems.throw_if_any();
    if (!spec) throw InputError("the device " + in_quotes(device.reference) + " cannot be read");
    return std::move(*spec);
  }

  std::string said_text() const {
    if (said_ == nullptr) return "";
    std::string text = said_->name.empty() ? said_->family : said_->name;
    if (!said_->name.empty() && !said_->family.empty()) text += ", " + said_->family;
    if (said_->cores) text += fmt::format("{}{} cores", text.empty() ? "" : ", ", *said_->cores);
    return text;
  }

  ChosenDevice wanted_device(const std::string& wanted) {
    ChosenDevice chosen;
    chosen.written.reference = wanted;
    chosen.spec = read(chosen.written);
    const std::string said = said_text();
    chosen.written.comments.push_back(said.empty()
                                          ? "the device is the one of --device; the file names none"
                                          : "the device is the one of --device; measured were launches on " + said);
    return chosen;
  }

  /// The models that the product's name may mean, of those with the file's number of cores.
  std::optional<ChosenDevice> product_named() {
    std::string plain = said_->name;
    for (const std::string_view mark : {"(R)", "(TM)", "(r)", "(tm)"})
      for (std::size_t at = plain.find(mark); at != std::string::npos; at = plain.find(mark))
        plain.erase(at, mark.size());
    const ModelMatch match = match_model(plain, models_.names());
    const std::vector<std::string> words = words_of(said_->name);
    std::vector<ChosenDevice> fitting;
    for (const std::string& name : match.names) {
      const std::vector<std::string> own = words_of(name);
      const bool is_same = std::all_of(words.begin(), words.end(), [&](const std::string& word) {
        return is_of_board(word) || std::find(own.begin(), own.end(), word) != own.end();
      });
      if (!is_same || !has_memory(own)) continue;
      ChosenDevice chosen;
      chosen.written.reference = name;
      chosen.spec = read(chosen.written);
      if (chosen.spec.kind == DeviceKind::product && (!said_->cores || chosen.spec.cores == *said_->cores))
        fitting.push_back(std::move(chosen));
    }
    if (fitting.size() != 1) return std::nullopt;
    fitting.front().written.comments.push_back("the file names the device: " + said_text());
    return std::move(fitting.front());
  }

  /// A model's name that has a size of memory has that of the device, as far as the file says.
  bool has_memory(const std::vector<std::string>& words) const {
    if (!said_->memory) return true;
    const std::uint64_t gigabytes = (*said_->memory + 2'000'000'000) / 1'000'000'000;
    return std::none_of(words.begin(), words.end(), [&](const std::string& word) {
      if (word.size() < 3 || !word.ends_with("gb") || word.find_first_not_of("0123456789") != word.size() - 2)
        return false;
      const std::uint64_t own = std::stoull(word.substr(0, std::min<std::size_t>(word.size() - 2, 6)));
      return own * 9 > gigabytes * 10 || own * 11 < gigabytes * 10;
    });
  }

  std::optional<ChosenDevice> family_said() {
    if (said_ == nullptr || said_->family.empty() || !said_->cores || *said_->cores == 0) return std::nullopt;
    const std::vector<std::string> names = models_.names();
    if (std::find(names.begin(), names.end(), said_->family) == names.end()) return std::nullopt;
    ChosenDevice chosen;
    chosen.written.reference = said_->family;
    chosen.written.counts.emplace_back("cores", std::to_string(*said_->cores));
    if (said_->clock) chosen.written.counts.emplace_back("clock", to_text(*said_->clock));
    chosen.spec = read(chosen.written);
    chosen.written.comments.push_back(fmt::format(
        "no model is of {}: this is its family, with the number of cores that the file gives{}",
        said_->name.empty() ? "the product, which the file does not name" : said_->name,
        said_->clock ? " and its clock"
                     : "; without a clock, what the model counts in cycles (launch cost, recovery) is not in force"));
    return chosen;
  }

  [[noreturn]] void fail() const {
    const std::string said = said_text();
    throw InputError(
        {Diagnostic{"device",
                    (said.empty() ? "does not say on which device it was made"
                                  : "was made on a device of which there is no model (" + said + ")") +
                        "; name a model that stands for it: --device a100-80gb (`gdsim devices` lists them)",
                    profile_.file,
                    0,
                    0,
                    {}}});
  }

  const Profile& profile_;
  const ProfiledDevice* said_;
  ModelLibrary& models_;
  SourceFiles& sources_;
};

}  // namespace

ChosenDevice choose_device(const Profile& profile, const std::string& key, const std::string& wanted,
                           ModelLibrary& models, SourceFiles& sources) {
  return DeviceChooser(profile, key, models, sources).choose(wanted);
}

}  // namespace gdsim::cli
