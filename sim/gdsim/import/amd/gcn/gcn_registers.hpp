#pragma once

#include <gdsim/base/text.hpp>
#include <gdsim/import/amd/gcn/gcn_kernel.hpp>

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

// Numbers and registers, as AMDGPU assembly writes them.

namespace gdsim {

/// Returns a whole number as the assembler writes it, `-4` or `0x1f`.
inline std::optional<std::int64_t> gcn_number(std::string_view text) {
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
struct NamedGcnRegister {
  std::string_view name;
  std::uint32_t first;
  std::uint32_t count;
};
inline constexpr std::array<NamedGcnRegister, 22> kNamedGcnRegisters{{{"vcc", kGcnVcc, 2},
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
                                                                      {"xnack_mask_lo", kGcnOther, 1},
                                                                      {"xnack_mask_hi", kGcnOther, 1},
                                                                      {"src_shared_limit", kGcnOther, 2},
                                                                      {"src_private_limit", kGcnOther, 2},
                                                                      {"src_execz", kGcnOther, 1},
                                                                      {"src_scc", kGcnOther, 1},
                                                                      {"src_shared_base", kGcnOther, 2},
                                                                      {"src_private_base", kGcnOther, 2},
                                                                      {"src_vccz", kGcnOther, 1}}};

inline constexpr std::uint32_t kMaxGcnOperand = 32;

/// Returns the registers of `v3`, `s[4:5]`, `a0`, or nullopt.
inline std::optional<GcnOperand> numbered_gcn_registers(std::string_view text) {
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
  return operand.count <= kMaxGcnOperand ? std::optional(operand) : std::nullopt;
}

/// Returns true for what is meant to be numbered registers, `v4` or `s[0:1]`.
inline bool is_gcn_numbered(std::string_view text) {
  return text.size() > 1 && (text.front() == 'v' || text.front() == 's' || text.front() == 'a') &&
         (is_digit(text[1]) || text[1] == '[');
}

/// Returns the register of its half, `v1.l` or `v1.h`, or nothing.
inline std::string_view gcn_register_of_half(std::string_view text) {
  const bool is_half = is_gcn_numbered(text) && (text.ends_with(".l") || text.ends_with(".h"));
  return is_half ? text.substr(0, text.size() - 2) : std::string_view();
}

}  // namespace gdsim
