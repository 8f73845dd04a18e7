#include <gdsim/import/amd/gcn/gcn_program.hpp>

#include <gdsim/base/text.hpp>

#include <algorithm>
#include <charconv>
#include <optional>

namespace gdsim {
namespace {

using Name = std::string_view;

bool is_one_of(Name name, std::initializer_list<Name> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool begins_with_one_of(Name name, std::initializer_list<Name> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(), [&](Name beginning) { return name.starts_with(beginning); });
}

bool holds(Name name, Name part) { return name.find(part) != Name::npos; }

/// Returns the bytes at the end of the name of an access: 8 of `load_dwordx2` and `read_b64`; 0: not known.
std::uint32_t bytes_in_name(Name name) {
  static constexpr std::array<std::pair<Name, std::uint32_t>, 24> ends{
      {{"dwordx2", 8}, {"dwordx3", 12}, {"dwordx4", 16}, {"dword", 4}, {"ubyte", 1}, {"sbyte", 1},
       {"ushort", 2},  {"sshort", 2},   {"byte", 1},     {"short", 2}, {"b8", 1},    {"u8", 1},
       {"i8", 1},      {"b16", 2},      {"u16", 2},      {"i16", 2},   {"b32", 4},   {"b64", 8},
       {"b96", 12},    {"b128", 16},    {"u32", 4},      {"f32", 4},   {"f64", 8},   {"u64", 8}}};
  for (const Name part : {"_d16_hi", "_d16", "_hi"})
    if (name.ends_with(part)) name.remove_suffix(part.size());
  for (const auto& [end, bytes] : ends)
    if (name.ends_with(end)) return bytes;
  return 0;
}

/// Two pieces of `ds_read2_b32`, whose offsets count elements, and of `ds_read2st64_b32`, in 64 of them.
void set_pieces(Name name, GcnClass& traits) {
  if (!holds(name, "2st64") && !holds(name, "read2_") && !holds(name, "write2_") && !holds(name, "2addr")) return;
  traits.pieces = 2;
  traits.piece_unit = traits.bytes * (holds(name, "st64") || holds(name, "stride64") ? 64 : 1);
}

GcnClass class_of_lds(Name name) {
  GcnClass traits;
  traits.is_lds = true;
  traits.bytes = bytes_in_name(name);
  if (begins_with_one_of(name, {"ds_read", "ds_load"})) {
    traits.role = GcnRole::load;
  } else if (begins_with_one_of(name, {"ds_write", "ds_store"})) {
    traits.role = GcnRole::store;
  } else if (begins_with_one_of(name, {"ds_bpermute", "ds_permute", "ds_swizzle"})) {
    traits.role = GcnRole::exchange;
    traits.bytes = 4;
  } else if (begins_with_one_of(name, {"ds_add", "ds_sub", "ds_rsub", "ds_inc", "ds_dec", "ds_min", "ds_max", "ds_and",
                                       "ds_or", "ds_xor", "ds_cmpst", "ds_cmpstore", "ds_wrxchg", "ds_storexchg"})) {
    traits.role = GcnRole::atomic;
    if (traits.bytes == 0) traits.bytes = 4;
  }
  set_pieces(name, traits);
  if (traits.bytes == 0) traits.role = GcnRole::unsupported;
  return traits;
}

GcnClass class_of_memory(Name name) {
  GcnClass traits;
  traits.is_scratch = name.starts_with("scratch_");
  traits.bytes = bytes_in_name(name);
  if (holds(name, "_atomic_")) {
    traits.role = GcnRole::atomic;
    traits.bytes = name.ends_with("_x2") || holds(name, "64") ? 8 : 4;
  } else if (holds(name, "_load_") && !holds(name, "_lds_")) {
    traits.role = GcnRole::load;
  } else if (holds(name, "_store_")) {
    traits.role = GcnRole::store;
  } else if (begins_with_one_of(name, {"buffer_gl", "buffer_wb", "buffer_inv"})) {
    traits.role = GcnRole::free;
    return traits;
  }
  if (traits.bytes == 0) traits.role = GcnRole::unsupported;
  return traits;
}

constexpr std::uint64_t kMaxMatrixPart = 1024;  ///< rows, columns or depth

/// Reads `32x32x8` out of `v_mfma_f32_32x32x8f16` and `v_mfma_f32_32x32x8_f16`. The rest is the type of its inputs.
std::optional<std::array<std::uint64_t, 3>> shape_in(Name& name) {
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!is_digit(name[i]) || (i > 0 && name[i - 1] != '_')) continue;
    std::array<std::uint64_t, 3> shape{};
    const char* at = name.data() + i;
    const char* end = name.data() + name.size();
    bool is_shape = true;
    for (std::size_t part = 0; part < shape.size() && is_shape; ++part) {
      const auto [next, error] = std::from_chars(at, end, shape[part]);
      is_shape = error == std::errc{} && shape[part] >= 1 && shape[part] <= kMaxMatrixPart &&
                 (part == 2 || (next != end && *next == 'x'));
      at = part == 2 ? next : next + 1;
    }
    if (!is_shape) continue;
    name = Name(at, static_cast<std::size_t>(end - at));
    return shape;
  }
  return std::nullopt;
}

