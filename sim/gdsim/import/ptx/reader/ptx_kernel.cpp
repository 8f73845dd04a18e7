#include <gdsim/import/ptx/reader/ptx_kernel.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/ptx/reader/read_ptx.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

namespace gdsim {

bool PtxInstruction::has_part(std::string_view part) const {
  std::string_view remaining = opcode;
  while (true) {
    const std::size_t dot = remaining.find('.');
    if (dot == std::string_view::npos) return false;
    remaining.remove_prefix(dot + 1);
    if (remaining.substr(0, remaining.find('.')) == part) return true;
  }
}

std::optional<std::uint32_t> PtxKernel::find_label(std::string_view name) const {
  const auto found = by_label.find(name);
  return found == by_label.end() ? std::nullopt : std::optional(found->second);
}

const PtxSharedVariable* PtxKernel::find_shared(std::string_view name) const {
  for (const PtxSharedVariable& variable : shared)
    if (variable.name == name) return &variable;
  return nullptr;
}

std::optional<std::uint64_t> integer_of(std::string_view text) {
  if (text.ends_with('U')) text.remove_suffix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.starts_with("0b") || text.starts_with("0B")) {
    base = 2;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text.front() == '0') {
    base = 8;
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::uint64_t bytes_of_type(std::string_view type) {
  if (type == "pred") return 1;
  if (type == "f16x2" || type == "bf16x2") return 4;
  if (type == "bf16") return 2;
  if (type.size() < 2 || std::string_view("usbf").find(type.front()) == std::string_view::npos) return 0;
  const std::string_view bits = type.substr(1);
  if (bits == "8") return 1;
  if (bits == "16") return 2;
  if (bits == "32") return 4;
  if (bits == "64") return 8;
  if (bits == "128") return 16;
  return 0;
}

std::uint64_t read_count(PtxTokens& tokens) {
  const PtxToken token = tokens.take();
  const auto value = token.kind == PtxToken::Form::number ? integer_of(token.text) : std::nullopt;
  constexpr std::uint64_t max_value = std::uint64_t{1} << 48;
  if (!value || *value > max_value)
    tokens.fail(token, fmt::format("{} stands where a whole number is needed",
                                   token.kind == PtxToken::Form::end ? "the end" : in_quotes(token.text)));
  return *value;
}

std::uint64_t checked_bytes(const PtxTokens& tokens, std::uint64_t count, std::uint64_t bytes) {
  constexpr std::uint64_t max_bytes = std::uint64_t{1} << 40;
  if (bytes > 0 && count > max_bytes / bytes) tokens.fail(tokens.peek(), "a variable is larger than 1 TiB");
  return count * bytes;
}

SharedDeclaration read_variable(PtxTokens& tokens) {
  SharedDeclaration variable;
  std::uint64_t bytes = 0;
  while (tokens.peek().kind == PtxToken::Form::word && tokens.peek().text.front() == '.') {
    const PtxToken word = tokens.take();
    if (word.is(".align")) {
      const PtxToken at = tokens.peek();
      variable.alignment = read_count(tokens);
      constexpr std::uint64_t max_alignment = 65'536;
      if (variable.alignment == 0 || variable.alignment > max_alignment)
        tokens.fail(at, "an alignment of 1 to 65536 is needed");
    }
    if (const std::uint64_t size = bytes_of_type(word.text.substr(1)); size > 0) bytes = size;
  }
  const PtxToken name = tokens.take();
  if (name.kind != PtxToken::Form::word) tokens.fail(name, "the name of a variable is needed here");
  variable.name = std::string(name.text);
  variable.bytes = bytes;
  while (tokens.take_if("[")) {
    if (tokens.take_if("]")) {
      variable.bytes = 0;
      continue;
    }
    variable.bytes = checked_bytes(tokens, read_count(tokens), variable.bytes);
    tokens.expect("]", "it ends the size of a variable");
  }
  while (tokens.peek().kind != PtxToken::Form::end && !tokens.peek().is("}") && !tokens.take_if(";")) tokens.take();
  return variable;
}

void place_shared(PtxKernel& kernel, const std::vector<SharedDeclaration>& own,
                  const std::vector<SharedDeclaration>& of_module) {
  std::vector<SharedDeclaration> all;
  std::set<std::string> used;
  for (const PtxInstruction& instruction : kernel.instructions)
    for (const PtxOperand& operand : instruction.operands) {
      used.insert(operand.text);
      for (const PtxOperand& item : operand.items) used.insert(item.text);
    }
  for (const SharedDeclaration& variable : of_module)
    if (used.contains(variable.name)) all.push_back(variable);
  all.insert(all.end(), own.begin(), own.end());
  std::stable_partition(all.begin(), all.end(), [](const SharedDeclaration& variable) { return variable.bytes > 0; });
  std::uint64_t end = 0;
  for (const SharedDeclaration& variable : all) {
    const std::uint64_t begin = (end + variable.alignment - 1) / variable.alignment * variable.alignment;
    kernel.shared.push_back({variable.name, begin, variable.bytes});
    end = begin + variable.bytes;
    if (variable.bytes > 0) kernel.static_shared = end;
  }
}

}  // namespace gdsim
