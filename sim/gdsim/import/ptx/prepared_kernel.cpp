#include <gdsim/import/ptx/prepared_kernel.hpp>

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/import/ptx/reader/read_ptx.hpp>
#include <gdsim/import/ptx/static_analysis/flow_graph.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace gdsim {
namespace {

using Form = PtxOperand::Form;

/// One call of prepare().
class Preparation {
 public:
  Preparation(const PtxKernel& kernel, const PtxLaunch& launch) : kernel_(kernel), launch_(launch) {
    result_.kernel = &kernel;
    result_.keeps_local_in_registers = launch.keeps_local_in_registers;
  }

  PreparedKernel prepare() {
    check_registers();
    find_uses();
    check_arguments();
    place_dynamic_shared();
    result_.flow = flow_of(kernel_);
    for (std::uint32_t i = 0; i < kernel_.instructions.size(); ++i)
      result_.instructions.push_back(prepared(kernel_.instructions[i], i));
    const std::vector<bool> fused = fused_additions(kernel_, result_.flow);
    for (std::size_t i = 0; i < fused.size(); ++i)
      if (fused[i]) result_.instructions[i].costs = {};
    return std::move(result_);
  }

 private:
  /// Checks registers for all warps of a work-group, which are executed together.
  void check_registers() const {
    constexpr std::uint64_t max_registers = 2'000'000;
    const std::uint64_t count = kernel_.registers.size();
    if (count <= max_registers / std::max<std::uint64_t>(1, launch_.warps())) return;
    throw InputError(
        {Diagnostic{{},
                    fmt::format("{} registers of PTX in each of {} warps cannot be followed; at most {} of a "
                                "work-group are: give a smaller one, as in --block 32",
                                count, launch_.warps(), max_registers),
                    kernel_.file,
                    kernel_.line,
                    kernel_.column,
                    {}}});
  }

  /// Finds the loaded bytes of each argument, and the arguments that are pointers.
  void find_uses() {
    for (std::uint32_t i = 0; i < kernel_.parameters.size(); ++i) parameters_.emplace(kernel_.parameters[i].name, i);
    std::vector<bool> is_address(kernel_.registers.size());
    for (const PtxInstruction& use : kernel_.instructions) {
      if (use.name() == "cvta" && use.operands.size() == 2 && use.operands[1].kind == Form::reg)
        is_address[use.operands[1].index] = true;
      for (const PtxOperand& operand : use.operands)
        if (operand.kind == Form::address && operand.items.front().kind == Form::reg)
          is_address[operand.items.front().index] = true;
    }
    for (const PtxInstruction& instruction : kernel_.instructions)
      for (const LoadedArgument& element : elements_of(instruction)) {
        ArgumentUse& use = uses_[element.argument];
        use.bytes = std::max(use.bytes, element.bytes);
        use.is_pointer = use.is_pointer || is_address[element.destination];
      }
    std::set<PtxArgument> values;
    for (const auto& [argument, value] : launch_.arguments) values.insert(argument);
    const auto loaded = [this](const PtxInstruction& use) { return elements_of(use); };
    for (const PtxArgument& argument : pointer_arguments(kernel_, loaded, values)) uses_[argument].is_pointer = true;
  }

  struct ArgumentUse {
    unsigned bytes = 0;  ///< of the widest load
    bool is_pointer = false;
  };

  /// The arguments that `ld.param` reads, one per register.
  std::vector<LoadedArgument> elements_of(const PtxInstruction& use) const {
    if (use.name() != "ld" || (!use.has_part("param") && !use.has_part("param::entry")) || use.operands.size() != 2)
      return {};
    const PtxOperand& from = use.operands[1];
    if (from.kind != Form::address || from.items.front().kind != Form::symbol) return {};
    const auto parameter = parameters_.find(from.items.front().text);
    if (parameter == parameters_.end()) return {};
    const std::string_view type = use.last_part();
    const auto bytes = static_cast<unsigned>(bytes_of_type(type));
    const PtxOperand& to = use.operands[0];
    std::vector<LoadedArgument> elements;
    const auto add = [&](const PtxOperand& operand, std::uint64_t place) {
      if (operand.kind != Form::reg) return;
      const std::uint64_t offset = static_cast<std::uint64_t>(from.value) + place * bytes;
      elements.push_back({{parameter->second, offset}, operand.index, bytes, type.front() == 's'});
    };
    if (bytes == 0 || bytes > sizeof(std::uint64_t)) return {};
    if (to.kind != Form::list) add(to, 0);
    for (std::size_t i = 0; i < to.items.size() && to.kind == Form::list; ++i) add(to.items[i], i);
    return elements;
  }

