#include <gdsim/import/amd/gcn/read_gcn.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/text_lines.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace gdsim {
namespace {

constexpr std::size_t kMaxGcnInstructions = 1'000'000;

std::string_view unpadded(std::string_view text) {
  constexpr std::string_view blanks = " \t";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) + 1 - begin);
}

std::string_view without_comment(std::string_view line) {
  return line.substr(0, std::min(line.find(';'), line.find("//")));
}

/// Returns a whole number as the assembler writes it, `-4` or `0x1f`.
std::optional<std::int64_t> gcn_number(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative) text.remove_prefix(1);
  const bool is_hexadecimal = text.starts_with("0x");
  if (is_hexadecimal) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, is_hexadecimal ? 16 : 10);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return static_cast<std::int64_t>(is_negative ? 0 - value : value);
}

/// Special registers by name: the first one, and how many.
struct NamedRegister {
  std::string_view name;
  std::uint32_t first;
  std::uint32_t count;
};
constexpr std::array<NamedRegister, 16> kNamedRegisters{{{"vcc", kGcnVcc, 2},
                                                         {"vcc_lo", kGcnVcc, 1},
                                                         {"vcc_hi", kGcnVcc + 1, 1},
                                                         {"exec", kGcnExec, 2},
                                                         {"exec_lo", kGcnExec, 1},
                                                         {"exec_hi", kGcnExec + 1, 1},
                                                         {"m0", kGcnM0, 1},
                                                         {"null", kGcnNull, 1},
                                                         {"scc", kGcnScc, 1},
                                                         {"flat_scratch", kGcnOther, 2},
                                                         {"flat_scratch_lo", kGcnOther, 1},
                                                         {"flat_scratch_hi", kGcnOther, 1},
                                                         {"xnack_mask", kGcnOther, 2},
                                                         {"src_shared_base", kGcnOther, 2},
                                                         {"src_private_base", kGcnOther, 2},
                                                         {"src_vccz", kGcnOther, 1}}};

/// Returns the registers of `v3`, `s[4:5]`, `a0`, or nullopt.
std::optional<GcnOperand> numbered_registers(std::string_view text) {
  if (text.size() < 2) return std::nullopt;
  const char file = text.front();
  if (file != 'v' && file != 's' && file != 'a') return std::nullopt;
  std::string_view first = text.substr(1);
  std::string_view last = first;
  if (first.starts_with('[') && first.ends_with(']')) {
    first = first.substr(1, first.size() - 2);
    const std::size_t colon = first.find(':');
    last = colon == std::string_view::npos ? first : first.substr(colon + 1);
    first = first.substr(0, colon);
  }
  if (first.empty() || !is_digit(first.front())) return std::nullopt;
  const auto begin = gcn_number(first);
  const auto end = gcn_number(last);
  const std::int64_t most = file == 's' ? kGcnVcc - 1 : kGcnVectors - 1;
  if (!begin || !end || *begin > *end || *end > most) return std::nullopt;
  const std::uint32_t base = file == 's' ? 0 : file == 'v' ? kGcnScalars : kGcnScalars + kGcnVectors;
  GcnOperand operand;
  operand.type = GcnOperand::Type::registers;
  operand.first = base + static_cast<std::uint32_t>(*begin);
  operand.count = static_cast<std::uint32_t>(*end - *begin) + 1;
  return operand;
}

GcnOperand operand_without_sign(std::string_view text) {
  if (auto registers = numbered_registers(text)) return *registers;
  GcnOperand operand;
  for (const NamedRegister& named : kNamedRegisters)
    if (named.name == text) {
      operand.type = GcnOperand::Type::registers;
      operand.first = named.first;
      operand.count = named.count;
      return operand;
    }
  if (text.starts_with("ttmp")) {
    operand.type = GcnOperand::Type::registers;
    operand.first = kGcnOther;
    return operand;
  }
  if (const auto number = gcn_number(text)) {
    operand.type = GcnOperand::Type::constant;
    operand.value = *number;
    return operand;
  }
  const std::string copy(text);
  char* end = nullptr;
  const double value = std::strtod(copy.c_str(), &end);
  if (!copy.empty() && end == copy.c_str() + copy.size() && std::isfinite(value)) {
    operand.type = GcnOperand::Type::constant;
    operand.value = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  }
  return operand;
}

