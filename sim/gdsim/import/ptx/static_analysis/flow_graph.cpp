#include <gdsim/import/ptx/static_analysis/flow_graph.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/ptx/reader/read_ptx.hpp>
#include <gdsim/import/ptx/static_analysis/instruction_class.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace gdsim {
namespace {

constexpr std::size_t kMaxLoops = 2'000;
constexpr std::size_t kMaxHeldBlocks = 500'000;  ///< blocks of inner loops count in outer ones too

std::vector<std::uint32_t> beginnings(const PtxKernel& kernel) {
  std::set<std::uint32_t> begins{0};
  for (const auto& [label, at] : kernel.labels) begins.insert(at);
  for (std::uint32_t i = 0; i < kernel.instructions.size(); ++i) {
    const PtxRole role = class_of(kernel.instructions[i]).role;
    if (role == PtxRole::branch || role == PtxRole::end || role == PtxRole::barrier) begins.insert(i + 1);
  }
  std::vector<std::uint32_t> sorted;
  for (const std::uint32_t at : begins)
    if (at < kernel.instructions.size()) sorted.push_back(at);
  return sorted;
}

void connect(const PtxKernel& kernel, FlowGraph& graph) {
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    BasicBlock& block = graph.blocks[b];
    const PtxInstruction& last = kernel.instructions[block.end - 1];
    const PtxRole role = class_of(last).role;
    if (role == PtxRole::branch)
      if (const auto at = kernel.find_label(last.operands.front().text); at && *at < graph.block_at.size())
        block.successors.push_back(graph.block_at[*at]);
    const bool goes_on = (role != PtxRole::branch && role != PtxRole::end) || last.predicate.has_value();
    if (goes_on && b + 1 < graph.blocks.size()) block.successors.push_back(b + 1);
  }
}