  void check_arguments() const {
    Diagnostics problems;
    for (const auto& [argument, value] : launch_.arguments) {
      const std::string problem = problem_of(argument, value);
      if (problem.empty()) continue;
      problems.add(
          {}, fmt::format("--arg {}={}: {}", name_of_argument(argument), static_cast<std::int64_t>(value), problem));
    }
    problems.throw_if_any();
  }

  /// Empty if there is no problem.
  std::string problem_of(const PtxArgument& argument, std::uint64_t value) const {
    const auto& [index, offset] = argument;
    if (index >= kernel_.parameters.size() || offset >= std::max<std::uint64_t>(kernel_.parameters[index].bytes, 1)) {
      std::string known;
      for (std::size_t i = 0; i < kernel_.parameters.size(); ++i)
        known += fmt::format("{}{} ({} B)", i == 0 ? "" : ", ", i, kernel_.parameters[i].bytes);
      return fmt::format("there is no such argument; those of {} are {}", printable(kernel_.symbol),
                         known.empty() ? "none" : known);
    }
    const auto use = uses_.find(argument);
    if (use == uses_.end() && is_unread(argument)) return misfit_of(value, kernel_.parameters[index].bytes);
    if (use == uses_.end()) return "no ld.param reads it; leave it out, or give one that is read: " + read_arguments();
    if (use->second.is_pointer && value != 0)
      return "it is a pointer, and has an address of its own; leave it out, or give 0, the null pointer";
    return misfit_of(value, use->second.bytes);
  }

  /// Returns true if the kernel reads nothing of the parameter: it may have any value.
  bool is_unread(const PtxArgument& argument) const {
    const auto first = uses_.lower_bound({argument.first, 0});
    return argument.second == 0 && (first == uses_.end() || first->first.first != argument.first);
  }

  std::string read_arguments() const {
    std::string names;
    constexpr std::size_t max_listed = 32;
    std::size_t count = 0;
    for (const auto& [argument, use] : uses_)
      if (++count <= max_listed) names += (names.empty() ? "" : ", ") + name_of_argument(argument);
    if (count > max_listed) names += fmt::format(" and {} more", count - max_listed);
    return names.empty() ? "none is" : names;
  }

  void place_dynamic_shared() {
    result_.shared_bytes = kernel_.static_shared;
    for (const PtxSharedVariable& variable : kernel_.shared) {
      if (variable.bytes > 0) continue;
      result_.shared_bytes = std::max(result_.shared_bytes, variable.offset + launch_.dynamic_shared);
      if (launch_.dynamic_shared == 0) refuse_without_size(variable.name);
    }
  }

  /// Throws InputError if an instruction uses the variable.
  void refuse_without_size(const std::string& name) const {
    const auto is_name = [&](const PtxOperand& operand) { return operand.text == name; };
    for (const PtxInstruction& use : kernel_.instructions)
      for (const PtxOperand& operand : use.operands)
        if (is_name(operand) || std::any_of(operand.items.begin(), operand.items.end(), is_name))
          throw InputError({Diagnostic{{},
                                       fmt::format("{} is shared memory whose size the launch gives; give its bytes: "
                                                   "--shared 4096",
                                                   in_quotes(name)),
                                       kernel_.file,
                                       use.line,
                                       use.column,
                                       {}}});
  }

  /// A sum or product of one half: ptxas makes packed instructions of two, see fused_additions().
  static bool is_half_of_pair(const PtxInstruction& instruction) {
    const std::string_view name = instruction.name();
    const std::string_view type = instruction.last_part();
    return (name == "add" || name == "sub" || name == "mul" || name == "fma") && (type == "f16" || type == "bf16");
  }

  PreparedInstruction prepared(const PtxInstruction& instruction, std::uint32_t number) {
    PreparedInstruction result;
    result.traits = class_of(instruction);
    result.predicate = instruction.predicate;
    result.is_predicate_negated = instruction.is_predicate_negated;
    result.leaves_flow = instruction.name() == "brx" || instruction.name() == "trap";
    const PtxRole role = result.traits.role;
    // Devices have no kind for branches and barriers.
    if (role == PtxRole::branch || role == PtxRole::barrier || role == PtxRole::arrive) result.costs[kInt32Index] = 1;
    if (role == PtxRole::branch) {
      const std::uint32_t at = *kernel_.find_label(instruction.operands.front().text);
      result.target = at < result_.flow.block_at.size() ? result_.flow.block_at[at]
                                                        : static_cast<std::uint32_t>(result_.flow.blocks.size());
      return result;
    }
    if (role == PtxRole::arithmetic) {
      const KindCounts costs = costs_of(instruction, launch_.capability);
      std::copy(costs.begin(), costs.end(), result.costs.begin());
      if (is_half_of_pair(instruction)) result.costs[kFp16Index] /= 2;
    }
    if (role == PtxRole::matrix) result.matrix = matrix_work_of(instruction);
    if (role == PtxRole::barrier && instruction.has_part("red") && !instruction.operands.empty())
      add_destinations(instruction.operands.front(), result);
    if (role == PtxRole::barrier || role == PtxRole::end) return result;
    set_operands(instruction, number, result);
    return result;
  }

