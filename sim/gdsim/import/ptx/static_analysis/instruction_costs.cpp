#include <gdsim/import/ptx/static_analysis/instruction_class.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>

namespace gdsim {
namespace {

constexpr std::array<std::string_view, 63> kArithmeticNames{
    "add",   "sub",   "mul",      "mad",       "mul24", "mad24", "sad",   "div",  "rem",
    "abs",   "neg",   "min",      "max",       "popc",  "clz",   "bfind", "fns",  "brev",
    "bfe",   "bfi",   "bmsk",     "szext",     "dp4a",  "dp2a",  "addc",  "subc", "madc",
    "testp", "fma",   "copysign", "rcp",       "sqrt",  "rsqrt", "sin",   "cos",  "lg2",
    "ex2",   "tanh",  "set",      "setp",      "selp",  "slct",  "and",   "or",   "xor",
    "not",   "cnot",  "lop3",     "shf",       "shl",   "shr",   "shfl",  "prmt", "cvt",
    "vote",  "match", "redux",    "movmatrix", "vadd",  "vsub",  "vset",  "vmad", "clusterlaunchcontrol"};

bool is_video(std::string_view name) {
  constexpr std::array<std::string_view, 9> stems{"vadd", "vsub", "vabsdiff", "vmin", "vmax",
                                                  "vshl", "vshr", "vavrg",    "vset"};
  if (name.ends_with('2') || name.ends_with('4')) name.remove_suffix(1);
  return std::find(stems.begin(), stems.end(), name) != stems.end();
}

/// Modifiers that are left out of an opcode that is not listed with them. Comparisons cost the same.
bool is_dropped(std::string_view part) {
  constexpr std::array<std::string_view, 41> parts{
      "rn",    "rz",      "rm",        "rp",       "rni", "rzi", "rmi", "rpi", "ftz", "sat", "relu",
      "NaN",   "xorsign", "satfinite", "eq",       "ne",  "lt",  "le",  "gt",  "ge",  "lo",  "ls",
      "hi",    "hs",      "equ",       "neu",      "ltu", "leu", "gtu", "geu", "num", "nan", "sync",
      "clamp", "wrap",    "finite",    "infinite", "and", "or",  "xor", "rna"};
  return std::find(parts.begin(), parts.end(), part) != parts.end();
}

/// `lo` and `hi` say which half of a product is meant.
bool is_dropped_of(std::string_view name, std::string_view part) {
  const bool is_comparison = name == "setp" || name == "set" || name.starts_with("vset");
  if (part == "lo" || part == "hi" || part == "and" || part == "or" || part == "xor") return is_comparison;
  if (part.size() == 3 && part[0] == 'r' && part[2] == 'i' && name != "cvt") return false;
  return is_dropped(part);
}

template <class Keep>
std::string kept_parts(std::string_view opcode, Keep keep) {
  const std::string_view name = opcode.substr(0, opcode.find('.'));
  std::string kept(name);
  for (std::size_t at = name.size(); at < opcode.size();) {
    const std::size_t next = std::min(opcode.find('.', at + 1), opcode.size());
    const std::string_view part = opcode.substr(at + 1, next - at - 1);
    if (keep(name, part)) kept.append(".").append(part);
    at = next;
  }
  return kept;
}

std::string without_modifiers(std::string_view opcode) {
  return kept_parts(opcode, [](std::string_view name, std::string_view part) { return !is_dropped_of(name, part); });
}

std::string without_ftz(std::string_view opcode) {
  return kept_parts(opcode, [](std::string_view, std::string_view part) { return part != "ftz"; });
}

/// The rows by opcode.
std::map<std::string_view, const CostRow*> rows_by_opcode() {
  std::map<std::string_view, const CostRow*> rows;
  for (const CostRow& row : kCostRows)
    for (std::string_view left = row.opcodes; !left.empty();) {
      const std::size_t end = std::min(left.find(' '), left.size());
      rows.emplace(left.substr(0, end), &row);
      left.remove_prefix(std::min(end + 1, left.size()));
    }
  return rows;
}

std::optional<KindCounts> listed(std::string_view opcode, unsigned capability) {
  static const std::map<std::string_view, const CostRow*> rows = rows_by_opcode();
  const auto row = rows.find(opcode);
  if (row == rows.end()) return std::nullopt;
  KindCounts counts = row->second->from.front().counts;
  for (const CostsFrom& from : row->second->from)
    if (from.is_set && from.capability <= capability) counts = from.counts;
  return counts;
}

/// Of a video instruction with types that are not listed: those of the first that is.
std::optional<KindCounts> of_video(std::string_view name, unsigned capability) {
  for (const std::string_view types : {".s32.s32.s32", ".s32.s32", ".s32.s32.u32"})
    if (auto counts = listed(std::string(name) + std::string(types), capability)) return counts;
  return std::nullopt;
}

enum CostKind : std::size_t { fp32, fp64, fp16, int32, sfu, load_store };

KindCounts one(CostKind kind) {
  KindCounts counts{};
  counts[kind] = 1;
  return counts;
}

bool is_conversion_of_integers(std::string_view opcode) {
  const auto is_integer = [](std::string_view type) { return type.starts_with('u') || type.starts_with('s'); };
  const std::size_t last = opcode.rfind('.');
  const std::size_t before = opcode.rfind('.', last - 1);
  return last != std::string_view::npos && before != std::string_view::npos && is_integer(opcode.substr(last + 1)) &&
         is_integer(opcode.substr(before + 1, last - before - 1));
}

/// Of an opcode that is in no row.
KindCounts plain(const PtxInstruction& instruction) {
  constexpr std::array<std::string_view, 8> special{"rcp", "sqrt", "rsqrt", "sin", "cos", "ex2", "lg2", "tanh"};
  const std::string_view name = instruction.name();
  const std::string_view type = instruction.last_part();
  if (name == "cvt") return is_conversion_of_integers(instruction.opcode) ? KindCounts{} : one(sfu);
  if (type == "pred" && name != "vote") return {};
  if (name == "shfl") return one(load_store);
  if (type == "f64") return one(fp64);
  if (name == "setp" || name == "selp" || name == "set") return one(int32);
  if (std::find(special.begin(), special.end(), name) != special.end()) return one(sfu);
  if (type == "f32") return one(fp32);
  return type.find("f16") != std::string_view::npos ? one(fp16) : one(int32);
}

}  // namespace

bool is_arithmetic_name(std::string_view name) {
  return is_video(name) || std::find(kArithmeticNames.begin(), kArithmeticNames.end(), name) != kArithmeticNames.end();
}

KindCounts costs_of(const PtxInstruction& instruction, unsigned capability) {
  const std::string& opcode = instruction.opcode;
  if (const auto counts = listed(opcode, capability)) return *counts;
  if (const auto counts = listed(without_ftz(opcode), capability)) return *counts;
  if (const auto counts = listed(without_modifiers(opcode), capability)) return *counts;
  if (is_video(instruction.name()))
    if (const auto counts = of_video(instruction.name(), capability)) return *counts;
  return plain(instruction);
}

}  // namespace gdsim
