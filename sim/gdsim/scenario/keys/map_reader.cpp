#include <gdsim/scenario/keys/map_reader.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/yaml/yaml_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>

namespace gdsim {
namespace {

struct ForeignKey {
  std::string_view word;
  std::string_view own;
  std::string_view meaning;  ///< of gdsim's key
  std::string_view example;  ///< a value
  bool keeps_value = true;   ///< the written value is valid for gdsim's key, too
};

constexpr std::array kForeignKeys{
    ForeignKey{"grid", "global", "work-items of the launch: the grid times the block", "1048576", false},
    ForeignKey{"gridDim", "global", "work-items of the launch: the grid times the block", "1048576", false},
    ForeignKey{"blocks", "global", "work-items of the launch: the blocks times their threads", "1048576", false},
    ForeignKey{"block", "local", "work-items of a block", "256"},
    ForeignKey{"blockDim", "local", "work-items of a block", "256"},
    ForeignKey{"block_size", "local", "work-items of a block", "256"},
    ForeignKey{"shared", "slm", "shared local memory of a work-group", "8 KiB"},
    ForeignKey{"smem", "slm", "shared local memory of a work-group", "8 KiB"},
    ForeignKey{"shared_memory", "slm", "shared local memory of a work-group", "8 KiB"},
    ForeignKey{"sharedMem", "slm", "shared local memory of a work-group", "8 KiB"},
    ForeignKey{"shared_mem", "slm", "shared local memory of a work-group", "8 KiB"},
    ForeignKey{"sharedMemBytes", "slm", "shared local memory of a work-group", "8 KiB"},
    ForeignKey{"dynamic_smem", "slm", "shared local memory of a work-group", "8 KiB"},
    ForeignKey{"lds", "slm", "shared local memory of a work-group", "8 KiB"},
    ForeignKey{"num_warps", "local", "work-items of a block, from which its warps follow (`local` / `sub_group`)",
               "256", false},
    ForeignKey{"threads_per_block", "local", "work-items of a block", "256"},
    ForeignKey{"grid_size", "global", "work-items of the launch: the grid times the block", "1048576", false},
    ForeignKey{"reg", "registers", "vector registers of a work-item", "72"},
    ForeignKey{"numRegs", "registers", "vector registers of a work-item", "72"},
    ForeignKey{"warp", "sub_group", "work-items of a warp", "32"},
    ForeignKey{"regs", "registers", "vector registers of a work-item", "72"},
    ForeignKey{"vgprs", "registers", "vector registers of a work-item", "72"},
    ForeignKey{"sgprs", "scalar_registers", "scalar registers of a wave", "48"},
    ForeignKey{"warp_size", "sub_group", "work-items of a warp", "32"},
    ForeignKey{"wave_size", "sub_group", "work-items of a wave", "64"},
    ForeignKey{"waves", "local", "work-items of a work-group, from which its waves follow (`local` / `sub_group`)",
               "256", false},
    ForeignKey{"warps", "local", "work-items of a block, from which its warps follow (`local` / `sub_group`)", "256",
               false},
    ForeignKey{"stream", "queue", "one of `queues:`, such as `queues: {q: {order: in_order}}`", "q"},
    ForeignKey{"streams", "queues", "queues by name", "{q: {order: in_order}}", false},
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

std::string foreign_key_hint(const YamlEntry& entry, const YamlNode& mapping, std::span<const std::string_view> known) {
  const auto found = std::find_if(kForeignKeys.begin(), kForeignKeys.end(),
                                  [&](const ForeignKey& foreign) { return foreign.word == entry.key; });
  if (found == kForeignKeys.end() || std::find(known.begin(), known.end(), found->own) == known.end()) return {};
  std::string value(found->example);
  if (found->keeps_value && !entry.value.is_missing() && !entry.value.is_mapping()) value = flow_text(entry.value);
  if (found->own == "slm" && whole(&entry.value)) value += " B";
  if (found->own == "global") value = global_of(entry.value, mapping).value_or(value);
  return fmt::format(" gdsim's key is `{}`, {}: `{}: {}`", found->own, found->meaning, found->own, printable(value));
}

void require_plain_name(std::string_view name, std::string_view what, const SourceMark& where, Diagnostics& problems) {
  if (!begins_as_formula(name)) return;
  problems.add(where, std::string(what) + ": " + in_quotes(name) +
                          " begins as a formula does in a spreadsheet that opens the tables (= + - @, tab, carriage "
                          "return); begin it with a letter, a digit or '_'");
}

MapReader::MapReader(const YamlNode& node, std::string_view name, std::span<const std::string_view> known,
                     const ValueReader& values)
    : node_(node), name_(name), values_(values) {
  if (values_.mapping(node, name) == nullptr) return;
  for (const YamlEntry& entry : node.entries) {
    if (std::find(known.begin(), known.end(), entry.key) != known.end()) continue;
    std::string hint = foreign_key_hint(entry, node, known);
    if (hint.empty()) hint = did_you_mean(entry.key, known);
    values_.problems().add(entry.key_mark,
                           std::string(name) + ": unknown key " + describe(entry.key_node()) + ";" +
                               (hint.empty() ? "" : hint + ";") + " known: " + join(known),
                           kUnknownKey);
  }
}

const YamlNode* MapReader::require(std::string_view key) const {
  const YamlNode* value = find(key);
  if (value == nullptr && node_.is_mapping())
    values_.problems().add(node_.mark, std::string(name_) + ": the key " + in_quotes(key) + " is missing");
  return value;
}

}  // namespace gdsim
