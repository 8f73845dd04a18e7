#include <gdsim/import/amd/gcn/import_gcn.hpp>

#include <gdsim/base/arithmetic.hpp>
#include <gdsim/base/text.hpp>
#include <gdsim/import/amd/gcn/gcn_kernel.hpp>
#include <gdsim/import/text_lines.hpp>
#include <gdsim/yaml/yaml_node.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <set>
#include <utility>

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

GcnOperand operand_without_sign(std::string_view text) {
  if (auto registers = numbered_gcn_registers(text)) return *registers;
  if (auto half = numbered_gcn_registers(gcn_register_of_half(text))) return *half;
  GcnOperand operand;
  for (const NamedGcnRegister& named : kNamedGcnRegisters)
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
    operand.value = bit_cast<std::uint32_t>(static_cast<float>(value));
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

bool is_counted(std::string_view modifier) {
  constexpr std::array<std::string_view, 6> names{"offset", "offset0", "offset1", "vmcnt", "lgkmcnt", "expcnt"};
  return std::find(names.begin(), names.end(), modifier) != names.end();
}

/// Returns a bit for each item of `[0,1]`.
std::int64_t bits_of(std::string_view list) {
  std::int64_t bits = 0;
  unsigned item = 0;
  constexpr unsigned most = 8;
  for (const char c : list) {
    if (c == '1' && item < most) bits |= std::int64_t{1} << item;
    if (c == ',') ++item;
  }
  return bits;
}

/// Takes `offset:16`, `vmcnt(0)` and `glc`, each a modifier. Returns false if its number cannot be read.
bool take_modifier(std::string_view word, GcnInstruction& instruction) {
  const std::size_t at = word.find_first_of(":(");
  constexpr std::int64_t most = std::int64_t{1} << 24;
  std::optional<std::int64_t> value = 1;
  if (at != std::string_view::npos) {
    std::string_view number = word.substr(at + 1);
    if (number.ends_with(')')) number.remove_suffix(1);
    value = number.starts_with('[') ? bits_of(number) : gcn_number(number);
  }
  const std::string_view name = word.substr(0, at);
  if (is_counted(name) && (!value || *value < -most || *value > most || (*value < 0 && name.ends_with("cnt"))))
    return false;
  if (!word.empty() && word != "&") instruction.modifiers.emplace(name, value.value_or(0));
  return true;
}

/// Takes a number of all counts, `0xf71`, or one of them, `vmcnt(0)`. Returns false for what is neither.
bool take_wait(std::string_view word, GcnInstruction& instruction) {
  if (const auto number = gcn_number(word); number && *number >= 0 && *number <= 0xFFFF)
    return instruction.modifiers.emplace(kGcnWaitNumber, *number).second;
  const std::string_view name = word.substr(0, word.find('('));
  return word == "&" || (is_counted(name) && name.size() < word.size() && take_modifier(word, instruction));
}

/// Takes operands; words behind one are modifiers. A wait has modifiers alone. Returns the word that cannot be read.
std::string_view take_operands(std::string_view text, GcnInstruction& instruction) {
  const bool is_wait = instruction.opcode == "s_waitcnt";
  const bool is_branch = instruction.opcode.starts_with("s_branch") || instruction.opcode.starts_with("s_cbranch");
  const bool has_only_modifiers = is_wait || instruction.opcode == "s_delay_alu";
  for (std::string_view part : operand_texts(text)) {
    bool is_first = !has_only_modifiers;
    while (!part.empty()) {
      const std::size_t end = std::min(part.find_first_of(" \t"), part.size());
      const std::string_view word = part.substr(0, end);
      if (is_first) {
        instruction.operands.push_back(operand_in(word));
        const bool is_text = instruction.operands.back().type == GcnOperand::Type::text;
        if (is_text && !is_branch && is_gcn_numbered(word.substr(word.starts_with('-') ? 1 : 0))) return word;
        if (!gcn_register_of_half(word).empty()) instruction.modifiers.emplace("op_sel", 1);
      } else if (is_wait ? !take_wait(word, instruction) : !take_modifier(word, instruction)) {
        return word;
      }
      is_first = false;
      part = unpadded(part.substr(end));
    }
  }
  return {};
}

bool is_written_by(const GcnInstruction& reader, const GcnInstruction& writer) {
  if (writer.operands.empty() || !writer.operands.front().is_register()) return false;
  const std::uint32_t to = writer.operands.front().first;
  return std::any_of(reader.operands.begin() + (reader.operands.empty() ? 0 : 1), reader.operands.end(),
                     [&](const GcnOperand& one) { return one.is_register() && one.first == to; });
}

/// Both halves of a dual instruction read before either writes: the first one must not write what the second one reads.
void put_in_order(GcnInstruction& first, GcnInstruction& second) {
  if (!is_written_by(second, first)) return;
  if (!is_written_by(first, second)) return std::swap(first, second);
  first.modifiers.emplace(kGcnUnordered, 1);
  second.modifiers.emplace(kGcnUnordered, 1);
}

constexpr std::string_view kDual = "dual";

/// Separates the suffix of an encoding from the name: `_e32`, `_e64`, `_sdwa`, `_dpp`, `_e64_dpp`, `_dpp8`.
void set_opcode(std::string_view word, GcnInstruction& instruction) {
  if (word.starts_with("v_dual_")) {
    instruction.opcode = "v_" + std::string(word.substr(std::string_view("v_dual_").size()));
    instruction.suffix = kDual;
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
    find_functions();
    read_metadata();
    while (const auto line = lines_.next()) take_line(*line);
    for (const YamlNode& node : kernels_->items) add_kernel(node);
    return std::move(module_);
  }

 private:
  struct Code {
    std::uint32_t line = 0;
    std::vector<GcnInstruction> instructions;
    std::map<std::string, std::uint32_t, std::less<>> labels;
  };

  /// Reads the names that `.type NAME,@function` declares, and the text of the metadata.
  void find_functions() {
    TextLines lines(source_);
    bool is_in_metadata = false;
    while (const auto line = lines.next()) {
      std::string_view word = unpadded(without_comment(*line));
      if (word == ".amdgpu_metadata") is_in_metadata = true;
      if (word == ".end_amdgpu_metadata") is_in_metadata = false;
      if (is_in_metadata && metadata_.empty())
        metadata_.assign(lines.number(), '\n');
      else if (is_in_metadata)
        metadata_ += std::string(*line) + "\n";
      const std::size_t comma = word.find(',');
      if (!word.starts_with(".type") || comma == std::string_view::npos || !word.ends_with("function")) continue;
      word = word.substr(0, comma);
      functions_.emplace(unpadded(word.substr(std::min(word.size(), std::string_view(".type").size()))));
    }
  }

  void take_line(std::string_view line) {
    std::string_view word = unpadded(without_comment(line));
    if (word == ".amdgpu_metadata") is_in_metadata_ = true;
    if (word == ".end_amdgpu_metadata") is_in_metadata_ = false;
    if (is_in_metadata_) return;
    for (std::size_t end = label_end(word); end != std::string_view::npos; end = label_end(word)) {
      take_label(word.substr(0, end));
      word = unpadded(word.substr(end + 1));
    }
    if (word.empty()) return;
    constexpr std::string_view kernel = ".amdhsa_kernel ";
    constexpr std::string_view directive = ".amdhsa_";
    if (word.starts_with(kernel))
      described_ = unpadded(word.substr(kernel.size()));
    else if (word.starts_with(directive))
      take_directive(word.substr(directive.size()));
    else if (word.starts_with(".section") || word.starts_with(".rodata"))
      current_ = nullptr;
    else if (word.front() != '.' && current_ != nullptr)
      take_instructions(line, word);
  }

  /// Returns where the label ends with which the line begins: `.L1:`, or `0000 <name>:`.
  static std::size_t label_end(std::string_view word) {
    if (word.ends_with(">:")) return word.size() - 1;
    const std::size_t end = word.find_first_of(" \t:\"");
    return end != std::string_view::npos && end > 0 && word[end] == ':' ? end : std::string_view::npos;
  }

  void take_directive(std::string_view text) {
    const std::size_t blank = text.find_first_of(" \t");
    if (blank == std::string_view::npos) return;
    if (const auto value = gcn_number(unpadded(text.substr(blank))); value && *value >= 0)
      directives_[described_].emplace(text.substr(0, blank), static_cast<std::uint64_t>(*value));
  }

  void take_label(std::string_view name) {
    const std::size_t header = name.find(" <");
    if (name.ends_with('>') && header != std::string_view::npos)
      functions_.emplace(name = name.substr(header + 2, name.size() - header - 3));
    if (functions_.contains(name)) {
      const auto [at, is_new] = code_.try_emplace(std::string(name));
      if (!is_new)
        lines_.fail(fmt::format("{} begins again; the first time in line {}", printable(name), at->second.line));
      current_ = &at->second;
      current_->line = lines_.number();
    } else if (current_ != nullptr) {
      const auto number = static_cast<std::uint32_t>(current_->instructions.size());
      if (!current_->labels.emplace(name, number).second && !is_digit(name.front()))
        lines_.fail(fmt::format("the label {} stands for the second time", in_quotes(name)));
    }
  }

  void take_instructions(std::string_view line, std::string_view text) {
    bool is_second = false;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find("::"), text.size());
      const std::string_view operand = unpadded(text.substr(0, end));
      const std::size_t blank = std::min(operand.find_first_of(" \t"), operand.size());
      GcnInstruction instruction;
      instruction.line = lines_.number();
      instruction.column = static_cast<std::uint32_t>(operand.data() - line.data()) + 1;
      set_opcode(operand.substr(0, blank), instruction);
      if (const auto word = take_operands(unpadded(operand.substr(blank)), instruction); !word.empty())
        lines_.fail(fmt::format("{} of {} is no register or number that an instruction can have", in_quotes(word),
                                printable(instruction.opcode)));
      if (instruction.suffix == kDual && instruction.opcode == "v_cndmask_b32" && instruction.operands.size() == 3)
        instruction.operands.push_back(operand_in("vcc"));
      if (++count_ > kMaxGcnInstructions) lines_.fail("more than 1000000 instructions cannot be followed");
      current_->instructions.push_back(std::move(instruction));
      if (is_second) put_in_order(*(current_->instructions.end() - 2), current_->instructions.back());
      is_second = true;
      text = end == text.size() ? std::string_view() : unpadded(text.substr(end + 2));
    }
  }

  void read_metadata() {
    const SourceText metadata(source_.name(), metadata_);
    Diagnostics problems;
    root_ = read_yaml(metadata, problems);
    problems.throw_if_any();
    kernels_ = root_ ? root_->find("amdhsa.kernels") : nullptr;
    if (kernels_ == nullptr)
      lines_.fail("has no .amdgpu_metadata with amdhsa.kernels, which say what arguments a kernel has");
    target_ = text_in(*root_, "amdhsa.target");
    target_ = target_.substr(std::min(target_.rfind("gfx"), target_.size()));
    target_ = target_.substr(0, target_.find(':'));
    for (const YamlNode& node : kernels_->items) functions_.insert(text_in(node, ".name"));
  }

  static std::string text_in(const YamlNode& node, std::string_view key) {
    const YamlNode* value = node.find(key);
    return value == nullptr ? std::string() : value->text;
  }
  static std::uint64_t number_in(const YamlNode& node, std::string_view key, std::uint64_t otherwise = 0) {
    const auto number = gcn_number(text_in(node, key));
    return number && *number >= 0 ? static_cast<std::uint64_t>(*number) : otherwise;
  }

  void add_kernel(const YamlNode& node) {
    GcnKernel kernel;
    kernel.symbol = text_in(node, ".name");
    kernel.target = target_;
    kernel.lanes = number_in(node, ".wavefront_size", 64) == 32 ? 32 : 64;
    kernel.static_lds = number_in(node, ".group_segment_fixed_size");
    if (const YamlNode* arguments = node.find(".args"))
      for (const YamlNode& item : arguments->items)
        kernel.arguments.push_back(
            {number_in(item, ".offset"), number_in(item, ".size"), text_in(item, ".value_kind")});
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
  std::set<std::string, std::less<>> functions_;
  bool is_in_metadata_ = false;
  std::string metadata_;  ///< with an empty line for each line before it
  std::optional<YamlNode> root_;
  const YamlNode* kernels_ = nullptr;  ///< of root_
  std::string target_;
  std::size_t count_ = 0;
};

}  // namespace

GcnModule read_gcn(const SourceText& source) { return GcnReader(source).read(); }

}  // namespace gdsim