/// The blocks in reverse postorder of a depth-first search; unreachable blocks are left out.
std::vector<std::uint32_t> reverse_postorder(const FlowGraph& graph) {
  std::vector<std::uint32_t> order;
  std::vector<bool> is_seen(graph.blocks.size());
  std::vector<std::pair<std::uint32_t, std::size_t>> stack{{0, 0}};
  is_seen[0] = true;
  while (!stack.empty()) {
    auto& [block, next] = stack.back();
    const auto& successors = graph.blocks[block].successors;
    if (next == successors.size()) {
      order.push_back(block);
      stack.pop_back();
    } else if (const std::uint32_t to = successors[next++]; !is_seen[to]) {
      is_seen[to] = true;
      stack.emplace_back(to, 0);
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// Immediate dominators, by Cooper, Harvey and Kennedy: A Simple, Fast Dominance Algorithm.
class Dominators {
 public:
  explicit Dominators(const FlowGraph& graph)
      : number_(graph.blocks.size(), kNone), above_(graph.blocks.size(), kNone) {
    const std::vector<std::uint32_t> order = reverse_postorder(graph);
    for (std::uint32_t i = 0; i < order.size(); ++i) number_[order[i]] = i;
    std::vector<std::vector<std::uint32_t>> predecessors(graph.blocks.size());
    for (const std::uint32_t block : order)
      for (const std::uint32_t to : graph.blocks[block].successors) predecessors[to].push_back(block);
    above_[0] = 0;
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (std::size_t i = 1; i < order.size(); ++i) {
        std::uint32_t found = kNone;
        for (const std::uint32_t from : predecessors[order[i]])
          if (above_[from] != kNone) found = found == kNone ? from : common(found, from);
        if (above_[order[i]] != found) {
          above_[order[i]] = found;
          is_changed = true;
        }
      }
    }
  }

  bool is_reached(std::uint32_t block) const { return number_[block] != kNone; }

  bool dominates(std::uint32_t a, std::uint32_t b) const {
    while (number_[b] > number_[a]) b = above_[b];
    return a == b;
  }

  bool is_behind(std::uint32_t a, std::uint32_t b) const { return number_[a] >= number_[b]; }

 private:
  std::uint32_t common(std::uint32_t a, std::uint32_t b) const {
    while (a != b) {
      while (number_[a] > number_[b]) a = above_[a];
      while (number_[b] > number_[a]) b = above_[b];
    }
    return a;
  }

  std::vector<std::uint32_t> number_;  ///< in reverse postorder
  std::vector<std::uint32_t> above_;
};

void gather(std::uint32_t head, std::uint32_t from, const std::vector<std::vector<std::uint32_t>>& predecessors,
            std::set<std::uint32_t>& blocks) {
  std::vector<std::uint32_t> open{from};
  blocks.insert(head);
  while (!open.empty()) {
    const std::uint32_t block = open.back();
    open.pop_back();
    if (!blocks.insert(block).second) continue;
    open.insert(open.end(), predecessors[block].begin(), predecessors[block].end());
  }
}

[[noreturn]] void refuse_entry(const PtxKernel& kernel, const BasicBlock& from) {
  const PtxInstruction& last = kernel.instructions[from.end - 1];
  throw InputError(
      {Diagnostic{{},
                  "from here a loop is entered that can be entered in several places; its iterations are not "
                  "known",
                  kernel.file,
                  last.line,
                  last.column,
                  {}}});
}

[[noreturn]] void refuse_loops(const PtxKernel& kernel, const BasicBlock& head) {
  const PtxInstruction& first = kernel.instructions[head.begin];
  throw InputError({Diagnostic{{},
                               fmt::format("the loops from here on are not followed: at most {} loops, which hold {} "
                                           "basic blocks in all, are; nest them less deep",
                                           kMaxLoops, kMaxHeldBlocks),
                               kernel.file,
                               first.line,
                               first.column,
                               {}}});
}

void find_loops(const PtxKernel& kernel, FlowGraph& graph) {
  const Dominators dominators(graph);
  std::vector<std::vector<std::uint32_t>> predecessors(graph.blocks.size());
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b)
    if (dominators.is_reached(b))
      for (const std::uint32_t to : graph.blocks[b].successors) predecessors[to].push_back(b);
  std::map<std::uint32_t, std::set<std::uint32_t>> by_head;
  std::size_t held = 0;
  for (std::uint32_t b = 0; b < graph.blocks.size(); ++b) {
    if (!dominators.is_reached(b)) continue;
    for (const std::uint32_t to : graph.blocks[b].successors) {
      if (dominators.dominates(to, b)) {
        std::set<std::uint32_t>& loop = by_head[to];
        held -= loop.size();
        gather(to, b, predecessors, loop);
        held += loop.size();
        if (held > kMaxHeldBlocks || by_head.size() > kMaxLoops) refuse_loops(kernel, graph.blocks[to]);
      } else if (dominators.is_behind(b, to)) {
        refuse_entry(kernel, graph.blocks[b]);
      }
    }
  }
  for (const auto& [head, blocks] : by_head) graph.loops.push_back({head, {blocks.begin(), blocks.end()}, {}});
  std::stable_sort(graph.loops.begin(), graph.loops.end(),
                   [](const FlowLoop& a, const FlowLoop& b) { return a.blocks.size() > b.blocks.size(); });
  for (std::uint32_t i = 0; i < graph.loops.size(); ++i) {
    for (std::uint32_t j = 0; j < i; ++j)
      if (graph.loops[j].holds(graph.loops[i].head)) graph.loops[i].parent = j;
    for (const std::uint32_t block : graph.loops[i].blocks) graph.blocks[block].loop = i;
  }
}

}  // namespace

bool FlowLoop::holds(std::uint32_t block) const { return std::binary_search(blocks.begin(), blocks.end(), block); }

FlowGraph flow_of(const PtxKernel& kernel) {
  FlowGraph graph;
  const std::vector<std::uint32_t> begins = beginnings(kernel);
  graph.block_at.resize(kernel.instructions.size());
  for (std::size_t i = 0; i < begins.size(); ++i) {
    const auto end = i + 1 < begins.size() ? begins[i + 1] : static_cast<std::uint32_t>(kernel.instructions.size());
    for (std::uint32_t at = begins[i]; at < end; ++at) graph.block_at[at] = static_cast<std::uint32_t>(i);
    graph.blocks.push_back({begins[i], end, {}, {}});
  }
  if (graph.blocks.empty()) return graph;
  connect(kernel, graph);
  find_loops(kernel, graph);
  return graph;
}

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
