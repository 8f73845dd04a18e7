#include <gdsim/base/keys.hpp>
#include <gdsim/device/device_rules.hpp>
#include <gdsim/scenario/keys/map_reader.hpp>
#include <gdsim/scenario/workload/read_workload.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <string>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

/// Finds the marked nodes below the node, in the order of their numbers.
void find_marked(YamlNode& node, std::uint32_t YamlNode::*number, std::vector<YamlNode*>& found) {
  if (node.is_scalar() && node.*number > 0) {
    found.resize(std::max<std::size_t>(found.size(), node.*number), nullptr);
    found[node.*number - 1] = &node;
  }
  for (YamlNode& item : node.items) find_marked(item, number, found);
  for (YamlEntry& entry : node.entries) find_marked(entry.value, number, found);
}

}  // namespace

bool read_variants(const YamlNode& node, const Variants& variants,
                   const std::function<void(const YamlNode&, std::size_t, const ValueReader&)>& read,
                   const ValueReader& values) {
  YamlNode filled = node;
  std::vector<YamlNode*> marked;
  find_marked(filled, variants.number, marked);
  for (std::size_t set = 0; set < variants.values.texts.size(); ++set) {
    for (std::size_t i = 0; i < marked.size(); ++i) {
      marked[i]->text = variants.values.texts[set][i];
      marked[i]->style = YamlNode::Style::plain;
      marked[i]->is_computed = true;
    }
    Diagnostics found;
    read(filled, set, ValueReader(found));
    for (Diagnostic problem : found.problems()) {
      problem.message +=
          " (" + std::string(variants.what) + " " + std::to_string(variants.values.first_group[set]) + ")";
      values.problems().add(std::move(problem));
    }
    if (!found.empty()) return false;
  }
  return true;
}

namespace {

/// Reads a body for each set of values. Returns false if one cannot be read.
bool read_bodies(const YamlNode& node, const AccessSizes& sizes, const GroupValues& tile_values, Tiles& tiles,
                 const ValueReader& values) {
  const auto read_body = [&](const YamlNode& filled, std::size_t set, const ValueReader& of_body) {
    read_program(filled, sizes, set == 0 ? tiles.body : tiles.others.emplace_back(), of_body);
  };
  if (!read_variants(node, {&YamlNode::tile_value, tile_values, "tile"}, read_body, values)) return false;
  if (!tiles.others.empty()) tiles.of_tile = tile_values.of_group;
  return true;
}

}  // namespace

std::optional<Step> read_tiles(const YamlNode& node, const AccessSizes& sizes,
                               const std::vector<GroupValues>* tile_values, const ValueReader& values) {
  Tiles tiles;
  const MapReader map(node, "tiles", keys::kStepTiles, values);
  if (!map.is_usable()) return std::nullopt;
  const std::size_t before = values.problems().size();
  map.read_keys(tiles);
  const YamlNode* body = map.require("body");
  const bool differs = body != nullptr && body->tile_value > 0 && tile_values != nullptr &&
                       !(*tile_values)[body->tile_value - 1].texts.empty();
  if (differs) {
    const bool is_sound = values.problems().size() == before;
    Tiles with_bodies = tiles;
    if (!read_bodies(*body, sizes, (*tile_values)[body->tile_value - 1], with_bodies, values)) return std::nullopt;
    if (is_sound) tiles = std::move(with_bodies);
  } else if (body != nullptr && !differs) {
    read_program(*body, sizes, tiles.body, values);
  }
  if (tiles.body.empty() && (differs || body == nullptr || !body->is_sequence())) tiles.body.push_back(step_stand_in());
  return Step(std::move(tiles));
}

