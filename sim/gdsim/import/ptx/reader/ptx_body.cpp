#include <gdsim/import/ptx/reader/read_ptx.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/ptx/ptx_launch.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

namespace gdsim {
namespace {

constexpr std::size_t kMaxBodyInstructions = 1'000'000;
constexpr std::size_t kMaxBodyRegisters = 1'000'000;
constexpr unsigned kMaxBraces = 64;

bool is_floating(std::string_view text) {
  return text.starts_with("0f") || text.starts_with("0F") || text.starts_with("0d") || text.starts_with("0D") ||
         text.find('.') != std::string_view::npos ||
         (!text.starts_with("0x") && !text.starts_with("0X") && text.find_first_of("eE") != std::string_view::npos);
}

/// Reads the statements between `{` and `}`.
class BodyReader {
 public:
  BodyReader(PtxTokens& tokens, PtxKernel& kernel) : tokens_(tokens), kernel_(kernel) {}

  PtxBody read() {
    for (const PtxParameter& parameter : kernel_.parameters) declared_.insert(parameter.name);
    unsigned depth = 1;
    while (depth > 0) {
      const PtxToken token = tokens_.take();
      if (token.kind == PtxToken::Form::end) tokens_.fail(token, "the file ends within a function: '}' is missing");
      if (token.is("{")) {
        if (++depth > kMaxBraces) tokens_.fail(token, fmt::format("braces are nested more than {} deep", kMaxBraces));
      } else if (token.is("}")) {
        --depth;
      } else if (token.is(";")) {
        continue;
      } else {
        read_statement(token);
      }
    }
    check_labels();
    for (auto& [name, use] : symbol_uses_)
      if (!declared_.contains(name) && !kernel_.by_label.contains(name)) body_.open.push_back(std::move(use));
    return std::move(body_);
  }

 private:
  void read_statement(const PtxToken& token) {
    if (token.is("@")) return read_predicated();
    if (token.kind != PtxToken::Form::word)
      tokens_.fail(token, fmt::format("{} stands where an instruction is needed", in_quotes(token.text)));
    if (token.text.front() == '.') return read_directive(token);
    if (tokens_.take_if(":")) return add_label(token);
    read_instruction(token, PtxInstruction{});
  }

  void read_predicated() {
    PtxInstruction instruction;
    instruction.is_predicate_negated = tokens_.take_if("!");
    const PtxToken name = tokens_.take();
    if (name.kind != PtxToken::Form::word) tokens_.fail(name, "a predicate such as `%p1` is needed behind '@'");
    instruction.predicate = register_of(name);
    const PtxToken opcode = tokens_.take();
    if (opcode.kind != PtxToken::Form::word || opcode.text.front() == '.')
      tokens_.fail(opcode, "an instruction is needed behind its predicate");
    read_instruction(opcode, std::move(instruction));
  }

  void add_label(const PtxToken& name) {
    if (!kernel_.by_label.emplace(std::string(name.text), static_cast<std::uint32_t>(kernel_.instructions.size()))
             .second)
      tokens_.fail(name, fmt::format("the label {} stands here a second time", in_quotes(name.text)));
    kernel_.labels.emplace_back(std::string(name.text), static_cast<std::uint32_t>(kernel_.instructions.size()));
  }

  void read_directive(const PtxToken& token) {
    if (token.is(".shared")) {
      body_.shared.push_back(read_variable(tokens_));
      declared_.insert(body_.shared.back().name);
    } else if (token.is(".local")) {
      const std::string name = read_variable(tokens_).name;
      kernel_.local_names.insert(name);
      declared_.insert(name);
    } else if (token.is(".reg")) {
      read_registers();
    } else if (token.is(".loc")) {
      while (tokens_.peek().kind != PtxToken::Form::end && tokens_.peek().line == token.line) tokens_.take();
    } else {
      while (tokens_.peek().kind != PtxToken::Form::end && !tokens_.peek().is("}") && !tokens_.take_if(";"))
        if (const PtxToken word = tokens_.take(); word.kind == PtxToken::Form::word && word.text.front() != '.')
          declared_.emplace(word.text);
        else if (word.kind == PtxToken::Form::text && word.text == "nounroll")
          kernel_.not_unrolled.insert(static_cast<std::uint32_t>(kernel_.instructions.size()));
    }
  }

