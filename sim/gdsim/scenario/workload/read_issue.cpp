#include <gdsim/scenario/workload/read_issue.hpp>

#include <gdsim/device/device_rules.hpp>
#include <gdsim/scenario/keys/keys.hpp>
#include <gdsim/scenario/workload/matrix_instructions.hpp>
#include <gdsim/scenario/workload/read_l1_accesses.hpp>

#include <algorithm>
#include <utility>

namespace gdsim {
namespace {

/// The most of a step: such that 2^40 multiply-adds are not exceeded by the smallest one.
constexpr std::uint64_t kMaxMatrixInstructions = std::uint64_t{1} << 32;

class IssueReader {
 public:
  IssueReader(const AccessSizes& sizes, const ValueReader& values) : sizes_(sizes), values_(values) {}

  std::optional<Step> read(const YamlNode& node) {
    const std::size_t before = values_.problems().size();
    for (const YamlEntry& entry : node.entries) read_entry(node, entry);
    if (node.entries.empty())
      values_.fail(node, "issue", "is empty; a number of instructions is needed, as in `issue: {fp32: 1024}`");
    else if (node.find(keys::kAccessesOfL1) != nullptr && node.entries.size() == 1)
      values_.fail(node, "issue",
                   "accesses L1 without an instruction; say which ones do it, as in `issue: {load_store: 1, l1: 1}`");
    if (values_.problems().size() > before) return std::nullopt;
    return Step(std::move(issue_));
  }

 private:
  void read_entry(const YamlNode& node, const YamlEntry& entry) {
    if (entry.key == keys::kAccessesOfL1) return read_l1_accesses(entry.value, issue_.l1, values_);
    if (entry.key == keys::kMatrixInstruction) return read_matrix_instruction(node, entry.value);
    if (entry.key == keys::kMatrixCount) return check_matrix_count(node, entry.value);
    if (!is_kind_name(entry.key))
      values_.fail(entry.key_node(), "issue", describe(entry.key_node()) + " " + std::string(kKindNameFault));
    if (const auto count = values_.whole(entry.value, entry.key, 1U, kMaxInstructions))
      issue_.by_kind.push_back({entry.key, *count});
  }

  void read_matrix_instruction(const YamlNode& node, const YamlNode& value) {
    const auto text = values_.text(value, keys::kMatrixInstruction);
    const auto count = count_of(node);
    if (!text || !count) return;
    const auto instruction = matrix_instruction(*text, sizes_.vendor);
    if (!instruction)
      return values_.fail(value, keys::kMatrixInstruction,
                          "is " + describe(value) + ", no matrix instruction of this device; " +
                              known_matrix_instructions(*text, sizes_.vendor));
    if (node.find(instruction->kind) != nullptr)
      return values_.fail(value, keys::kMatrixInstruction,
                          "stands beside `" + instruction->kind + "`, the same kind; one of the two is needed");
    if (*count > kMaxInstructions / instruction->multiply_adds)
      return values_.fail(value, keys::kMatrixInstruction,
                          "does more than " + std::to_string(kMaxInstructions) + " multiply-adds in one step");
    issue_.by_kind.push_back({instruction->kind, *count * instruction->multiply_adds, true});
  }

  /// Returns 1 where the file does not say how many.
  std::optional<std::uint64_t> count_of(const YamlNode& node) const {
    const YamlNode* count = node.find(keys::kMatrixCount);
    if (count == nullptr) return 1;
    return values_.whole(*count, keys::kMatrixCount, 1U, kMaxMatrixInstructions);
  }

  void check_matrix_count(const YamlNode& node, const YamlNode& value) const {
    if (node.find(keys::kMatrixInstruction) == nullptr)
      values_.fail(value, keys::kMatrixCount,
                   "counts what `mma` names, as in `issue: {mma: m16n8k16 bf16, count: 64}`");
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

}  // namespace gdsim