Name matrix_kind_of(Name inputs) {
  if (holds(inputs, "bf8") || holds(inputs, "fp8") || holds(inputs, "f8")) return "tensor_fp8";
  if (holds(inputs, "bf16")) return "tensor_bf16";
  if (holds(inputs, "xf32")) return "tensor_tf32";
  if (holds(inputs, "f16")) return "tensor_fp16";
  if (holds(inputs, "f64")) return "tensor_fp64";
  if (holds(inputs, "f32")) return "tensor_fp32";
  if (holds(inputs, "i8") || holds(inputs, "iu8")) return "tensor_int8";
  return {};
}

/// The registers of its result hold all blocks of an instruction that multiplies several pairs of small matrices.
GcnClass class_of_matrix(const GcnInstruction& instruction, std::uint32_t lanes) {
  GcnClass traits;
  Name name = instruction.opcode;
  const bool is_double = holds(name, "_f64_");
  const auto shape = shape_in(name);
  if (!shape || instruction.operands.empty()) return traits;
  traits.matrix_kind = matrix_kind_of(name);
  const std::uint64_t results = std::uint64_t{instruction.operands.front().count} * lanes / (is_double ? 2 : 1);
  const std::uint64_t blocks = std::max<std::uint64_t>(1, results / ((*shape)[0] * (*shape)[1]));
  traits.multiply_adds = (*shape)[0] * (*shape)[1] * (*shape)[2] * blocks;
  if (!traits.matrix_kind.empty()) traits.role = GcnRole::matrix;
  return traits;
}

GcnClass class_of_vector(Name name) {
  GcnClass traits;
  traits.role = GcnRole::vector;
  const bool is_double = holds(name, "f64");
  if (begins_with_one_of(name, {"v_exp_", "v_log_", "v_rcp_", "v_rsq_", "v_sqrt_", "v_sin_", "v_cos_"}) && !is_double)
    traits.kind = 4;
  else if (is_double)
    traits.kind = 1;
  else if (holds(name, "_f32"))
    traits.kind = 0;
  else if (holds(name, "_f16") || holds(name, "_bf16"))
    traits.kind = 2;
  constexpr std::uint32_t quarter = 4;
  if (begins_with_one_of(name, {"v_mul_lo_", "v_mul_hi_u32", "v_mul_hi_i32", "v_mad_u64_", "v_mad_i64_"}) &&
      !holds(name, "24") && !holds(name, "16"))
    traits.slots = quarter;
  return traits;
}

GcnClass class_of_scalar(Name name) {
  GcnClass traits;
  traits.role = GcnRole::scalar;
  if (is_one_of(name, {"s_endpgm"}))
    traits.role = GcnRole::end;
  else if (name == "s_barrier")
    traits.role = GcnRole::barrier;
  else if (name.starts_with("s_waitcnt"))
    traits.role = GcnRole::wait;
  else if (name.starts_with("s_cbranch_") || name == "s_branch")
    traits.role = GcnRole::branch;
  else if (begins_with_one_of(name, {"s_load_", "s_buffer_load_"}))
    traits.role = GcnRole::scalar_load;
  else if (is_one_of(name, {"s_nop", "s_clause", "s_delay_alu", "s_inst_prefetch", "s_set_inst_prefetch_distance",
                            "s_sleep", "s_setprio", "s_code_end", "s_version", "s_icache_inv", "s_dcache_wb",
                            "s_dcache_inv", "s_sendmsg"}))
    traits.role = GcnRole::free;
  else if (begins_with_one_of(name, {"s_swappc", "s_setpc", "s_call", "s_trap", "s_barrier_", "s_endpgm_", "s_rfe"}))
    traits.role = GcnRole::unsupported;
  return traits;
}

void add_registers(const GcnOperand& operand, std::vector<std::uint32_t>& registers) {
  for (std::uint32_t i = 0; operand.is_register() && i < operand.count; ++i) registers.push_back(operand.first + i);
}