namespace {

/// Keys of an `issue` step that are no kinds of instructions.
constexpr std::string_view kAccessesOfL1 = "l1";
constexpr std::string_view kMatrixInstruction = "mma";
constexpr std::string_view kMatrixCount = "count";  ///< of `mma`

void read_access(const YamlNode& node, std::vector<L1Access>& accesses, const ValueReader& values) {
  const MapReader map(node, "l1", keys::kStepIssueL1, values);
  if (!map.is_usable()) return;
  L1Access access;
  const std::size_t before = values.problems().size();
  map.read_required("source_line", access.source_line);
  map.read_keys(access);
  if (access.coalesced && *access.coalesced > access.lines && values.problems().size() == before)
    values.fail(*map.find("coalesced"), "coalesced",
                "is " + std::to_string(*access.coalesced) + ", more than the " + std::to_string(access.lines) +
                    " of `lines`; with neighbouring addresses an access occupies no more lines, as in `coalesced: " +
                    std::to_string(access.lines) + "`");
  if (values.problems().size() == before) accesses.push_back(std::move(access));
}

}  // namespace

void read_l1_accesses(const YamlNode& node, std::vector<L1Access>& accesses, const ValueReader& values) {
  if (!node.is_sequence()) {
    if (const auto lines = values.whole(node, "l1", 1U, kMaxL1Lines)) accesses.emplace_back().lines = *lines;
    return;
  }
  if (values.list(node, "l1") == nullptr) return;
  if (node.items.empty())
    values.fail(node, "l1", "is empty; a number of lines or an access is needed, as in `l1: 66`, or leave `l1` out");
  if (node.items.size() > kMaxL1Accesses)
    values.fail(node, "l1",
                "has " + std::to_string(node.items.size()) + " accesses; a step may have " +
                    std::to_string(kMaxL1Accesses) + ", or write their lines in all, as in `l1: 66`");
  for (const YamlNode& item : node.items) read_access(item, accesses, values);
}

namespace {

class IssueReader {
 public:
  IssueReader(const AccessSizes& sizes, const ValueReader& values) : sizes_(sizes), values_(values) {}

  std::optional<Step> read(const YamlNode& node) {
    const std::size_t before = values_.problems().size();
    for (const YamlEntry& entry : node.entries) read_entry(node, entry);
    if (node.entries.empty())
      values_.fail(node, "issue", "is empty; a number of instructions is needed, as in `issue: {fp32: 1024}`");
    else if (node.find(kAccessesOfL1) != nullptr && node.entries.size() == 1)
      values_.fail(node, "issue",
                   "accesses L1 without an instruction; say which ones do it, as in `issue: {load_store: 1, l1: 1}`");
    if (values_.problems().size() > before) return std::nullopt;
    return Step(std::move(issue_));
  }

 private:
  void read_entry(const YamlNode& node, const YamlEntry& entry) {
    if (entry.key == kAccessesOfL1) return read_l1_accesses(entry.value, issue_.l1, values_);
    if (entry.key == kMatrixInstruction) return read_matrix_instruction(node, entry.value);
    if (entry.key == kMatrixCount) return check_matrix_count(node, entry.value);
    if (!is_kind_name(entry.key))
      values_.fail(entry.key_node(), "issue", describe(entry.key_node()) + " " + std::string(kKindNameFault));
    if (const auto count = values_.whole(entry.value, entry.key, 1U, kMaxInstructions))
      issue_.by_kind.push_back({entry.key, *count});
  }

  void read_matrix_instruction(const YamlNode& node, const YamlNode& value) {
    const auto text = values_.text(value, kMatrixInstruction);
    const auto count = count_of(node);
    if (!text || !count) return;
    const auto instruction = matrix_instruction(*text, sizes_.vendor);
    if (!instruction)
      return values_.fail(value, kMatrixInstruction,
                          "is " + describe(value) + ", no matrix instruction of this device; " +
                              known_matrix_instructions(*text, sizes_.vendor));
    if (node.find(instruction->kind) != nullptr)
      return values_.fail(value, kMatrixInstruction,
                          "stands beside `" + instruction->kind + "`, the same kind; one of the two is needed");
    if (*count > kMaxInstructions / instruction->multiply_adds)
      return values_.fail(value, kMatrixInstruction,
                          "does more than " + std::to_string(kMaxInstructions) + " multiply-adds in one step");
    issue_.by_kind.push_back({instruction->kind, *count * instruction->multiply_adds, true});
  }

