#include <gdsim/import/ptx/unresolved_inputs.hpp>

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {

void OpenInputs::refuse(std::uint32_t instruction, const std::string& why) {
  if (refused_.insert(instruction).second) problems_.add(mark_of(instruction), why);
}

std::optional<std::uint32_t> OpenInputs::gathered(std::uint32_t instruction, const std::string& why,
                                                  std::string_view how) {
  const bool is_argument = is_answered_by_argument(why);
  if (launch_.gather && !is_argument) {
    is_gather_used_ = true;
    return launch_.gather;
  }
  refuse(instruction, fmt::format("the address of this access {}{}", why, is_argument ? "" : how));
  return std::nullopt;
}

bool OpenInputs::is_repeated(std::uint32_t instruction, const std::string& why, const LoopBranch& branch) {
  const bool is_argument = is_answered_by_argument(why);
  for (const std::string& key : {branch.name, "$" + branch.name, std::to_string(mark_of(instruction).line)})
    if (const auto found = launch_.trips.find(key); found != launch_.trips.end() && !is_argument) {
      used_trips_.insert(key);
      const bool stays = branch.is_at_end ? branch.iteration < found->second : branch.iteration <= found->second;
      return stays == branch.taken_stays;
    }
  refuse(instruction, fmt::format("how often this loop is repeated {}{}", why,
                                  is_argument ? std::string() : fmt::format("; say so: --trips {}=64", branch.name)));
  return !branch.taken_stays;
}

bool OpenInputs::is_taken(std::uint32_t instruction, const std::string& why) {
  const std::uint32_t line = mark_of(instruction).line;
  const bool is_argument = is_answered_by_argument(why);
  if (const auto found = launch_.branches.find(line); found != launch_.branches.end() && !is_argument) {
    used_branches_.insert(line);
    return found->second;
  }
  refuse(instruction,
         fmt::format("whether this branch is taken {}{}", why,
                     is_argument ? std::string()
                                 : fmt::format("; say so: --branch {}=taken or --branch {}=skipped", line, line)));
  return false;
}

void OpenInputs::throw_if_any() {
  problems_.put_in_order();
  problems_.throw_if_any();
  for (const auto& [name, trips] : launch_.trips)
    if (!used_trips_.contains(name))
      problems_.add({},
                    fmt::format("--trips {}={}: no loop of this name has a trip count that depends on data; leave it "
                                "out, or take a name from the errors without it",
                                printable(name), trips));
  for (const auto& [line, takes] : launch_.branches)
    if (!used_branches_.contains(line))
      problems_.add({}, fmt::format("--branch {}={}: no branch that depends on data stands in this line; leave it out",
                                    line, takes ? "taken" : "skipped"));
  if (launch_.gather && !is_gather_used_)
    problems_.add({}, fmt::format("--gather {}: all addresses are known; leave it out", *launch_.gather));
  problems_.throw_if_any();
}

std::string UnresolvedInputs::reason(const LaneValues& unknown) const {
  if (unknown.origin == 0 || unknown.origin > kernel_.instructions.size())
    return "depends on a register that nothing has written";
  const std::uint32_t number = unknown.origin - 1;
  const PtxInstruction& instruction = kernel_.kernel->instructions[number];
  const PreparedInstruction& prepared = kernel_.instructions[number];
  const std::string where = fmt::format("line {} ({})", instruction.line, printable(instruction.opcode));
  for (const std::uint32_t constant : prepared.loaded)
    if (const auto& missing = kernel_.missing[constant])
      return fmt::format("depends on argument {}, which {} loads; give its value: --arg {}=VALUE", missing->first,
                         where, name_of_argument(*missing));
  if (prepared.traits.role == PtxRole::load || prepared.traits.role == PtxRole::atomic || instruction.name() == "ld")
    return "depends on what " + where + " loads from memory";
  return "depends on what " + where + " computes, which is not executed";
}

SourceMark UnresolvedInputs::mark_of(std::uint32_t instruction) const {
  const PtxInstruction& at = kernel_.kernel->instructions[instruction];
  return {&source_, at.line, at.column};
}

std::optional<std::uint32_t> UnresolvedInputs::sectors_of(std::uint32_t instruction, const LaneValues& address) {
  return gathered(instruction, reason(address),
                  "; say how many sectors of 32 bytes (or cycles of shared memory's banks) a warp's request takes, 1 "
                  "to 32, and in how many bytes they lie: --gather 32:16MiB");
}

void UnresolvedInputs::add_predicate(std::uint32_t instruction, const LaneValues& predicate) {
  const std::string why = reason(predicate);
  const std::uint32_t line = kernel_.kernel->instructions[instruction].line;
  if (const auto found = launch_.branches.find(line); found != launch_.branches.end()) {
    used_branches_.insert(line);
    return;
  }
  refuse(instruction, fmt::format("whether this instruction is executed {}{}", why,
                                  is_answered_by_argument(why)
                                      ? std::string()
                                      : fmt::format("; say so: --branch {}=taken or --branch {}=skipped", line, line)));
}

std::string UnresolvedInputs::loop_name(std::uint32_t loop) const {
  const std::uint32_t begin = kernel_.flow.blocks[kernel_.flow.loops[loop].head].begin;
  for (const auto& [label, at] : kernel_.kernel->labels)
    if (at == begin) return label.front() == '$' ? label.substr(1) : label;
  return std::to_string(kernel_.kernel->instructions[begin].line);
}

std::optional<std::uint32_t> UnresolvedInputs::loop_left_by(std::uint32_t block, std::uint32_t target) const {
  for (auto loop = kernel_.flow.blocks[block].loop; loop; loop = kernel_.flow.loops[*loop].parent) {
    const FlowLoop& flow_loop = kernel_.flow.loops[*loop];
    if (flow_loop.holds(target) != flow_loop.holds(block + 1)) return loop;
  }
  return std::nullopt;
}

bool UnresolvedInputs::resolve_branch(std::uint32_t instruction, const LaneValues& predicate,
                                      const std::vector<std::uint64_t>& iterations) {
  const std::uint32_t block = kernel_.flow.block_at[instruction];
  const std::uint32_t target = kernel_.instructions[instruction].target;
  const auto loop = loop_left_by(block, target);
  if (!loop) return is_taken(instruction, reason(predicate));
  const FlowLoop& flow_loop = kernel_.flow.loops[*loop];
  const bool taken_stays = flow_loop.holds(target);
  const std::uint32_t staying = taken_stays ? target : block + 1;
  return is_repeated(instruction, reason(predicate),
                     {loop_name(*loop), taken_stays, staying == flow_loop.head, iterations[*loop]});
}

namespace {

bool is_access(PtxRole role) {
  return role == PtxRole::load || role == PtxRole::store || role == PtxRole::atomic || role == PtxRole::copy;
}

bool follows(Followed followed, const PtxClass& traits) {
  if (followed == Followed::all && traits.role == PtxRole::await) return true;
  if (!is_access(traits.role) || followed == Followed::control) return false;
  return followed == Followed::all || (traits.space != PtxSpace::shared && traits.space != PtxSpace::local);
}

/// Returns true if the instruction matters whatever becomes of its result.
bool is_root(const PreparedInstruction& instruction, bool is_followed) {
  const PtxRole role = instruction.traits.role;
  return is_followed || instruction.leaves_flow || role == PtxRole::end || role == PtxRole::barrier ||
         role == PtxRole::branch;
}

/// One call of slice_of().
class SliceSearch {
 public:
  SliceSearch(const PreparedKernel& kernel, Followed followed)
      : kernel_(kernel), needed_(kernel.kernel->registers.size()), is_taken_(kernel.instructions.size()) {
    for (const PreparedInstruction& instruction : kernel.instructions)
      slice_.is_followed.push_back(follows(followed, instruction.traits));
  }

  ExecutionSlice found() {
    while (take_more()) {
    }
    number_registers();
    for (const BasicBlock& block : kernel_.flow.blocks) {
      slice_.by_block.emplace_back();
      for (std::uint32_t i = block.begin; i < block.end; ++i)
        if (is_taken_[i] && kernel_.instructions[i].traits.role != PtxRole::branch) slice_.by_block.back().push_back(i);
    }
    return std::move(slice_);
  }

 private:
  /// Takes instructions whose results are needed, from the last to the first. Returns true if there were any.
  bool take_more() {
    bool has_taken = false;
    for (std::size_t i = kernel_.instructions.size(); i-- > 0;) {
      const PreparedInstruction& instruction = kernel_.instructions[i];
      if (is_taken_[i] || !(is_root(instruction, slice_.is_followed[i]) || writes_needed(instruction))) continue;
      is_taken_[i] = has_taken = true;
      if (is_access(instruction.traits.role) && !slice_.is_followed[i]) {
        if (instruction.predicate) needed_[*instruction.predicate] = true;
      } else {
        for_each_source(instruction, [&](std::uint32_t reg) { needed_[reg] = true; });
      }
    }
    return has_taken;
  }

  bool writes_needed(const PreparedInstruction& instruction) const {
    return std::any_of(instruction.destinations.begin(), instruction.destinations.end(),
                       [&](std::uint32_t reg) { return needed_[reg]; });
  }

  void number_registers() {
    for (const bool is_needed : needed_) slice_.slot.push_back(is_needed ? slice_.slots++ : ExecutionSlice::kNoSlot);
  }

  const PreparedKernel& kernel_;
  std::vector<bool> needed_;  ///< by register
  std::vector<bool> is_taken_;
  ExecutionSlice slice_;
};

}  // namespace

ExecutionSlice slice_of(const PreparedKernel& kernel, Followed followed) {
  return SliceSearch(kernel, followed).found();
}

}  // namespace gdsim