  /// Registers that inline assembly declares need no `%`; `t<4>` declares t0 to t3.
  void read_registers() {
    while (tokens_.peek().kind != PtxToken::Form::end && !tokens_.peek().is("}") && !tokens_.take_if(";")) {
      const PtxToken token = tokens_.take();
      if (token.kind != PtxToken::Form::word || token.text.front() == '.' || token.text.front() == '%') continue;
      if (!tokens_.take_if("<")) {
        unsigned_registers_.emplace(token.text);
        continue;
      }
      const std::uint64_t count = read_count(tokens_);
      if (count > kMaxBodyRegisters - std::min(kMaxBodyRegisters, unsigned_registers_.size()))
        tokens_.fail(token, fmt::format("a function has more than {} registers", kMaxBodyRegisters));
      for (std::uint64_t i = 0; i < count; ++i) unsigned_registers_.insert(fmt::format("{}{}", token.text, i));
    }
  }

  void read_instruction(const PtxToken& opcode, PtxInstruction instruction) {
    if (kernel_.instructions.size() >= kMaxBodyInstructions)
      tokens_.fail(opcode, fmt::format("a function has more than {} instructions", kMaxBodyInstructions));
    instruction.opcode = std::string(opcode.text);
    instruction.line = opcode.line;
    instruction.column = opcode.column;
    while (!tokens_.take_if(";")) {
      if (tokens_.peek().kind == PtxToken::Form::end || tokens_.peek().is("}"))
        tokens_.fail(tokens_.peek(),
                     fmt::format("the instruction {} has no end: ';' is missing", in_quotes(instruction.opcode)));
      if (!instruction.operands.empty() && tokens_.take_if("|")) {
        instruction.operands.back().items.push_back(read_operand(0));
        continue;
      }
      if (!instruction.operands.empty()) tokens_.expect(",", "it stands between operands");
      instruction.operands.push_back(read_operand(0));
    }
    check_address(opcode, instruction);
    kernel_.instructions.push_back(std::move(instruction));
  }

  void check_address(const PtxToken& opcode, const PtxInstruction& instruction) const {
    const std::string_view name = instruction.name();
    if (name != "ld" && name != "ldu" && name != "st" && name != "atom" && name != "red") return;
    for (const PtxOperand& operand : instruction.operands)
      if (operand.kind == PtxOperand::Form::address) return;
    tokens_.fail(opcode, fmt::format("{} has no address in brackets, as in [%rd1]", in_quotes(opcode.text)));
  }

  PtxOperand read_operand(unsigned depth) {
    const PtxToken token = tokens_.take();
    if (depth > 4) tokens_.fail(token, "operands are nested too deep");
    if (token.is("!")) {
      PtxOperand operand = read_operand(depth + 1);
      operand.is_negated = true;
      return operand;
    }
    if (token.is("[")) return read_address(depth);
    if (token.is("{") || token.is("(")) return read_list(token.is("{") ? "}" : ")", depth);
    if (token.is("-") || token.is("+")) return read_number(tokens_.take(), token.is("-"));
    if (token.kind == PtxToken::Form::number) return read_number(token, false);
    if (token.kind != PtxToken::Form::word)
      tokens_.fail(token, fmt::format("{} stands where an operand is needed",
                                      token.kind == PtxToken::Form::end ? "the end" : in_quotes(token.text)));
    PtxOperand operand = named(token);
    if (tokens_.take_if("+")) operand.value = read_offset(false);
    return operand;
  }

  PtxOperand named(const PtxToken& token) {
    PtxOperand operand;
    operand.text = std::string(token.text);
    if (token.is("_")) {
      operand.kind = PtxOperand::Form::ignored;
    } else if (token.is("WARP_SZ")) {
      operand.kind = PtxOperand::Form::constant;
      operand.value = kLanes;
    } else if (token.text.front() != '%' && !unsigned_registers_.contains(token.text.substr(0, token.text.find('.')))) {
      operand.kind = PtxOperand::Form::symbol;
      symbol_uses_.emplace(operand.text, SymbolUse{operand.text, token.line, token.column});
    } else if (is_special(token.text)) {
      operand.kind = PtxOperand::Form::special;
    } else {
      operand.kind = PtxOperand::Form::reg;
      operand.index = register_of(token);
    }
    return operand;
  }

