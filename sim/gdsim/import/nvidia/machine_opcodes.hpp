#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace gdsim {

/// What executes an instruction of machine code: the first six are the devices' kinds, in the order of kIssueKinds.
/// `other` takes an issue slot, such as branches, barriers and instructions of the uniform data path; `none` nothing.
enum class MachinePipe : std::uint8_t { fp32, fp64, fp16, int32, sfu, load_store, matrix, other, none };
inline constexpr std::array<std::string_view, 9> kMachinePipes{"fp32",       "fp64",   "fp16",  "int32", "sfu",
                                                               "load_store", "matrix", "other", "none"};

/// An operation of machine code from compute capability 7.0 on.
struct MachineOpcode {
  std::uint16_t number = 0;  ///< the low 9 bits of an instruction; the next 3 say what its operands are
  std::string_view name;
  MachinePipe pipe{};
  unsigned from = 70;  ///< compute capability from which the number means this
};

/// Ascending by number.
///
/// Sources. Numbers and names: the encodings that cloudcores/CuAssembler has collected from nvdisasm for sm_70, sm_75,
/// sm_80 and sm_86 (CuAsm/InsAsmRepos at 96a9f72), and daadaada/turingas, turingas/grammar.py; found again in the
/// machine code of kernels with two and six of an instruction for sm_75, sm_86, sm_90 and sm_120. VIMNMX from 9.0;
/// IADD, FFMA2, FMUL2, FADD2 and LDCU from 10.0: what ptxas 13.0 makes of minima, 64-bit sums, packed arithmetic and
/// parameters, with names of NVIDIA's CUDA Binary Utilities. Pipes: NVIDIA's Nsight Compute Profiling Guide, Pipelines:
/// the ALU does integers but IMAD and IMUL, which FMA does, as on the NVIDIA forum, threads 108729 (GV100) and 302018
/// (GA100, GA10x, GH100). Conversions between 32 bits from 8.6 on have opcodes of their own (I2FP, F2IP, F2FP), on the
/// ALU.
inline constexpr std::array kMachineOpcodes = [] {
  using enum MachinePipe;
  return std::to_array<MachineOpcode>({
      {0x002, "MOV", int32},        {0x003, "P2R", int32},        {0x004, "R2P", int32},
      {0x005, "CS2R", int32},       {0x006, "VOTE", int32},       {0x007, "SEL", int32},
      {0x008, "FSEL", int32},       {0x009, "FMNMX", int32},      {0x00a, "FSET", int32},
      {0x00b, "FSETP", int32},      {0x00c, "ISETP", int32},      {0x010, "IADD3", int32},
      {0x011, "LEA", int32},        {0x012, "LOP3", int32},       {0x013, "IABS", int32},
      {0x015, "VABSDIFF4", int32},  {0x016, "PRMT", int32},       {0x017, "IMNMX", int32},
      {0x019, "SHF", int32},        {0x01a, "SGXT", int32},       {0x01b, "BMSK", int32},
      {0x01c, "PLOP3", int32},      {0x020, "FMUL", fp32},        {0x021, "FADD", fp32},
      {0x022, "FSWZADD", fp32},     {0x023, "FFMA", fp32},        {0x024, "IMAD", fp32},
      {0x025, "IMAD", fp32},        {0x026, "IDP", fp32},         {0x027, "IMAD", fp32},
      {0x028, "DMUL", fp64},        {0x029, "DADD", fp64},        {0x02a, "DSETP", fp64},
      {0x02b, "DFMA", fp64},        {0x030, "HADD2", fp16},       {0x031, "HFMA2", fp16},
      {0x032, "HMUL2", fp16},       {0x033, "HSET2", fp16},       {0x034, "HSETP2", fp16},
      {0x035, "HFMA2", fp16},       {0x035, "IADD", int32, 100},  {0x036, "HMMA", matrix},
      {0x037, "IMMA", matrix},      {0x038, "I2I", sfu},          {0x039, "I2IP", int32},
      {0x03a, "MOVM", load_store},  {0x03b, "LDSM", load_store},  {0x03c, "HMMA", matrix},
      {0x03d, "BMMA", matrix},      {0x03e, "F2FP", int32},       {0x03f, "DMMA", matrix},
      {0x040, "HMNMX2", fp16},      {0x043, "F2IP", int32},       {0x045, "I2FP", int32},
      {0x048, "VIMNMX", int32, 90}, {0x049, "FFMA2", fp32, 100},  {0x04a, "FMUL2", fp32, 100},
      {0x04b, "FADD2", fp32, 100},  {0x082, "UMOV", other},       {0x083, "UP2UR", other},
      {0x086, "VOTEU", other},      {0x087, "USEL", other},       {0x08c, "UISETP", other},
      {0x090, "UIADD3", other},     {0x091, "ULEA", other},       {0x092, "ULOP3", other},
      {0x096, "UPRMT", other},      {0x097, "UIADD3", other},     {0x099, "USHF", other},
      {0x09a, "USGXT", other},      {0x09c, "UPLOP3", other},     {0x0a4, "UIMAD", other},
      {0x0a5, "UIMAD", other},      {0x0b9, "ULDC", other},       {0x0bb, "ULDC", other},
      {0x0bd, "UFLO", other},       {0x0be, "UBREV", other},      {0x0bf, "UPOPC", other},
      {0x100, "FLO", sfu},          {0x101, "BREV", sfu},         {0x102, "FCHK", sfu},
      {0x104, "F2F", sfu},          {0x105, "F2I", sfu},          {0x106, "I2F", sfu},
      {0x107, "FRND", sfu},         {0x108, "MUFU", sfu},         {0x109, "POPC", sfu},
      {0x110, "F2F", sfu},          {0x111, "F2I", sfu},          {0x112, "I2F", sfu},
      {0x113, "FRND", sfu},         {0x118, "NOP", none},         {0x119, "S2R", other},
      {0x11a, "DEPBAR", other},     {0x11c, "B2R", other},        {0x11d, "BAR", other},
      {0x141, "BSYNC", other},      {0x142, "BREAK", other},      {0x143, "CALL", other},
      {0x144, "CALL", other},       {0x145, "BSSY", other},       {0x146, "YIELD", other},
      {0x147, "BRA", other},        {0x148, "WARPSYNC", other},   {0x149, "BRX", other},
      {0x14d, "EXIT", other},       {0x14e, "LEPC", other},       {0x150, "RET", other},
      {0x155, "BMOV", other},       {0x156, "BMOV", other},       {0x158, "BRXU", other},
      {0x15c, "BPT", other},        {0x15d, "NANOSLEEP", other},  {0x160, "TEX", load_store},
      {0x161, "TEX", load_store},   {0x163, "TLD4", load_store},  {0x164, "TLD4", load_store},
      {0x166, "TLD", load_store},   {0x167, "TLD", load_store},   {0x16c, "TXD", load_store},
      {0x16d, "TXD", load_store},   {0x16f, "TXQ", load_store},   {0x170, "TXQ", load_store},
      {0x180, "LD", load_store},    {0x181, "LDG", load_store},   {0x182, "LDC", load_store},
      {0x183, "LDL", load_store},   {0x184, "LDS", load_store},   {0x185, "ST", load_store},
      {0x186, "STG", load_store},   {0x187, "STL", load_store},   {0x188, "STS", load_store},
      {0x189, "SHFL", load_store},  {0x18a, "ATOM", load_store},  {0x18b, "ATOM", load_store},
      {0x18c, "ATOMS", load_store}, {0x18d, "ATOMS", load_store}, {0x18e, "RED", load_store},
      {0x18f, "CCTL", load_store},  {0x192, "MEMBAR", other},     {0x199, "SULD", load_store},
      {0x19a, "SULD", load_store},  {0x19b, "SUST", load_store},  {0x19c, "SUST", load_store},
      {0x19d, "SUST", load_store},  {0x19e, "SUST", load_store},  {0x1a1, "MATCH", load_store},
      {0x1a8, "ATOMG", load_store}, {0x1a9, "ATOMG", load_store}, {0x1aa, "QSPC", load_store},
      {0x1ab, "ERRBAR", other},     {0x1ac, "LDCU", other, 100},  {0x1ae, "LDGSTS", load_store},
      {0x1af, "LDGDEPBAR", other},  {0x1b0, "ARRIVES", other},    {0x1c2, "R2UR", other},
      {0x1c3, "S2UR", other},       {0x1c4, "REDUX", load_store},
  });
}();

}  // namespace gdsim
