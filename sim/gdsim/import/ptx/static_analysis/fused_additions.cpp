#include <gdsim/import/ptx/static_analysis/fused_additions.hpp>

#include <map>
#include <string>

namespace gdsim {
namespace {

using Kind = PtxOperand::Kind;

void count_reads(const PtxOperand& operand, std::vector<std::uint32_t>& reads) {
  if (operand.kind == Kind::reg) ++reads[operand.index];
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
      if (is_product(instruction) && instruction.operands[0].kind == Kind::reg)
        products[instruction.operands[0].index] = instruction.opcode != "mul.f16";
      for (std::size_t i = 1; i < 3 && !fused[number]; ++i) {
        const PtxOperand& operand = instruction.operands[i];
        if (operand.kind != Kind::reg || reads[operand.index] != 1) continue;
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