  static bool is_special(std::string_view name) {
    for (const std::string_view known : {"%tid",
                                         "%ntid",
                                         "%ctaid",
                                         "%nctaid",
                                         "%laneid",
                                         "%warpid",
                                         "%nwarpid",
                                         "%smid",
                                         "%nsmid",
                                         "%gridid",
                                         "%clock",
                                         "%clock64",
                                         "%globaltimer",
                                         "%lanemask_eq",
                                         "%lanemask_le",
                                         "%lanemask_lt",
                                         "%lanemask_ge",
                                         "%lanemask_gt",
                                         "%dynamic_smem_size",
                                         "%total_smem_size",
                                         "%clusterid",
                                         "%nclusterid",
                                         "%cluster_ctaid",
                                         "%cluster_nctaid",
                                         "%cluster_ctarank",
                                         "%cluster_nctarank",
                                         "%is_explicit_cluster",
                                         "%envreg0"})
      if (name.substr(0, name.find('.')) == known) return true;
    return false;
  }

  PtxOperand read_number(const PtxToken& token, bool is_negative) {
    PtxOperand operand;
    if (token.kind == PtxToken::Form::number && is_floating(token.text)) {
      operand.kind = PtxOperand::Form::floating;
      const bool has_exponent = token.text.front() != '0' || token.text.find('.') != std::string_view::npos;
      if (has_exponent && (token.text.ends_with('e') || token.text.ends_with('E'))) {
        if (!tokens_.take_if("-")) tokens_.take_if("+");
        read_count(tokens_);
      }
      return operand;
    }
    const auto value = token.kind == PtxToken::Form::number ? integer_of(token.text) : std::nullopt;
    if (!value) tokens_.fail(token, fmt::format("{} is no number", in_quotes(token.text)));
    operand.kind = PtxOperand::Form::constant;
    operand.value = static_cast<std::int64_t>(is_negative ? std::uint64_t{0} - *value : *value);
    return operand;
  }

  std::int64_t read_offset(bool is_negative) {
    if (tokens_.take_if("-")) is_negative = !is_negative;
    const PtxToken token = tokens_.take();
    const PtxOperand operand = read_number(token, is_negative);
    if (operand.kind == PtxOperand::Form::floating)
      tokens_.fail(token, fmt::format("{} is no whole number, which an offset is", in_quotes(token.text)));
    return operand.value;
  }

  PtxOperand read_address(unsigned depth) {
    PtxOperand operand;
    operand.kind = PtxOperand::Form::address;
    PtxOperand base = read_operand(depth + 1);
    operand.value = std::exchange(base.value, base.kind == PtxOperand::Form::constant ? base.value : 0);
    if (base.kind == PtxOperand::Form::constant) operand.value = 0;
    if (tokens_.take_if("-")) operand.value = read_offset(true);
    operand.items.push_back(std::move(base));
    while (tokens_.take_if(",")) operand.items.push_back(read_operand(depth + 1));
    tokens_.expect("]", "it ends an address");
    return operand;
  }

  PtxOperand read_list(std::string_view end, unsigned depth) {
    PtxOperand operand;
    operand.kind = PtxOperand::Form::list;
    while (!tokens_.take_if(end)) {
      if (!operand.items.empty()) tokens_.expect(",", "it stands between items of a list");
      operand.items.push_back(read_operand(depth + 1));
      constexpr std::size_t max_items = 512;
      if (operand.items.size() > max_items) tokens_.fail(tokens_.peek(), "a list has too many items");
    }
    return operand;
  }

  std::uint32_t register_of(const PtxToken& name) {
    const auto [found, is_new] =
        known_registers_.emplace(std::string(name.text), static_cast<std::uint32_t>(kernel_.registers.size()));
    if (!is_new) return found->second;
    if (kernel_.registers.size() >= kMaxBodyRegisters)
      tokens_.fail(name, fmt::format("a function has more than {} registers", kMaxBodyRegisters));
    kernel_.registers.emplace_back(name.text);
    return found->second;
  }

  void check_labels() const {
    for (const PtxInstruction& instruction : kernel_.instructions) {
      if (instruction.name() != "bra") continue;
      const bool is_known = instruction.operands.size() == 1 &&
                            instruction.operands.front().kind == PtxOperand::Form::symbol &&
                            kernel_.by_label.contains(instruction.operands.front().text);
      if (!is_known)
        tokens_.fail({PtxToken::Form::word, {}, instruction.line, instruction.column},
                     "this branch goes to no label of its function");
    }
  }

  PtxTokens& tokens_;
  PtxKernel& kernel_;
  std::unordered_map<std::string, std::uint32_t> known_registers_;
  std::set<std::string, std::less<>> unsigned_registers_;
  std::set<std::string, std::less<>> declared_;
  std::map<std::string, SymbolUse> symbol_uses_;  ///< by name
  PtxBody body_;
};

}  // namespace

PtxBody read_body(PtxTokens& tokens, PtxKernel& kernel) { return BodyReader(tokens, kernel).read(); }

}  // namespace gdsim
