#include <gdsim/import/amd/gcn/gcn_program.hpp>

#include <algorithm>
#include <iterator>
#include <map>

namespace gdsim {
namespace {

bool is_gcn_access(GcnRole role) { return role == GcnRole::load || role == GcnRole::store || role == GcnRole::atomic; }

/// Returns true for arrays of a work-item and spilled registers that a buffer in s[0:3] holds.
bool is_stack_access(const GcnKernel& kernel, const GcnInstruction& of) {
  return of.opcode.starts_with("buffer_") && of.operands.size() > 2 && of.operands[2].is_scalar() &&
         of.operands[2].first == 0 && kernel.directive("user_sgpr_private_segment_buffer") != 0;
}

std::vector<GcnLoop> loops_in(const GcnProgram& program) {
  std::map<std::uint32_t, std::uint32_t> ends;  // by head
  for (std::uint32_t i = 0; i < program.classes.size(); ++i)
    if (program.classes[i].role == GcnRole::branch && program.targets[i] <= i) ends[program.targets[i]] = i + 1;
  while (ends.size() > kMaxGcnLoops + 1) ends.erase(std::prev(ends.end()));
  std::vector<GcnLoop> loops;
  for (const auto& [begin, end] : ends) loops.push_back({begin, end, {}});
  for (std::size_t outer = loops.size(); outer-- > 0;)  // an inner loop that ends behind the outer one belongs to it
    for (std::size_t inner = outer + 1; inner < loops.size(); ++inner)
      if (loops[inner].begin < loops[outer].end) loops[outer].end = std::max(loops[outer].end, loops[inner].end);
  for (std::uint32_t i = 0; i < loops.size(); ++i)
    for (std::uint32_t outer = 0; outer < i; ++outer)
      if (loops[outer].holds(loops[i].begin)) loops[i].parent = outer;
  return loops;
}

/// Returns by instruction the innermost loop, plus 1. Loops lie inside each other or apart.
std::vector<std::uint32_t> innermost_loops(const GcnProgram& program) {
  std::vector<std::uint32_t> around(program.classes.size(), 0);
  std::vector<std::uint32_t> open;
  std::uint32_t next = 0;
  for (std::uint32_t at = 0; at < around.size(); ++at) {
    while (!open.empty() && program.loops[open.back()].end <= at) open.pop_back();
    for (; next < program.loops.size() && program.loops[next].begin == at; ++next) open.push_back(next);
    if (!open.empty()) around[at] = open.back() + 1;
  }
  return around;
}

/// Finds the instructions whose results addresses or branches depend on.
class NeededSearch {
 public:
  explicit NeededSearch(GcnProgram& program)
      : program_(program), needed_(kGcnRegisters, false), writers_(kGcnRegisters) {}

  void find() {
    program_.is_needed.assign(program_.classes.size(), false);
    for (std::uint32_t i = 0; i < program_.classes.size(); ++i) {
      for (const std::uint32_t reg : gcn_writes(program_.kernel->instructions[i], program_.classes[i]))
        writers_[reg].push_back(i);
      const GcnRole role = program_.classes[i].role;
      if (is_gcn_access(role) || role == GcnRole::branch) need_instruction(i);
    }
    need_register(kGcnExec);
    need_register(kGcnExec + 1);
    while (!open_.empty()) {
      const std::uint32_t at = open_.back();
      open_.pop_back();
      for (const std::uint32_t reg : sources_of(at)) need_register(reg);
    }
  }

 private:
  void need_instruction(std::uint32_t at) {
    if (program_.is_needed[at]) return;
    program_.is_needed[at] = true;
    open_.push_back(at);
  }

  void need_register(std::uint32_t reg) {
    if (needed_[reg]) return;
    needed_[reg] = true;
    for (const std::uint32_t writer : writers_[reg]) need_instruction(writer);
  }

  /// What is stored does not matter: only addresses do.
  std::vector<std::uint32_t> sources_of(std::uint32_t i) const {
    const GcnInstruction& instruction = program_.kernel->instructions[i];
    const GcnClass& of = program_.classes[i];
    if (!is_gcn_access(of.role)) return gcn_reads(instruction, of);
    const std::size_t address = gcn_address_position(instruction, of);
    const bool is_buffer = instruction.opcode.starts_with("buffer_");
    std::vector<std::uint32_t> registers;
    for (std::size_t at = address; at < instruction.operands.size(); ++at) {
      const GcnOperand& operand = instruction.operands[at];
      const bool is_address = at == address || operand.is_scalar() || is_buffer;
      for (std::uint32_t k = 0; operand.is_register() && is_address && k < operand.count; ++k)
        registers.push_back(operand.first + k);
    }
    return registers;
  }

  GcnProgram& program_;
  std::vector<bool> needed_;                         ///< by register
  std::vector<std::vector<std::uint32_t>> writers_;  ///< by register: instructions, ascending
  std::vector<std::uint32_t> open_;                  ///< needed instructions whose sources are not yet
};

}  // namespace

GcnProgram gcn_program_of(const GcnKernel& kernel) {
  GcnProgram program;
  program.kernel = &kernel;
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
    const GcnInstruction& instruction = kernel.instructions[i];
    program.classes.push_back(gcn_class_of(instruction, kernel.lanes));
    if (is_stack_access(kernel, instruction)) program.classes.back().is_scratch = true;
    program.targets.push_back(i + 1);
    if (program.classes.back().role != GcnRole::branch) continue;
    const auto label =
        instruction.operands.empty() ? kernel.labels.end() : kernel.labels.find(instruction.operands.front().text);
    if (label == kernel.labels.end())
      program.classes.back().role = GcnRole::unsupported;
    else
      program.targets.back() = label->second;
  }
  program.loops = loops_in(program);
  program.around = innermost_loops(program);
  NeededSearch(program).find();
  return program;
}

}  // namespace gdsim
