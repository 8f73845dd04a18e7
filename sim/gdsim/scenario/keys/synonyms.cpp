#include <gdsim/scenario/keys/synonyms.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/yaml/yaml_text.hpp>

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

/// Converts the grid, in blocks, by the block size in `mapping`.
std::optional<std::string> global_of(const YamlNode& grid, const YamlNode& mapping) {
  const auto blocks = whole(&grid);
  for (const char* key : {"block", "blockDim", "block_size", "local"}) {
    const auto size = whole(mapping.find(key));
    std::uint64_t product = 0;
    if (blocks && size && !__builtin_mul_overflow(*blocks, *size, &product)) return std::to_string(product);
  }
  return std::nullopt;
}

}  // namespace

const Synonym* synonym_of(std::string_view word) {
  std::string plain;
  for (const char letter : word)
    if (letter != '-' && letter != '_')
      plain += letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter + 32) : letter;
  const auto* found =
      std::find_if(kSynonyms.begin(), kSynonyms.end(), [&](const Synonym& one) { return one.word == plain; });
  return found != kSynonyms.end() ? found : nullptr;
}

std::string foreign_key_hint(const YamlEntry& entry, const YamlNode& mapping, std::span<const std::string_view> known) {
  const Synonym* found = synonym_of(entry.key);
  if (found == nullptr || std::find(known.begin(), known.end(), found->key) == known.end()) return {};
  std::string value(found->example);
  if (found->keeps_value && !entry.value.is_missing() && !entry.value.is_mapping()) value = flow_text(entry.value);
  if (found->key == "slm" && whole(&entry.value)) value += " B";
  if (found->key == "global" && !found->keeps_value) value = global_of(entry.value, mapping).value_or(value);
  return fmt::format(" gdsim's key is `{}`, {}: `{}: {}`", found->key, found->meaning, found->key, printable(value));
}

}  // namespace gdsim
