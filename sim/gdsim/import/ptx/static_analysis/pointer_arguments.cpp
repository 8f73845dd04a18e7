#include <gdsim/import/ptx/static_analysis/pointer_arguments.hpp>

#include <gdsim/import/ptx/reader/read_ptx.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>

namespace gdsim {
namespace {

using Form = PtxOperand::Form;

/// The contents of a register, over all instructions that write it.
struct Origin {
  enum class Form : std::uint8_t {
    none,      ///< not yet known
    offset,    ///< a number
    argument,  ///< one argument, and offsets
    other      ///< an address of something else, or an unknown value
  };
  Form kind = Form::none;
  PtxArgument argument{};

  bool operator==(const Origin&) const = default;
};

constexpr Origin kOffset{Origin::Form::offset, {}};
constexpr Origin kOther{Origin::Form::other, {}};

/// The origin of a register that has both.
Origin either(const Origin& a, const Origin& b) {
  if (a.kind == Origin::Form::none || a == b) return b;
  return b.kind == Origin::Form::none ? a : kOther;
}

Origin sum(const Origin& a, const Origin& b) {
  if (a.kind == Origin::Form::none || b.kind == Origin::Form::none) return {};
  if (a.kind == Origin::Form::offset) return b;
  return b.kind == Origin::Form::offset ? a : kOther;
}

/// Instructions whose result is no address of global memory, whatever their operands are.
constexpr std::array<std::string_view, 14> kOffsets{"mul", "shl",  "shr",   "div", "rem", "bfe", "popc",
                                                    "clz", "setp", "mul24", "neg", "and", "abs", "set"};

/// One call of pointer_arguments().
class OriginSearch {
 public:
  OriginSearch(const PtxKernel& kernel, const LoadedArguments& loaded, const std::set<PtxArgument>& values)
      : kernel_(kernel), values_(values), origins_(kernel.registers.size()) {
    for (const PtxInstruction& instruction : kernel.instructions) loads_.push_back(loaded(instruction));
  }

  std::set<PtxArgument> found() {
    if (!find_origins()) return {};
    std::set<PtxArgument> pointers;
    for (const PtxInstruction& instruction : kernel_.instructions) {
      const bool is_shared = instruction.has_part("shared") || instruction.has_part("shared::cta");
      if (is_shared && !instruction.has_part("global")) continue;  // a copy has an address in both
      for (const PtxOperand& operand : instruction.operands)
        if (operand.kind == Form::address && operand.items.front().kind == Form::reg)
          add(operand.items.front(), pointers);
    }
    return pointers;
  }

 private:
  void add(const PtxOperand& address, std::set<PtxArgument>& pointers) const {
    const Origin& origin = origins_[address.index];
    if (origin.kind == Origin::Form::argument) pointers.insert(origin.argument);
  }

  /// Follows all instructions until no origin changes. Returns true if all origins are found: chains of copies against
  /// the order of the text may take many passes.
  bool find_origins() {
    constexpr int max_passes = 32;
    for (int pass = 0; pass < max_passes; ++pass) {
      has_changed_ = false;
      for (std::size_t i = 0; i < kernel_.instructions.size(); ++i) follow(kernel_.instructions[i], loads_[i]);
      if (!has_changed_) return true;
    }
    return false;
  }

  void follow(const PtxInstruction& instruction, const std::vector<LoadedArgument>& loads) {
    if (!loads.empty()) {
      for (const LoadedArgument& load : loads) write(load.destination, origin_of(load));
      return;
    }
    if (instruction.operands.empty() || instruction.name() == "st" || instruction.name() == "red") return;
    const PtxOperand& to = instruction.operands.front();
    if (to.kind == Form::reg) write(to.index, result_of(instruction));
    if (to.kind != Form::list) return;
    for (const PtxOperand& item : to.items)
      if (item.kind == Form::reg) write(item.index, kOther);
  }

  Origin origin_of(const LoadedArgument& load) const {
    const bool is_value = load.bytes < sizeof(std::uint64_t) || values_.count(load.argument) != 0;
    return is_value ? kOffset : Origin{Origin::Form::argument, load.argument};
  }

  void write(std::uint32_t destination, const Origin& origin) {
    const Origin now = either(origins_[destination], origin);
    has_changed_ = has_changed_ || now != origins_[destination];
    origins_[destination] = now;
  }

