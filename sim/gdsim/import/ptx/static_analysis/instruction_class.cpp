#include <gdsim/import/ptx/static_analysis/instruction_class.hpp>

#include <gdsim/import/ptx/reader/read_ptx.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

template <std::size_t N>
bool is_one_of(std::string_view name, const std::array<std::string_view, N>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 24> kFree{
    "mov",       "cvta",           "membar",        "fence",      "pragma",     "isspacep",   "nop",       "loc",
    "prefetch",  "prefetchu",      "applypriority", "setmaxnreg", "discard",    "getctarank", "mapa",      "brkpt",
    "nanosleep", "griddepcontrol", "createpolicy",  "elect",      "activemask", "tensormap",  "stacksave", "pmevent"};
constexpr std::array<std::string_view, 10> kWithoutSteps{"call", "tex",   "tld4", "txq", "suld",
                                                         "sust", "sured", "suq",  "brx", "multimem"};

PtxSpace space_of(const PtxInstruction& instruction) {
  if (instruction.has_part("global")) return PtxSpace::global;
  if (instruction.has_part("shared") || instruction.has_part("shared::cta") || instruction.has_part("shared::cluster"))
    return PtxSpace::shared;
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
  if (result.bytes == 0) result.role = PtxRole::unsupported;
  return result;
}

/// `ldmatrix`, `stmatrix`: `x4` are four matrices of 8 rows.
PtxClass matrix_access(const PtxInstruction& instruction, PtxRole role) {
  constexpr std::uint32_t row_bytes = 16;
  constexpr std::uint32_t matrix_rows = 8;
  PtxClass result;
  result.role = role;
  result.space = PtxSpace::shared;
  result.layout = PtxLayout::by_row;
  result.bytes = row_bytes;
  result.rows = matrix_rows * (instruction.has_part("x4") ? 4 : instruction.has_part("x2") ? 2 : 1);
  return result;
}

/// The number after the letter in a shape such as `m16n16k8`; 0: there is none.
std::uint32_t extent_in(std::string_view shape, char letter) {
  const std::size_t at = shape.find(letter);
  std::uint32_t value = 0;
  for (std::size_t i = at + 1; at != std::string_view::npos && i < shape.size(); ++i) {
    if (shape[i] < '0' || shape[i] > '9' || value > 1'000) break;
    value = value * 10 + static_cast<std::uint32_t>(shape[i] - '0');
  }
  return value;
}

/// `wmma.load.a.sync.aligned.row.m16n16k16.shared.f16`: rows of the operand as they lie in memory.
PtxClass tile_access(const PtxInstruction& instruction, PtxRole role) {
  PtxClass result;
  result.role = role;
  result.space = space_of(instruction);
  result.layout = PtxLayout::by_tile;
  const std::string_view opcode = instruction.opcode;
  const std::size_t begin = opcode.find(".m");
  const std::string_view shape = begin == std::string_view::npos ? opcode : opcode.substr(begin + 1);
  const char outer = instruction.has_part("b") ? 'k' : 'm';
  const char inner = instruction.has_part("a") ? 'k' : 'n';
  const bool is_by_column = instruction.has_part("col");
  result.rows = extent_in(shape, is_by_column ? inner : outer);
  result.bytes = extent_in(shape, is_by_column ? outer : inner) *
                 static_cast<std::uint32_t>(bytes_of_type(instruction.last_part()));
  if (result.rows == 0 || result.bytes == 0) result.role = PtxRole::unsupported;
  return result;
}

PtxClass wmma(const PtxInstruction& instruction) {
  if (instruction.has_part("load")) return tile_access(instruction, PtxRole::load);
  if (instruction.has_part("store")) return tile_access(instruction, PtxRole::store);
  return {PtxRole::matrix};
}

PtxClass wgmma(const PtxInstruction& instruction) {
  return {instruction.has_part("mma_async") ? PtxRole::matrix : PtxRole::free};
}

/// Bulk copies to shared memory are counted where a barrier is told how many bytes to expect.
PtxClass bulk_copy(const PtxInstruction& instruction) {
  if (instruction.has_part("prefetch")) return {PtxRole::free};
  if (instruction.has_part("commit_group")) return {PtxRole::commit};
  if (instruction.has_part("wait_group")) return {PtxRole::free};
  const std::string_view opcode = instruction.opcode;
  const bool is_to_shared = opcode.find("bytes") != std::string_view::npos;
  return {is_to_shared ? PtxRole::free : PtxRole::unsupported};
}

/// `cp.async` of each lane; `bytes` is an operand.
PtxClass copy(const PtxInstruction& instruction) {
  if (instruction.has_part("bulk")) return bulk_copy(instruction);
  if (instruction.has_part("reduce")) return {PtxRole::unsupported};
  if (instruction.has_part("commit_group")) return {PtxRole::commit};
  if (instruction.has_part("wait_group") || instruction.has_part("wait_all")) return {PtxRole::await};
  if (instruction.has_part("mbarrier")) return {PtxRole::commit};
  PtxClass result{PtxRole::copy, PtxSpace::global};
  result.skips_l1 = instruction.has_part("cg");
  return result;
}

PtxClass memory_barrier(const PtxInstruction& instruction) {
  if (instruction.has_part("expect_tx")) {
    PtxClass result{PtxRole::copy, PtxSpace::global};
    result.is_bulk = true;
    return result;
  }
  if (!instruction.has_part("try_wait") && !instruction.has_part("test_wait")) return {PtxRole::free};
  PtxClass result{PtxRole::await};
  result.is_always_true = true;
  return result;
}

PtxClass barrier(const PtxInstruction& instruction) {
  if (instruction.has_part("warp") || instruction.has_part("cluster")) return {PtxRole::free};
  return {instruction.has_part("arrive") ? PtxRole::arrive : PtxRole::barrier};
}

}  // namespace

PtxClass class_of(const PtxInstruction& instruction) {
  const std::string_view name = instruction.name();
  if (name == "ld" || name == "ldu") return access(instruction, PtxRole::load);
  if (name == "st")
    return instruction.has_part("async") || instruction.has_part("bulk") ? PtxClass{PtxRole::unsupported}
                                                                         : access(instruction, PtxRole::store);
  if (name == "atom" || name == "red")
    return instruction.has_part("async") ? PtxClass{PtxRole::unsupported} : access(instruction, PtxRole::atomic);
  if (name == "ldmatrix") return matrix_access(instruction, PtxRole::load);
  if (name == "stmatrix") return matrix_access(instruction, PtxRole::store);
  if (name == "wmma") return wmma(instruction);
  if (name == "wgmma") return wgmma(instruction);
  if (name == "mma") return {PtxRole::matrix};
  if (name == "cp") return copy(instruction);
  if (name == "mbarrier") return memory_barrier(instruction);
  if (name == "bar" || name == "barrier") return barrier(instruction);
  if (name == "bra") return {PtxRole::branch};
  if (name == "ret" || name == "exit") return {PtxRole::end};
  if (is_one_of(name, kFree)) return {PtxRole::free};
  if (name == "trap" || is_one_of(name, kWithoutSteps)) return {PtxRole::unsupported};
  PtxClass result{PtxRole::arithmetic};
  result.is_unknown = !is_arithmetic_name(name);
  return result;
}

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kTensorTypes{{{"f16", "fp16"},
                                                                                      {"bf16", "bf16"},
                                                                                      {"tf32", "tf32"},
                                                                                      {"f64", "fp64"},
                                                                                      {"s8", "int8"},
                                                                                      {"u8", "int8"},
                                                                                      {"s4", "int4"},
                                                                                      {"u4", "int4"},
                                                                                      {"b1", "int1"},
                                                                                      {"e4m3", "fp8"},
                                                                                      {"e5m2", "fp8"},
                                                                                      {"e3m2", "fp6"},
                                                                                      {"e2m3", "fp6"},
                                                                                      {"e2m1", "fp4"},
                                                                                      {"f32", "fp32"},
                                                                                      {"s32", "int32"}}};

std::string_view tensor_type(std::string_view part) {
  for (const auto& [type, name] : kTensorTypes)
    if (part == type) return name;
  return {};
}

std::vector<std::string_view> dotted_parts(std::string_view opcode) {
  std::vector<std::string_view> parts;
  while (!opcode.empty()) {
    const std::size_t dot = opcode.find('.');
    parts.push_back(opcode.substr(0, dot));
    opcode.remove_prefix(dot == std::string_view::npos ? opcode.size() : dot + 1);
  }
  return parts;
}

/// The product of the numbers of `m16n8k16`; 0: it is no shape.
std::uint64_t volume_of(std::string_view shape) {
  std::uint64_t volume = 1;
  for (const char letter : {'m', 'n', 'k'}) {
    std::uint64_t size = 0;
    if (shape.empty() || shape.front() != letter) return 0;
    const auto [end, error] = std::from_chars(shape.data() + 1, shape.data() + shape.size(), size);
    constexpr std::uint64_t largest = 1'024;
    if (error != std::errc() || size > largest) return 0;
    shape.remove_prefix(static_cast<std::size_t>(end - shape.data()));
    volume *= size;
  }
  return shape.empty() ? volume : 0;
}

/// The type of the factors among those of the instruction: D, A, B, C; `wgmma` has no C, `wmma` of fp16 only D and C.
std::string kind_of(const std::vector<std::string_view>& types) {
  if (types.empty()) return {};
  if (types.size() < 3) return "tensor_fp16";
  const bool is_half = types[0] == "fp16" && types[1] == "fp16";
  return "tensor_" + std::string(types[1]) + (is_half ? "_fp16" : "");
}

}  // namespace

MatrixWork matrix_work_of(const PtxInstruction& instruction) {
  MatrixWork work;
  std::vector<std::string_view> types;
  bool is_sparse = false;
  for (const std::string_view part : dotted_parts(instruction.opcode)) {
    if (const std::uint64_t volume = volume_of(part)) work.multiply_adds = volume;
    if (const std::string_view type = tensor_type(part); !type.empty()) types.push_back(type);
    is_sparse = is_sparse || part == "sp" || part.starts_with("sp::");
  }
  work.kind = kind_of(types);
  constexpr std::uint64_t warps = 4;
  if (instruction.name() == "wgmma") work.multiply_adds /= warps;
  if (is_sparse) work.multiply_adds /= 2;
  constexpr std::uint64_t quarters = 4;  // `mma.m8n8k4` of fp16 is one for each quarter of the warp
  const bool is_by_quarter = instruction.has_part("m8n8k4") && work.kind.starts_with("tensor_fp16");
  if (is_by_quarter) work.multiply_adds *= quarters;
  if (work.multiply_adds == 0) work.kind.clear();
  return work;
}

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
