#include <gdsim/import/ptx/static_analysis/instruction_class.hpp>

#include <gdsim/import/ptx/reader/ptx_body.hpp>

#include <algorithm>
#include <array>

namespace gdsim {
namespace {

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 15> kFree{
    "mov",      "cvta",      "membar",         "fence",      "pragma",  "isspacep",      "nop",       "loc",
    "prefetch", "prefetchu", "griddepcontrol", "setmaxnreg", "discard", "applypriority", "getctarank"};
constexpr std::array<std::string_view, 8> kSpecialFunctions{"sqrt", "rsqrt", "sin", "cos", "ex2", "lg2", "rcp", "tanh"};
constexpr std::array<std::string_view, 44> kIntegerNames{
    "add",   "sub",   "mul",  "mad",   "shl",      "shr",  "and",  "or",    "xor",        "not",   "neg",
    "abs",   "min",   "max",  "div",   "rem",      "selp", "setp", "set",   "bfe",        "bfi",   "lop3",
    "prmt",  "shf",   "popc", "clz",   "brev",     "cvt",  "slct", "fma",   "addc",       "subc",  "madc",
    "mul24", "mad24", "sad",  "testp", "copysign", "shfl", "vote", "match", "activemask", "bfind", "fns"};

PtxSpace space_of(const PtxInstruction& instruction) {
  if (instruction.has_part("global")) return PtxSpace::global;
  if (instruction.has_part("shared") || instruction.has_part("shared::cta")) return PtxSpace::shared;
  if (instruction.has_part("local")) return PtxSpace::local;
  if (instruction.has_part("param") || instruction.has_part("const") || instruction.has_part("param::entry"))
    return PtxSpace::none;
  return PtxSpace::generic;
}

std::uint32_t elements_of(const PtxInstruction& instruction) {
  if (instruction.has_part("v8")) return 8;
  if (instruction.has_part("v4")) return 4;
  return instruction.has_part("v2") ? 2 : 1;
}

PtxClass access(const PtxInstruction& instruction, PtxRole role) {
  PtxClass result;
  result.role = role;
  result.space = space_of(instruction);
  result.bytes = static_cast<std::uint32_t>(bytes_of_type(instruction.last_part())) * elements_of(instruction);
  result.skips_l1 = instruction.has_part("cg") || instruction.has_part("cs") || instruction.has_part("cv") ||
                    instruction.has_part("volatile") || instruction.has_part("relaxed") ||
                    instruction.has_part("acquire");
  if (result.space == PtxSpace::none) return {PtxRole::free};
  if (result.space == PtxSpace::local || result.bytes == 0) result.role = PtxRole::unsupported;
  return result;
}

PtxClass arithmetic(std::string_view kind, std::uint32_t copies = 1) {
  PtxClass result;
  result.role = PtxRole::arithmetic;
  result.kind = kind;
  result.copies = copies;
  return result;
}

/// Conversions between integers, also extensions of 32 to 64 bits, are mostly folded into their users.
PtxClass conversion(const PtxInstruction& instruction) {
  const std::string_view to_and_from = std::string_view(instruction.opcode);
  const std::string_view from = instruction.last_part();
  const std::string_view rest = to_and_from.substr(0, to_and_from.size() - from.size() - 1);
  const std::string_view to = rest.substr(rest.rfind('.') + 1);
  const auto is_integer = [](std::string_view type) { return type.starts_with('u') || type.starts_with('s'); };
  if (is_integer(from) && is_integer(to)) return {PtxRole::free};
  return arithmetic(from == "f64" || to == "f64" ? "fp64" : "sfu");
}

/// Returns true if machine code has many instructions for it, the number of which is undocumented: divisions, and
/// roots and reciprocals that are no approximations. The PTX of nvcc has no division by a constant.
bool is_sequence(const PtxInstruction& instruction) {
  const std::string_view name = instruction.name();
  return name == "div" || name == "rem" || ((name == "sqrt" || name == "rcp") && !instruction.has_part("approx"));
}

PtxClass calculation(const PtxInstruction& instruction) {
  const std::string_view name = instruction.name();
  const std::string_view type = instruction.last_part();
  if (is_sequence(instruction)) return {PtxRole::unsupported};
  if (is_one_of(name, kSpecialFunctions)) return arithmetic(type == "f64" ? "fp64" : "sfu");
  if (name == "cvt") return conversion(instruction);
  if (name == "setp" || name == "selp" || name == "set") return arithmetic(type == "f64" ? "fp64" : "int32");
  if (type == "f64") return arithmetic("fp64");
  if (type == "f32") return arithmetic("fp32");
  if (type == "f16" || type == "f16x2" || type == "bf16" || type == "bf16x2") return arithmetic("fp16");
  if (type == "pred") return {PtxRole::free};
  const bool is_wide =
      (type == "s64" || type == "u64" || type == "b64") && name != "setp" && !instruction.has_part("wide");
  return arithmetic("int32", is_wide && (name == "mul" || name == "mad") ? 4 : 1);
}

}  // namespace

PtxClass class_of(const PtxInstruction& instruction) {
  const std::string_view name = instruction.name();
  if (name == "ld" || name == "ldu") return access(instruction, PtxRole::load);
  if (name == "st") return access(instruction, PtxRole::store);
  if (name == "atom" || name == "red") return access(instruction, PtxRole::atomic);
  if ((name == "bar" || name == "barrier") && !instruction.has_part("warp"))
    return {instruction.has_part("sync") || instruction.has_part("red") ? PtxRole::barrier : PtxRole::unsupported};
  if (name == "bar" || is_one_of(name, kFree)) return {PtxRole::free};
  if (name == "bra") return {PtxRole::branch};
  if (name == "ret" || name == "exit") return {PtxRole::end};
  if (is_one_of(name, kSpecialFunctions) || is_one_of(name, kIntegerNames)) return calculation(instruction);
  return {PtxRole::unsupported};
}

}  // namespace gdsim