bool writes_scc(Name name) {
  return !begins_with_one_of(
      name, {"s_mov", "s_cmov", "s_cselect", "s_mul_", "s_mulk", "s_getpc", "s_ff1", "s_flbit", "s_ctz", "s_clz",
             "s_sext", "s_brev", "s_pack", "s_bfm", "s_bitset", "s_load", "s_setreg", "s_getreg"});
}

bool is_compare(Name name) { return begins_with_one_of(name, {"v_cmp_", "v_cmpx_", "s_cmp_", "s_cmpk_", "s_bitcmp"}); }

/// Returns the number of operands at the front that are written.
std::size_t written_operands(const GcnInstruction& instruction, const GcnClass& traits) {
  const Name name = instruction.opcode;
  switch (traits.role) {
    case GcnRole::scalar:
      return name.starts_with("s_cmp") || name.starts_with("s_bitcmp") || name.starts_with("s_setreg") ? 0 : 1;
    case GcnRole::vector: {
      if (is_compare(name) && instruction.operands.size() < 3) return 0;
      const bool has_carry = begins_with_one_of(name, {"v_add_co", "v_addc_co", "v_sub_co", "v_subb_co", "v_subrev_co",
                                                       "v_subbrev_co", "v_div_scale", "v_mad_u64_", "v_mad_i64_"});
      return has_carry ? 2 : 1;
    }
    case GcnRole::scalar_load:
    case GcnRole::matrix:
    case GcnRole::load:
    case GcnRole::exchange: return 1;
    case GcnRole::atomic:
      return holds(name, "_rtn") || instruction.has("glc") || instruction.has("sc0") || instruction.has("th") ? 1 : 0;
    default: return 0;
  }
}

}  // namespace

GcnClass gcn_class_of(const GcnInstruction& instruction, std::uint32_t lanes) {
  const Name name = instruction.opcode;
  if (begins_with_one_of(name, {"v_mfma_", "v_wmma_", "v_smfmac_"})) return class_of_matrix(instruction, lanes);
  if (name == "v_nop") return {.role = GcnRole::free, .matrix_kind = {}};
  if (name.starts_with("v_")) return class_of_vector(name);
  if (name.starts_with("s_")) return class_of_scalar(name);
  if (name.starts_with("ds_")) return class_of_lds(name);
  if (begins_with_one_of(name, {"global_", "flat_", "buffer_", "scratch_"})) return class_of_memory(name);
  return {};
}

std::vector<std::uint32_t> gcn_writes(const GcnInstruction& instruction, const GcnClass& traits) {
  std::vector<std::uint32_t> registers;
  const std::size_t written = std::min(written_operands(instruction, traits), instruction.operands.size());
  for (std::size_t i = 0; i < written; ++i) add_registers(instruction.operands[i], registers);
  const Name name = instruction.opcode;
  if (traits.role == GcnRole::scalar && writes_scc(name)) registers.push_back(kGcnScc);
  if (holds(name, "saveexec") || name.starts_with("v_cmpx_"))
    registers.insert(registers.end(), {kGcnExec, kGcnExec + 1});
  return registers;
}

std::vector<std::uint32_t> gcn_reads(const GcnInstruction& instruction, const GcnClass& traits) {
  std::vector<std::uint32_t> registers;
  const Name name = instruction.opcode;
  const std::size_t written = std::min(written_operands(instruction, traits), instruction.operands.size());
  const bool keeps = begins_with_one_of(
      name, {"s_addk", "s_mulk", "v_fmac", "v_mac_", "v_dot2c", "v_dot2acc", "v_writelane", "s_bitset"});
  for (std::size_t i = keeps || is_compare(name) ? 0 : written; i < instruction.operands.size(); ++i)
    add_registers(instruction.operands[i], registers);
  if (traits.role == GcnRole::branch || begins_with_one_of(name, {"s_addc", "s_subb", "s_cselect", "s_cmov"}))
    registers.push_back(kGcnScc);
  if (holds(name, "vcc")) registers.insert(registers.end(), {kGcnVcc, kGcnVcc + 1});
  if (holds(name, "exec")) registers.insert(registers.end(), {kGcnExec, kGcnExec + 1});
  return registers;
}

std::size_t gcn_address_position(const GcnInstruction& instruction, const GcnClass& traits) {
  if (instruction.opcode.starts_with("buffer_")) return 1;
  return traits.role == GcnRole::store ? 0 : written_operands(instruction, traits);
}

}  // namespace gdsim
