#include <gdsim/import/amd/gcn/gcn_program.hpp>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace gdsim {
namespace {

bool is_gcn_access(GcnRole role) { return role == GcnRole::load || role == GcnRole::store || role == GcnRole::atomic; }

/// Returns true for arrays of a work-item and spilled registers that a buffer in s[0:3] holds.
bool is_stack_access(const GcnKernel& kernel, const GcnInstruction& instruction) {
  return instruction.opcode.starts_with("buffer_") && instruction.operands.size() > 2 &&
         instruction.operands[2].is_scalar() && instruction.operands[2].first == 0 &&
         kernel.directive("user_sgpr_private_segment_buffer") != 0;
}

/// Finds loops in the order of their heads: instructions to which a branch leads back, or after which the code goes
/// back without one. A loop whose head is not its first instruction is entered by a jump over its end.
class LoopSearch {
 public:
  explicit LoopSearch(const GcnProgram& program) : program_(program), states_(program.classes.size(), State::new_) {
    before_.resize(states_.size());
    for (std::uint32_t i = 0; i < states_.size(); ++i)
      for (const std::uint32_t next : successors(i)) before_[next].push_back(i);
  }

  std::vector<GcnLoop> find() {
    if (!states_.empty()) visit_all();
    std::vector<GcnLoop> loops;
    for (const auto& [head, tails] : tails_)
      if (loops.size() <= kMaxGcnLoops) loops.push_back(loop_of(head, tails));
    std::sort(loops.begin(), loops.end(), [](const GcnLoop& a, const GcnLoop& b) {
      return std::tie(a.begin, b.end, a.head) < std::tie(b.begin, a.end, b.head);
    });
    for (std::size_t outer = loops.size(); outer-- > 0;)  // an inner loop that ends behind the outer one belongs to it
      for (std::size_t inner = outer + 1; inner < loops.size(); ++inner)
        if (loops[inner].begin < loops[outer].end) loops[outer].end = std::max(loops[outer].end, loops[inner].end);
    for (std::uint32_t i = 0; i < loops.size(); ++i)
      for (std::uint32_t outer = 0; outer < i; ++outer)
        if (loops[outer].holds(loops[i].begin)) loops[i].parent = outer;
    return loops;
  }

 private:
  enum class State : std::uint8_t { new_, open, done };

  std::vector<std::uint32_t> successors(std::uint32_t at) const {
    std::vector<std::uint32_t> next;
    const GcnRole role = program_.classes[at].role;
    const auto size = static_cast<std::uint32_t>(program_.classes.size());
    const bool goes_on = role != GcnRole::end && program_.kernel->instructions[at].opcode != "s_branch";
    if (goes_on && at + 1 < size) next.push_back(at + 1);
    if (role == GcnRole::branch && program_.targets[at] < size) next.push_back(program_.targets[at]);
    return next;
  }

  /// Visits what can be executed, in depth first order; what leads back to an open instruction ends a loop.
  void visit_all() {
    std::vector<std::pair<std::uint32_t, std::size_t>> open{{0, 0}};  // with the number of successors seen
    states_[0] = State::open;
    while (!open.empty()) {
      const std::uint32_t at = open.back().first;
      const auto next = successors(at);
      if (open.back().second == next.size()) {
        states_[at] = State::done;
        open.pop_back();
        continue;
      }
      const std::uint32_t to = next[open.back().second++];
      if (states_[to] == State::open) tails_[to].push_back(at);
      if (states_[to] != State::new_) continue;
      states_[to] = State::open;
      open.emplace_back(to, 0);
    }
  }

  /// The loop has all instructions from which its tails are reached without its head.
  GcnLoop loop_of(std::uint32_t head, const std::vector<std::uint32_t>& tails) const {
    GcnLoop loop{head, head + 1, head, {}};
    std::vector<bool> is_inside(states_.size(), false);
    is_inside[head] = true;
    std::vector<std::uint32_t> open = tails;
    while (!open.empty()) {
      const std::uint32_t at = open.back();
      open.pop_back();
      if (is_inside[at] || states_[at] == State::new_) continue;
      is_inside[at] = true;
      loop.begin = std::min(loop.begin, at);
      loop.end = std::max(loop.end, at + 1);
      open.insert(open.end(), before_[at].begin(), before_[at].end());
    }
    return loop;
  }

  const GcnProgram& program_;
  std::vector<State> states_;                                  ///< by instruction
  std::vector<std::vector<std::uint32_t>> before_;             ///< by instruction
  std::map<std::uint32_t, std::vector<std::uint32_t>> tails_;  ///< by head: instructions that lead back to it
};

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
    const GcnClass& traits = program_.classes[i];
    if (!is_gcn_access(traits.role)) return gcn_reads(instruction, traits);
    const std::size_t address = gcn_address_position(instruction, traits);
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
  program.loops = LoopSearch(program).find();
  program.around = innermost_loops(program);
  for (std::uint32_t i = 0; i < program.loops.size(); ++i) program.heads.emplace(program.loops[i].head, i);
  NeededSearch(program).find();
  return program;
}

}  // namespace gdsim