  Origin origin_of(const PtxOperand& operand) const {
    if (operand.kind == Form::reg && !operand.is_negated) return origins_[operand.index];
    return operand.kind == Form::constant || operand.kind == Form::special ? kOffset : kOther;
  }

  Origin result_of(const PtxInstruction& instruction) const {
    const std::string_view name = instruction.name();
    const auto& operands = instruction.operands;
    if (name == "mov" && operands.size() == 2) return origin_of(operands[1]);
    if (name == "cvta" && operands.size() == 2) return origin_of(operands[1]);
    if (name == "add" && operands.size() == 3) return sum(origin_of(operands[1]), origin_of(operands[2]));
    if (name == "sub" && operands.size() == 3) {
      const Origin less = origin_of(operands[2]);
      if (less.kind == Origin::Form::none) return {};
      return less.kind == Origin::Form::offset ? origin_of(operands[1]) : kOther;
    }
    if (name == "mad" && operands.size() == 4) return sum(kOffset, origin_of(operands[3]));
    if (name == "cvt") return bytes_of_type(instruction.last_part()) < sizeof(std::uint64_t) ? kOffset : kOther;
    return std::find(kOffsets.begin(), kOffsets.end(), name) != kOffsets.end() ? kOffset : kOther;
  }

  const PtxKernel& kernel_;
  const std::set<PtxArgument>& values_;
  std::vector<Origin> origins_;                     ///< by register
  bool has_changed_ = false;                        ///< in the current pass
  std::vector<std::vector<LoadedArgument>> loads_;  ///< by instruction
};

}  // namespace

std::set<PtxArgument> pointer_arguments(const PtxKernel& kernel, const LoadedArguments& loaded,
                                        const std::set<PtxArgument>& values) {
  return OriginSearch(kernel, loaded, values).found();
}

namespace {

using Form = PtxOperand::Form;

void count_reads(const PtxOperand& operand, std::vector<std::uint32_t>& reads) {
  if (operand.kind == Form::reg) ++reads[operand.index];
  for (const PtxOperand& item : operand.items) count_reads(item, reads);
}

bool is_product(const PtxInstruction& instruction) {
  return instruction.opcode == "mul.f16" || instruction.opcode == "mul.wide.s32" ||
         instruction.opcode == "mul.wide.u32";
}

bool is_sum(const PtxInstruction& instruction, bool is_address) {
  const std::string& opcode = instruction.opcode;
  if (is_address) return opcode == "add.s64" || opcode == "add.u64";
  return opcode == "add.f16" || opcode == "sub.f16";
}

/// The number of occurrences of each register in the text, except as the destination of a product.
std::vector<std::uint32_t> reads_of(const PtxKernel& kernel) {
  std::vector<std::uint32_t> reads(kernel.registers.size(), 0);
  for (const PtxInstruction& instruction : kernel.instructions)
    for (std::size_t i = is_product(instruction) ? 1 : 0; i < instruction.operands.size(); ++i)
      count_reads(instruction.operands[i], reads);
  return reads;
}

}  // namespace

std::vector<bool> fused_additions(const PtxKernel& kernel, const FlowGraph& flow) {
  const std::vector<std::uint32_t> reads = reads_of(kernel);
  std::vector<bool> fused(kernel.instructions.size(), false);
  for (const BasicBlock& block : flow.blocks) {
    std::map<std::uint32_t, bool> products;  // register: is it an offset of an address
    for (std::uint32_t number = block.begin; number < block.end; ++number) {
      const PtxInstruction& instruction = kernel.instructions[number];
      if (instruction.predicate || instruction.operands.size() != 3) continue;
      if (is_product(instruction) && instruction.operands[0].kind == Form::reg)
        products[instruction.operands[0].index] = instruction.opcode != "mul.f16";
      for (std::size_t i = 1; i < 3 && !fused[number]; ++i) {
        const PtxOperand& operand = instruction.operands[i];
        if (operand.kind != Form::reg || reads[operand.index] != 1) continue;
        const auto product = products.find(operand.index);
        if (product == products.end() || !is_sum(instruction, product->second)) continue;
        fused[number] = true;
        products.erase(product);
      }
    }
  }
  return fused;
}

}  // namespace gdsim
