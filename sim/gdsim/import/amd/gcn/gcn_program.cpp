#include <gdsim/import/amd/gcn/gcn_program.hpp>

#include <algorithm>
#include <map>

namespace gdsim {
namespace {

bool is_gcn_access(GcnRole role) { return role == GcnRole::load || role == GcnRole::store || role == GcnRole::atomic; }

std::vector<GcnLoop> loops_in(const GcnProgram& program) {
  std::map<std::uint32_t, std::uint32_t> ends;  // by head
  for (std::uint32_t i = 0; i < program.classes.size(); ++i)
    if (program.classes[i].role == GcnRole::branch && program.targets[i] <= i) ends[program.targets[i]] = i + 1;
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

/// One call of find_needed().
class NeededSearch {
 public:
  explicit NeededSearch(GcnProgram& program) : program_(program), needed_(kGcnRegisters, false) {}

  void find() {
    program_.is_needed.assign(program_.classes.size(), false);
    needed_[kGcnExec] = needed_[kGcnExec + 1] = true;
    while (take_more()) {
    }
  }

 private:
  bool take_more() {
    bool has_taken = false;
    for (std::size_t i = program_.classes.size(); i-- > 0;) {
      if (program_.is_needed[i] || !is_root(i)) continue;
      program_.is_needed[i] = has_taken = true;
      for (const std::uint32_t reg : sources_of(i)) needed_[reg] = true;
    }
    return has_taken;
  }

  bool is_root(std::size_t i) const {
    const GcnClass& of = program_.classes[i];
    if (is_gcn_access(of.role) || of.role == GcnRole::branch) return true;
    const auto writes = gcn_writes(program_.kernel->instructions[i], of);
    return std::any_of(writes.begin(), writes.end(), [&](std::uint32_t reg) { return needed_[reg]; });
  }

  /// What is stored does not matter: only addresses do.
  std::vector<std::uint32_t> sources_of(std::size_t i) const {
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
  std::vector<bool> needed_;  ///< by register
};

}  // namespace

std::optional<std::uint32_t> GcnProgram::loop_around(std::uint32_t instruction) const {
  std::optional<std::uint32_t> found;
  for (std::uint32_t i = 0; i < loops.size(); ++i)
    if (loops[i].holds(instruction)) found = i;
  return found;
}

GcnProgram gcn_program_of(const GcnKernel& kernel) {
  GcnProgram program;
  program.kernel = &kernel;
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
    const GcnInstruction& instruction = kernel.instructions[i];
    program.classes.push_back(gcn_class_of(instruction, kernel.lanes));
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
  NeededSearch(program).find();
  return program;
}

}  // namespace gdsim