  /// Returns 1 where the file does not say how many.
  std::optional<std::uint64_t> count_of(const YamlNode& node) const {
    const YamlNode* count = node.find(kMatrixCount);
    if (count == nullptr) return 1;
    return values_.whole(*count, kMatrixCount, 1U, keys::kStepIssue.range_of(kMatrixCount).max);
  }

  void check_matrix_count(const YamlNode& node, const YamlNode& value) const {
    if (node.find(kMatrixInstruction) == nullptr)
      values_.fail(value, kMatrixCount, "counts what `mma` names, as in `issue: {mma: m16n8k16 bf16, count: 64}`");
  }

  const AccessSizes& sizes_;
  const ValueReader& values_;
  IssueSlots issue_{};
};

}  // namespace

std::optional<Step> read_issue(const YamlNode& node, const AccessSizes& sizes, const ValueReader& values) {
  if (node.is_mapping())
    return values.mapping(node, "issue") == nullptr ? std::nullopt : IssueReader(sizes, values).read(node);
  const auto slots = values.quantity<StepTime>(node, "issue", parse_step_time);
  if (!slots) return std::nullopt;
  return Step(IssueSlots{*slots});
}

namespace {

enum class Scope : std::uint8_t { work_group, launch };
constexpr std::array<std::pair<std::string_view, Scope>, 2> kScopes{
    {{"work_group", Scope::work_group}, {"launch", Scope::launch}}};

/// Reads a whole number, which may be negative.
void read_index(const YamlNode& node, const ValueReader& values, FlagIndex& index) {
  std::int64_t number = 0;
  const std::string& text = node.text;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (node.is_scalar() && error == std::errc() && end == text.data() + text.size())
    index = number;
  else
    values.fail(node, "index", "is " + describe(node) + "; a whole number is needed, as in `index: = group - 1`");
}

/// Reads where the name is known.
void read_scope(const YamlNode& node, const MapReader& map, FlagIndex& index) {
  const ValueReader& values = map.values();
  Scope scope = Scope::work_group;
  map.read("scope", scope, kScopes);
  const YamlNode* number = map.find("index");
  if (number != nullptr) read_index(*number, values, index);
  if (number != nullptr && scope == Scope::work_group)
    values.fail(*number, "index", "needs `scope: launch`: threads of one work-group have one barrier of each name");
  if (number == nullptr && scope == Scope::launch)
    values.fail(node, "scope",
                "needs an `index`, which says whose flag it is, as in `signal: {name: flag, scope: launch, index: = "
                "group}`");
}

template <class StepType>
std::optional<Step> read_name(const YamlNode& node, const char* key, const ValueReader& values) {
  const auto name = values.text(node, key);
  if (!name) return std::nullopt;
  return Step(StepType{*name});
}

}  // namespace

std::optional<Step> read_signal(const YamlNode& node, const ValueReader& values) {
  if (!node.is_mapping()) return read_name<Signal>(node, "signal", values);
  const std::size_t before = values.problems().size();
  const MapReader map(node, "signal", keys::kStepSignal, values);
  Signal signal;
  map.read_required("name", signal.name);
  map.read("initially", signal.initially);
  read_scope(node, map, signal.index);
  if (const YamlNode* initially = map.find("initially"); initially != nullptr && signal.index)
    values.fail(*initially, "initially",
                "is for signals inside of a work-group; a wait for a flag that no work-group has, as of index -1, "
                "passes at once");
  if (values.problems().size() > before) return std::nullopt;
  return Step(std::move(signal));
}

std::optional<Step> read_wait(const YamlNode& node, const ValueReader& values) {
  if (!node.is_mapping()) return read_name<Wait>(node, "wait", values);
  const std::size_t before = values.problems().size();
  const MapReader map(node, "wait", keys::kStepWait, values);
  Wait wait;
  map.read_required("name", wait.name);
  read_scope(node, map, wait.index);
  if (values.problems().size() > before) return std::nullopt;
  return Step(std::move(wait));
}

}  // namespace gdsim