  void set_operands(const PtxInstruction& instruction, std::uint32_t number, PreparedInstruction& result) {
    const PtxRole role = result.traits.role;
    const bool writes = role != PtxRole::store && role != PtxRole::copy && role != PtxRole::commit &&
                        !instruction.operands.empty() && instruction.name() != "red";
    if (writes) add_destinations(instruction.operands.front(), result);
    set_lane_result(instruction, result);
    if (role == PtxRole::load || role == PtxRole::store || role == PtxRole::atomic || role == PtxRole::copy) {
      set_address(instruction, result);
      set_amount(instruction, result);
    } else if (role == PtxRole::await) {
      set_address(instruction, result);
      set_amount(instruction, result);
    } else if (instruction.name() == "ld") {
      set_parameter(instruction, number, result);
    } else {
      set_sources(instruction, result);
    }
  }

  void set_lane_result(const PtxInstruction& instruction, PreparedInstruction& result) {
    if (result.traits.is_always_true) result.result = LaneResult::always_true;
    if (instruction.name() == "elect") result.result = LaneResult::elected;
    if (instruction.name() == "activemask") result.result = LaneResult::active;
    if (instruction.name() != "shfl" || instruction.operands.size() < 4) return;
    for (std::size_t i = 1; i < 4; ++i) {
      result.sources[i - 1] = source_of(instruction.operands[i]);
      if (result.sources[i - 1].kind == ValueSource::Form::none) return;
    }
    result.result = LaneResult::shuffled;
    for (const std::string_view mode : {"idx", "bfly", "up", "down"})
      if (instruction.has_part(mode)) result.shuffle = mode.front();
  }

  static void add_destinations(const PtxOperand& operand, PreparedInstruction& result) {
    if (operand.kind == Form::reg) result.destinations.push_back(operand.index);
    for (const PtxOperand& item : operand.items)
      if (item.kind == Form::reg && operand.kind != Form::address) result.destinations.push_back(item.index);
  }

  /// The last address: of a copy, that in global memory, from which it reads.
  void set_address(const PtxInstruction& instruction, PreparedInstruction& result) {
    for (const PtxOperand& operand : instruction.operands)
      if (operand.kind == Form::address) {
        result.address = source_of(operand.items.front());
        result.offset = static_cast<std::uint64_t>(operand.value);
      }
  }

  /// The operand behind the addresses: of `cp.async` the third one; else the last one, if it is a number.
  void set_amount(const PtxInstruction& instruction, PreparedInstruction& result) {
    const auto& operands = instruction.operands;
    const bool has_amount = result.traits.role == PtxRole::copy || result.traits.role == PtxRole::await ||
                            result.traits.layout == PtxLayout::by_tile;
    if (!has_amount || operands.empty()) return;
    const bool is_lane_copy = result.traits.role == PtxRole::copy && !result.traits.is_bulk;
    const PtxOperand& amount = is_lane_copy && operands.size() > 2 ? operands[2] : operands.back();
    if (amount.kind == Form::reg || amount.kind == Form::constant) result.amount = source_of(amount);
    if (!is_lane_copy) return;
    if (amount.kind == Form::constant) result.traits.bytes = static_cast<std::uint32_t>(amount.value);
    constexpr std::uint32_t max_copy_bytes = 16;  // of a lane
    if (result.traits.bytes == 0 || result.traits.bytes > max_copy_bytes) result.traits.role = PtxRole::unsupported;
  }

  /// A parameter without an argument is a pointer if it is used as one; else it is unknown.
  void set_parameter(const PtxInstruction& instruction, std::uint32_t number, PreparedInstruction& result) {
    const std::vector<LoadedArgument> elements = elements_of(instruction);
    if (elements.empty()) return;
    result.destinations.clear();
    for (const LoadedArgument& element : elements) {
      result.destinations.push_back(element.destination);
      const auto given = launch_.arguments.find(element.argument);
      if (given != launch_.arguments.end()) {
        result.loaded.push_back(add_constant(LaneValues::all(loaded_bits(given->second, element)), {}));
      } else if (uses_[element.argument].is_pointer) {
        result.loaded.push_back(add_constant(LaneValues::all(pointer(element.argument)), {}));
      } else {
        result.loaded.push_back(add_constant(LaneValues::unknown(number), element.argument));
      }
    }
  }

  /// A value of a signed type is sign-extended.
  static std::uint64_t loaded_bits(std::uint64_t value, const LoadedArgument& element) {
    const unsigned unused = 64 - 8 * element.bytes;
    const std::uint64_t shifted = value << unused;
    return element.is_signed ? static_cast<std::uint64_t>(static_cast<std::int64_t>(shifted) >> unused)
                             : shifted >> unused;
  }

