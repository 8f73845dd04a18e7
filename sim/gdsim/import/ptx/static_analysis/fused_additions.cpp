#include <gdsim/import/ptx/static_analysis/fused_additions.hpp>

#include <set>

namespace gdsim {
namespace {

using Kind = PtxOperand::Kind;

void count_reads(const PtxOperand& operand, std::vector<std::uint32_t>& reads) {
  if (operand.kind == Kind::reg) ++reads[operand.index];
  for (const PtxOperand& item : operand.items) count_reads(item, reads);
}

/// The number of occurrences of each register in the text, except as the destination of a product.
std::vector<std::uint32_t> reads_of(const PtxKernel& kernel) {
  std::vector<std::uint32_t> reads(kernel.registers.size(), 0);
  for (const PtxInstruction& instruction : kernel.instructions)
    for (std::size_t i = instruction.opcode == "mul.f16" ? 1 : 0; i < instruction.operands.size(); ++i)
      count_reads(instruction.operands[i], reads);
  return reads;
}

}  // namespace

std::vector<bool> fused_additions(const PtxKernel& kernel, const FlowGraph& flow) {
  const std::vector<std::uint32_t> reads = reads_of(kernel);
  std::vector<bool> fused(kernel.instructions.size(), false);
  for (const BasicBlock& block : flow.blocks) {
    std::set<std::uint32_t> products;  // registers
    for (std::uint32_t number = block.begin; number < block.end; ++number) {
      const PtxInstruction& instruction = kernel.instructions[number];
      if (instruction.predicate || instruction.operands.size() != 3) continue;
      if (instruction.opcode == "mul.f16" && instruction.operands[0].kind == Kind::reg)
        products.insert(instruction.operands[0].index);
      if (instruction.opcode != "add.f16" && instruction.opcode != "sub.f16") continue;
      for (std::size_t i = 1; i < 3 && !fused[number]; ++i) {
        const PtxOperand& operand = instruction.operands[i];
        fused[number] = operand.kind == Kind::reg && reads[operand.index] == 1 && products.erase(operand.index) > 0;
      }
    }
  }
  return fused;
}

}  // namespace gdsim
