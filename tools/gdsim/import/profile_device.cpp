#include "import/profile_device.hpp"
#include <gdsim/base/text.hpp>
#include <gdsim/scenario/device/read_device.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <vector>

namespace gdsim::cli {
namespace {

/// Returns the words of a driver's name for a product, in lower case: `a100`, `sxm4`, `80gb`.
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
    const SourceText& text = sources_.keep("the device of " + profile_.file, device_value(device, {}).line() + "\n");
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
    const bool is_family = chosen.spec.kind == DeviceKind::family && chosen.spec.cores == 1;  // 1 is a placeholder
    if (is_family) {
      if (said_ == nullptr || !said_->cores || *said_->cores == 0)
        fail("--device " + wanted + " is a family, which has no core count, and the file gives none");
      add_counts(chosen, *said_->cores);
    }
    const std::string said = said_text();
    const std::string which = is_family
                                  ? "the device is the family of --device, with the number of cores that the file gives"
                                  : "the device is the one of --device";
    chosen.written.comments.push_back(
        which + (said.empty() ? "; the file names none" : "; the launches were measured on " + said));
    return chosen;
  }

  /// Returns the model that the product's name means, if it has the file's number of cores and size of memory. A name
  /// of several models, or a part of one's, means the only one with these numbers; else returns nullopt.
  std::optional<ChosenDevice> product_named() {
    const ModelMatch match = models_.match(said_->name);
    if (!match.is_certain() && match.fit != NameFit::part) return std::nullopt;
    std::vector<ChosenDevice> fitting;
    for (const std::string& name : match.names) {
      if (!has_memory(words_of(name))) continue;
      ChosenDevice chosen;
      chosen.written.reference = name;
      chosen.spec = read(chosen.written);
      if (chosen.spec.kind != DeviceKind::product || (said_->cores && chosen.spec.cores != *said_->cores)) continue;
      fitting.push_back(std::move(chosen));
    }
    if (fitting.size() != 1 || (!match.is_certain() && !said_->cores && !said_->memory)) {
      for (const ChosenDevice& one : fitting) meant_.push_back(one.written.reference);
      return std::nullopt;
    }
    fitting.front().written.comments.push_back("the file names the device: " + said_text());
    return std::move(fitting.front());
  }

  /// Returns true unless the model's name has another size of memory than the file's device.
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

  /// Returns the family that the file says, or that of a product which is known to have no model, with the number of
  /// cores that the file says, or that the product is known to have; nullopt if either is missing.
  std::optional<ChosenDevice> family_said() {
    if (said_ == nullptr) return std::nullopt;
    const ModelMatch match = models_.match(said_->name);
    const bool is_known = match.fit == NameFit::no_model;
    const std::string family = is_known_family(said_->family) ? said_->family : is_known ? match.names.front() : "";
    const std::uint32_t cores = said_->cores.value_or(is_known ? *match.cores : 0);
    if (family.empty() || cores == 0) return std::nullopt;
    ChosenDevice chosen;
    chosen.written.reference = family;
    add_counts(chosen, cores);
    chosen.written.comments.push_back(fmt::format(
        "no model is of {}: this is its family, with the number of cores that {}{}",
        said_->name.empty() ? "the product, which the file does not name" : said_->name,
        said_->cores ? "the file gives" : "this product has",
        said_->clock ? (said_->cores ? " and its clock" : " and the clock of the file")
                     : "; without a clock, what the model counts in cycles (launch cost, recovery) is not in force"));
    return chosen;
  }

  /// Adds the numbers that the file gives to a family.
  void add_counts(ChosenDevice& chosen, std::uint32_t cores) {
    chosen.written.counts.emplace_back("cores", std::to_string(cores));
    if (said_->clock) chosen.written.counts.emplace_back("clock", to_text(*said_->clock));
    chosen.spec = read(chosen.written);
  }

  [[noreturn]] void fail() {
    const std::string said = said_text();
    if (said.empty()) fail("does not say on which device it was recorded");
    if (!meant_.empty()) fail("was recorded on a device that matches several models (" + said + ")");
    if (is_known_family(said_->family))
      fail("was recorded on a device without a model (" + said +
           "); a model of its family exists, but the file gives no core count");
    fail("was recorded on a device without a model (" + said + ")");
  }

  bool is_known_family(const std::string& name) const {
    const std::vector<std::string> names = models_.names();
    return !name.empty() && std::find(names.begin(), names.end(), name) != names.end();
  }

  /// Throws InputError that suggests a model: one that the product's name may mean, or one of its family or vendor.
  [[noreturn]] void fail(const std::string& what) {
    std::vector<std::string> models = meant_;
    if (models.empty() && said_ != nullptr && !said_->family.empty())
      models = models_.products_of(said_->family, said_->cores.value_or(0));
    if (models.empty()) models.push_back(product_of_vendor());
    std::string others;
    for (std::size_t i = 1; i < models.size(); ++i) others += (i == 1 ? " (or " : ", ") + models[i];
    if (!others.empty()) others += ")";
    throw InputError(
        {Diagnostic{"device",
                    what + "; choose a model: --device " + models.front() + others + "; `gdsim devices` lists all",
                    profile_.file,
                    0,
                    0,
                    {}}});
  }

  /// Returns any product of the vendor that the file's words, or the tool that wrote it, indicate.
  std::string product_of_vendor() const {
    const std::vector<std::string> words =
        words_of(said_ == nullptr ? profile_.format : said_->name + " " + said_->family + " " + profile_.format);
    const auto says = [&](std::initializer_list<std::string_view> beginnings) {
      return std::any_of(words.begin(), words.end(), [&](const std::string& word) {
        return std::any_of(beginnings.begin(), beginnings.end(),
                           [&](std::string_view beginning) { return word.starts_with(beginning); });
      });
    };
    if (says({"amd", "radeon", "instinct", "gfx", "roc"})) return "mi300x";
    if (says({"intel", "arc", "unitrace", "vtune"})) return "max-1550";
    return "a100-80gb";
  }

  const Profile& profile_;
  const ProfiledDevice* said_;
  ModelLibrary& models_;
  SourceFiles& sources_;
  std::vector<std::string> meant_;  ///< candidate models among which the file does not decide
};

}  // namespace

ChosenDevice choose_device(const Profile& profile, const std::string& key, const std::string& wanted,
                           ModelLibrary& models, SourceFiles& sources) {
  return DeviceChooser(profile, key, models, sources).choose(wanted);
}

}  // namespace gdsim::cli