  std::uint64_t pointer(const PtxArgument& argument) {
    const auto [found, is_new] = pointers_.emplace(argument, pointers_.size() + 1);
    return std::uint64_t{found->second} << kPointerBits;
  }

  void set_sources(const PtxInstruction& instruction, PreparedInstruction& result) {
    if (result.result != LaneResult::computed) return;
    const auto& operands = instruction.operands;
    const bool is_simple = !operands.empty() && operands.size() <= 5 && result.destinations.size() == 1 &&
                           std::none_of(operands.begin(), operands.end(),
                                        [](const PtxOperand& operand) { return operand.kind == Form::list; });
    if (!is_simple) return;
    for (std::size_t i = 1; i < operands.size(); ++i) {
      result.sources[i - 1] = source_of(operands[i]);
      if (result.sources[i - 1].kind == ValueSource::Form::none) return;
    }
    result.operation = integer_operation_of(instruction);
    if (result.operation && result.operation->bits < 64 && has_wide_address(instruction)) result.operation.reset();
    if (result.operation && !takes(*result.operation, operands.size() - 1)) result.operation.reset();
  }

  /// True for an address of a variable outside shared memory: it has 64 bits, and a part of it is unknown.
  bool has_wide_address(const PtxInstruction& instruction) const {
    return std::any_of(instruction.operands.begin(), instruction.operands.end(), [&](const PtxOperand& operand) {
      return operand.kind == Form::symbol && kernel_.find_shared(operand.text) == nullptr;
    });
  }

  ValueSource source_of(const PtxOperand& operand) {
    ValueSource source;
    source.is_negated = operand.is_negated;
    if (operand.kind == Form::reg) {
      source.kind = ValueSource::Form::reg;
      source.index = operand.index;
    } else if (operand.kind == Form::constant) {
      source.kind = ValueSource::Form::constant;
      source.index = add_constant(LaneValues::all(static_cast<std::uint64_t>(operand.value)), {});
    } else if (operand.kind == Form::special) {
      const auto* const found = std::find(kSpecialRegisters.begin(), kSpecialRegisters.end(), operand.text);
      if (found == kSpecialRegisters.end()) return source;
      source.kind = ValueSource::Form::special;
      source.index = static_cast<std::uint32_t>(found - kSpecialRegisters.begin());
    } else if (operand.kind == Form::symbol) {
      source.kind = ValueSource::Form::constant;
      source.index = add_constant(LaneValues::all(address_of(operand) + static_cast<std::uint64_t>(operand.value)), {});
    }
    return source;
  }

  /// Shared variables have their assigned offsets; variables of the module come far after all pointers.
  std::uint64_t address_of(const PtxOperand& symbol) {
    if (const PtxSharedVariable* shared = kernel_.find_shared(symbol.text)) return shared->offset;
    const bool is_local = kernel_.local_names.contains(symbol.text);
    const std::uint64_t behind_arguments = is_local ? kFirstLocalPointer : 10'000;
    const auto [found, is_new] = symbols_.emplace(symbol.text, behind_arguments + symbols_.size());
    return std::uint64_t{found->second} << kPointerBits;
  }

  std::uint32_t add_constant(const LaneValues& values, std::optional<PtxArgument> missing) {
    result_.constants.push_back(values);
    result_.missing.push_back(missing);
    return static_cast<std::uint32_t>(result_.constants.size() - 1);
  }

  const PtxKernel& kernel_;
  const PtxLaunch& launch_;
  PreparedKernel result_;
  std::map<std::string_view, std::uint32_t> parameters_;  ///< by name: the parameter's number
  std::map<PtxArgument, ArgumentUse> uses_;
  std::map<PtxArgument, std::size_t> pointers_;
  std::map<std::string, std::size_t> symbols_;
};

}  // namespace

std::string name_of_argument(const PtxArgument& argument) {
  return argument.second == 0 ? std::to_string(argument.first) : fmt::format("{}+{}", argument.first, argument.second);
}

std::string misfit_of(std::uint64_t value, std::uint64_t bytes) {
  if (bytes == 0 || bytes >= sizeof value) return {};
  const std::uint64_t bits = 8 * bytes;
  if ((value >> bits) == 0 || (static_cast<std::int64_t>(value) >> (bits - 1)) == -1) return {};
  return fmt::format("it does not fit into its {} bytes; {} to {} are allowed", bytes, -(std::int64_t{1} << (bits - 1)),
                     (std::int64_t{1} << bits) - 1);
}

PreparedKernel prepare(const PtxKernel& kernel, const PtxLaunch& launch) {
  return Preparation(kernel, launch).prepare();
}

}  // namespace gdsim