GcnOperand operand_in(std::string_view text) {
  std::string_view inner = text;
  bool is_negated = false;
  bool is_absolute = false;
  if (inner.starts_with('-') && inner.size() > 1 && !is_digit(inner[1])) {
    is_negated = true;
    inner.remove_prefix(1);
  }
  for (const std::string_view begin : {"|", "abs(", "neg(", "sext("})
    if (inner.starts_with(begin) && inner.size() > begin.size() + 1) {
      is_absolute = is_absolute || begin == "|" || begin == "abs(";
      is_negated = is_negated || begin == "neg(";
      inner = inner.substr(begin.size(), inner.size() - begin.size() - 1);
    }
  GcnOperand operand = operand_without_sign(inner);
  operand.is_negated = is_negated;
  operand.is_absolute = is_absolute;
  operand.text = text;
  return operand;
}

/// Splits at commas outside brackets.
std::vector<std::string_view> operand_texts(std::string_view text) {
  std::vector<std::string_view> parts;
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : ',';
    depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
    if (c != ',' || (depth > 0 && i < text.size())) continue;
    parts.push_back(unpadded(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  if (parts.size() == 1 && parts.front().empty()) parts.clear();
  return parts;
}

/// Takes `offset:16`, `vmcnt(0)` and `glc`, each a modifier.
void take_modifier(std::string_view word, GcnInstruction& instruction) {
  const std::size_t at = word.find_first_of(":(");
  std::int64_t value = 1;
  if (at != std::string_view::npos) {
    std::string_view number = word.substr(at + 1);
    if (number.ends_with(')')) number.remove_suffix(1);
    value = gcn_number(number).value_or(0);
  }
  if (!word.empty() && word != "&") instruction.modifiers.emplace(word.substr(0, at), value);
}

/// Takes operands; words behind one are modifiers. A wait has modifiers alone.
void take_operands(std::string_view text, GcnInstruction& instruction) {
  const bool has_only_modifiers = instruction.opcode == "s_waitcnt" || instruction.opcode == "s_delay_alu";
  for (std::string_view part : operand_texts(text)) {
    bool is_first = !has_only_modifiers;
    while (!part.empty()) {
      const std::size_t end = std::min(part.find_first_of(" \t"), part.size());
      const std::string_view word = part.substr(0, end);
      if (is_first)
        instruction.operands.push_back(operand_in(word));
      else
        take_modifier(word, instruction);
      is_first = false;
      part = unpadded(part.substr(end));
    }
  }
}

/// Separates the suffix of an encoding from the name: `_e32`, `_e64`, `_sdwa`, `_dpp`, `_e64_dpp`, `_dpp8`.
void set_opcode(std::string_view word, GcnInstruction& instruction) {
  if (word.starts_with("v_dual_")) {
    instruction.opcode = "v_" + std::string(word.substr(std::string_view("v_dual_").size()));
    return;
  }
  for (const std::string_view suffix : {"_e64_dpp", "_e32", "_e64", "_sdwa", "_dpp8", "_dpp"})
    if (word.starts_with("v_") && word.ends_with(suffix)) {
      instruction.suffix = suffix.substr(1);
      word.remove_suffix(suffix.size());
    }
  instruction.opcode = word;
}

/// One call of read_gcn().
class GcnReader {
 public:
  explicit GcnReader(const SourceText& source) : source_(source), lines_(source) {}

  GcnModule read() {
    while (const auto line = lines_.next()) take_line(*line);
    add_metadata();
    return std::move(module_);
  }

 private:
  struct Code {
    std::uint32_t line = 0;
    std::vector<GcnInstruction> instructions;
    std::map<std::string, std::uint32_t, std::less<>> labels;
  };

  void take_line(std::string_view line) {
    const std::string_view word = unpadded(without_comment(line));
    if (word == ".amdgpu_metadata") first_of_metadata_ = lines_.number();
    if (first_of_metadata_ != 0) return take_metadata(line, word);
    if (word.empty()) return;
    constexpr std::string_view kernel = ".amdhsa_kernel ";
    constexpr std::string_view directive = ".amdhsa_";
    if (word.starts_with(kernel))
      described_ = unpadded(word.substr(kernel.size()));
    else if (word.starts_with(directive))
      take_directive(word.substr(directive.size()));
    else if (word.ends_with(':') && line.front() != ' ' && line.front() != '\t')
      take_label(word.substr(0, word.size() - 1));
    else if (word.starts_with(".section") || word.starts_with(".rodata"))
      current_ = nullptr;
    else if (word.front() != '.' && current_ != nullptr)
      take_instructions(line, word);
  }

  void take_metadata(std::string_view line, std::string_view word) {
    if (word == ".end_amdgpu_metadata") first_of_metadata_ = 0;
    if (metadata_.empty())
      metadata_.assign(lines_.number(), '\n');
    else if (first_of_metadata_ != 0)
      metadata_ += std::string(line) + "\n";
  }

  void take_directive(std::string_view text) {
    const std::size_t blank = text.find_first_of(" \t");
    if (blank == std::string_view::npos) return;
    if (const auto value = gcn_number(unpadded(text.substr(blank))); value && *value >= 0)
      directives_[described_].emplace(text.substr(0, blank), static_cast<std::uint64_t>(*value));
  }

  void take_label(std::string_view name) {
    if (!name.starts_with('.')) {
      current_ = &code_[std::string(name)];
      current_->line = lines_.number();
    } else if (current_ != nullptr) {
      current_->labels.emplace(name, static_cast<std::uint32_t>(current_->instructions.size()));
    }
  }

  void take_instructions(std::string_view line, std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find("::"), text.size());
      const std::string_view one = unpadded(text.substr(0, end));
      const std::size_t blank = std::min(one.find_first_of(" \t"), one.size());
      GcnInstruction instruction;
      instruction.line = lines_.number();
      instruction.column = static_cast<std::uint32_t>(one.data() - line.data()) + 1;
      set_opcode(one.substr(0, blank), instruction);
      take_operands(unpadded(one.substr(blank)), instruction);
      if (++count_ > kMaxGcnInstructions) lines_.fail("more than 1000000 instructions cannot be followed");
      current_->instructions.push_back(std::move(instruction));
      text = end == text.size() ? std::string_view() : unpadded(text.substr(end + 2));
    }
  }

  void add_metadata() {
    const SourceText metadata(source_.name(), metadata_);
    Diagnostics problems;
    const auto root = read_yaml(metadata, problems);
    problems.throw_if_any();
    const YamlNode* kernels = root ? root->find("amdhsa.kernels") : nullptr;
    if (kernels == nullptr)
      lines_.fail("has no .amdgpu_metadata with amdhsa.kernels, which say what arguments a kernel has");
    std::string target = text_in(*root, "amdhsa.target");
    target = target.substr(std::min(target.rfind("gfx"), target.size()));
    for (const YamlNode& node : kernels->items) add_kernel(node, target.substr(0, target.find(':')));
  }

  static std::string text_in(const YamlNode& node, std::string_view key) {
    const YamlNode* value = node.find(key);
    return value == nullptr ? std::string() : value->text;
  }
  static std::uint64_t number_in(const YamlNode& node, std::string_view key, std::uint64_t otherwise = 0) {
    const auto number = gcn_number(text_in(node, key));
    return number && *number >= 0 ? static_cast<std::uint64_t>(*number) : otherwise;
  }

  void add_kernel(const YamlNode& node, const std::string& target) {
    GcnKernel kernel;
    kernel.symbol = text_in(node, ".name");
    kernel.target = target;
    kernel.lanes = number_in(node, ".wavefront_size", 64) == 32 ? 32 : 64;
    kernel.static_lds = number_in(node, ".group_segment_fixed_size");
    if (const YamlNode* arguments = node.find(".args"))
      for (const YamlNode& one : arguments->items)
        kernel.arguments.push_back({number_in(one, ".offset"), number_in(one, ".size"), text_in(one, ".value_kind")});
    const auto code = code_.find(kernel.symbol);
    if (code == code_.end() || code->second.instructions.empty())
      throw InputError({Diagnostic{{},
                                   "has metadata of " + in_quotes(kernel.symbol) + ", and not its code",
                                   source_.name(),
                                   node.mark.line,
                                   node.mark.column,
                                   {}}});
    kernel.line = code->second.line;
    kernel.instructions = code->second.instructions;
    kernel.labels = code->second.labels;
    kernel.directives = directives_[kernel.symbol];
    module_.kernels.push_back(std::move(kernel));
  }

  const SourceText& source_;
  TextLines lines_;
  GcnModule module_;
  std::map<std::string, Code, std::less<>> code_;
  std::map<std::string, std::map<std::string, std::uint64_t, std::less<>>, std::less<>> directives_;
  std::string described_;    ///< the kernel whose directives are being read
  Code* current_ = nullptr;  ///< the function whose code is being read
  std::uint32_t first_of_metadata_ = 0;
  std::string metadata_;  ///< with an empty line for each line before it
  std::size_t count_ = 0;
};

}  // namespace

GcnModule read_gcn(const SourceText& source) { return GcnReader(source).read(); }

}  // namespace gdsim
