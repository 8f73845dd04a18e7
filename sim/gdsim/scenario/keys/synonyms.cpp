#include <gdsim/scenario/keys/synonyms.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>

namespace gdsim {
namespace {

constexpr std::string_view kGridTimesBlock = "work-items of the launch: the grid times the block";
constexpr std::string_view kItemsOfBlock = "work-items of a block";
constexpr std::string_view kItemsOfGroup = "work-items of a work-group";
constexpr std::string_view kSharedMemory = "shared local memory of a work-group";
constexpr std::string_view kRegistersOfItem = "registers of a work-item, on Intel of a thread";
constexpr std::string_view kItemsOfThread = "work-items of a sub-group, warp or wave";
constexpr std::string_view kWarpsFollow =
    "work-items of a work-group, from which its warps follow (`local` / `sub_group`)";
constexpr std::string_view kLargeGrf = "256 registers for each thread instead of 128";

constexpr std::array kSynonyms{
    Synonym{"block", "local", kItemsOfBlock, "256"},
    Synonym{"blockdim", "local", kItemsOfBlock, "256"},
    Synonym{"blocks", "global", "work-items of the launch: the blocks times their threads", "1048576", false},
    Synonym{"blocksize", "local", kItemsOfBlock, "256"},
    Synonym{"dynamicsmem", "slm", kSharedMemory, "8 KiB"},
    Synonym{"globalrange", "global", "work-items of the launch", "1048576"},
    Synonym{"globalsize", "global", "work-items of the launch", "1048576"},
    Synonym{"globalworksize", "global", "work-items of the launch", "1048576"},
    Synonym{"grf", "large_grf", kLargeGrf, "true", false},
    Synonym{"grfcount", "registers", kRegistersOfItem, "128"},
    Synonym{"grfmode", "large_grf", kLargeGrf, "true", false},
    Synonym{"grfsize", "large_grf", kLargeGrf, "true", false},
    Synonym{"grid", "global", kGridTimesBlock, "1048576", false},
    Synonym{"griddim", "global", kGridTimesBlock, "1048576", false},
    Synonym{"gridsize", "global", kGridTimesBlock, "1048576", false},
    Synonym{"launchbounds", "registers", kRegistersOfItem, "72", false},
    Synonym{"lds", "slm", kSharedMemory, "8 KiB"},
    Synonym{"localaccessor", "slm", kSharedMemory, "8 KiB"},
    Synonym{"localmem", "slm", kSharedMemory, "8 KiB"},
    Synonym{"localmemory", "slm", kSharedMemory, "8 KiB"},
    Synonym{"localrange", "local", kItemsOfGroup, "256"},
    Synonym{"localsize", "local", kItemsOfGroup, "256"},
    Synonym{"localworksize", "local", kItemsOfGroup, "256"},
    Synonym{"ndrange", "global", "work-items of the launch; `local` has those of a work-group", "1048576", false},
    Synonym{"numregs", "registers", kRegistersOfItem, "72"},
    Synonym{"numwarps", "local", kWarpsFollow, "256", false},
    Synonym{"reg", "registers", kRegistersOfItem, "72"},
    Synonym{"regs", "registers", kRegistersOfItem, "72"},
    Synonym{"reqdsubgroupsize", "sub_group", kItemsOfThread, "16"},
    Synonym{"reqdworkgroupsize", "local", kItemsOfGroup, "256"},
    Synonym{"sgprs", "scalar_registers", "scalar registers of a wave", "48"},
    Synonym{"shared", "slm", kSharedMemory, "8 KiB"},
    Synonym{"sharedmem", "slm", kSharedMemory, "8 KiB"},
    Synonym{"sharedmembytes", "slm", kSharedMemory, "8 KiB"},
    Synonym{"sharedmemory", "slm", kSharedMemory, "8 KiB"},
    Synonym{"simd", "sub_group", kItemsOfThread, "16"},
    Synonym{"simdsize", "sub_group", kItemsOfThread, "16"},
    Synonym{"simdwidth", "sub_group", kItemsOfThread, "16"},
    Synonym{"smem", "slm", kSharedMemory, "8 KiB"},
    Synonym{"stream", "queue", "one of `queues:`, such as `queues: {q: {order: in_order}}`", "q"},
    Synonym{"streams", "queues", "queues by name", "{q: {order: in_order}}", false},
    Synonym{"subgroupsize", "sub_group", kItemsOfThread, "16"},
    Synonym{"threadsperblock", "local", kItemsOfBlock, "256"},
    Synonym{"vgprs", "registers", kRegistersOfItem, "72"},
    Synonym{"warp", "sub_group", kItemsOfThread, "32"},
    Synonym{"warps", "local", kWarpsFollow, "256", false},
    Synonym{"warpsize", "sub_group", kItemsOfThread, "32"},
    Synonym{"wavefront", "sub_group", kItemsOfThread, "64"},
    Synonym{"waves", "local", kWarpsFollow, "256", false},
    Synonym{"wavesize", "sub_group", kItemsOfThread, "64"},
    Synonym{"wgsize", "local", kItemsOfGroup, "256"},
    Synonym{"workgroupsize", "local", kItemsOfGroup, "256"},
};

std::optional<std::uint64_t> whole(const YamlNode* node) {
  if (node == nullptr || !node->is_scalar()) return std::nullopt;
  std::uint64_t value = 0;
  const char* end = node->text.data() + node->text.size();
  const auto [read_to, error] = std::from_chars(node->text.data(), end, value);
  return error == std::errc() && read_to == end ? std::optional(value) : std::nullopt;
}

}  // namespace

std::string plain_word(std::string_view word) {
  std::string plain;
  for (const char letter : word)
    if (letter != '-' && letter != '_')
      plain += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
  return plain;
}

const Synonym* synonym_of(std::string_view word) {
  const std::string plain = plain_word(word);
  const auto* found =
      std::find_if(kSynonyms.begin(), kSynonyms.end(), [&](const Synonym& one) { return one.word == plain; });
  return found != kSynonyms.end() ? found : nullptr;
}

namespace {

/// Returns the work-items of a block by what `mapping` calls it; null if it has no such key.
const YamlNode* block_size_in(const YamlNode& mapping) {
  for (const YamlEntry& entry : mapping.entries) {
    const Synonym* synonym = synonym_of(entry.key);
    if (entry.key == "local" || (synonym != nullptr && synonym->key == "local" && synonym->keeps_value))
      return &entry.value;
  }
  return nullptr;
}

/// Returns the value of gdsim's key that means what was written; nullopt if that does not follow from it.
std::optional<std::string> own_value(const Synonym& synonym, const YamlNode& written, const YamlNode& mapping) {
  if (synonym.key == "large_grf") {
    if (written.text == "256" || written.text == "large") return "true";
    if (written.text == "128" || written.text == "small") return "false";
    return std::nullopt;
  }
  if (synonym.key == "global" && !synonym.keeps_value) {  // the grid, in blocks
    const auto blocks = whole(&written);
    const auto size = whole(block_size_in(mapping));
    std::uint64_t product = 0;
    if (!blocks || !size || __builtin_mul_overflow(*blocks, *size, &product)) return std::nullopt;
    return std::to_string(product);
  }
  if (!synonym.keeps_value || written.is_missing() || written.is_mapping()) return std::nullopt;
  if (synonym.key == "local" || synonym.key == "global")
    if (const std::string sizes = list_of_sizes(written.text); !sizes.empty()) return sizes;
  return flow_text(written) + (synonym.key == "slm" && whole(&written) ? " B" : "");
}

}  // namespace

std::string list_of_sizes(std::string_view text) {
  std::string sizes;
  std::size_t separators = 0;
  for (const char letter : text) {
    const bool is_separator = letter == 'x' || letter == 'X' || letter == ',';
    if (is_separator && (sizes.empty() || !is_digit(sizes.back()))) return {};
    if (is_separator) ++separators;
    if (!is_separator && !is_digit(letter) && letter != ' ' && letter != '(' && letter != ')') return {};
    if (is_separator || is_digit(letter)) sizes += is_separator ? std::string(", ") : std::string(1, letter);
  }
  const bool is_list = separators > 0 && is_digit(sizes.back());
  return is_list ? "[" + sizes + "]" : std::string();
}

std::string foreign_key_hint(const YamlEntry& entry, const YamlNode& mapping, std::span<const std::string_view> known,
                             std::string_view lacking) {
  const Synonym* found = synonym_of(entry.key);
  if (found == nullptr || std::find(known.begin(), known.end(), found->key) == known.end()) return {};
  if (found->key == lacking)
    return fmt::format(" this device does not have {} (gdsim's key `{}`): leave {} out", found->meaning, found->key,
                       in_quotes(entry.key));
  const auto value = own_value(*found, entry.value, mapping);
  return fmt::format(" gdsim's key is `{}`, {}{}: `{}: {}`", found->key, found->meaning, value ? "" : ", for example",
                     found->key, printable(value.value_or(std::string(found->example))));
}

}  // namespace gdsim
