#include <gdsim/scenario/device/read_kernel_choice.hpp>

#include <gdsim/base/text.hpp>

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

using ChoiceWord = std::pair<std::string_view, KernelChoice>;

constexpr std::array<ChoiceWord, 5> kKernelChoices{{{"head_only", KernelChoice::head_only},
                                                    {"skip_blocked", KernelChoice::skip_blocked},
                                                    {"round_robin", KernelChoice::round_robin},
                                                    {"priority", KernelChoice::priority},
                                                    {"time_sliced", KernelChoice::time_sliced}}};

bool is_among(const std::vector<ChoiceWord>& words, std::string_view name) {
  return std::any_of(words.begin(), words.end(), [name](const ChoiceWord& word) { return word.first == name; });
}

}  // namespace

Issues check_own_kernel_choices(std::span<const OwnKernelChoice> own) {
  std::vector<ChoiceWord> known(kKernelChoices.begin(), kKernelChoices.end());
  Issues found;
  for (std::size_t i = 0; i < own.size(); ++i) {
    const std::string& name = own[i].name();
    const std::string path = item_path("own_kernel_choices", i);
    if (name.empty()) found.push_back({path, "has no name"});
    if (is_among(known, name)) found.push_back({path, in_quotes(name) + " is the name of another kernel choice"});
    known.emplace_back(name, KernelChoice::own);
  }
  return found;
}

void read_kernel_choice(const YamlNode& node, std::span<const OwnKernelChoice> own, DispatchRules& rules,
                        const ValueReader& values) {
  std::vector<ChoiceWord> known(kKernelChoices.begin(), kKernelChoices.end());
  for (const OwnKernelChoice& one : own) known.emplace_back(one.name(), KernelChoice::own);
  const auto choice = values.choice<KernelChoice>(node, "kernel_choice", std::span<const ChoiceWord>(known));
  if (!choice) return;
  rules.kernel_choice = *choice;
  rules.own_kernel_choice.reset();
  if (*choice == KernelChoice::own)
    rules.own_kernel_choice =
        *std::find_if(own.begin(), own.end(), [&](const OwnKernelChoice& one) { return one.name() == node.text; });
}

}  // namespace gdsim
