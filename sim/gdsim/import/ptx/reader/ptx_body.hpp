#pragma once

#include <gdsim/import/ptx/reader/ptx_kernel.hpp>
#include <gdsim/import/ptx/reader/ptx_tokens.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// A variable in shared memory as it is declared.
struct SharedDeclaration {
  std::string name;
  std::uint64_t alignment = 1;
  std::uint64_t bytes = 0;  ///< 0: as large as the launch gives
};

/// Bytes of a value of the type `f32`; 0: there is no such type.
std::uint64_t bytes_of_type(std::string_view type);

/// The bits of an integer as PTX writes it, without a sign: `12`, `0x1F`, `017`, `0b1`, `12U`; nothing: it is none.
std::optional<std::uint64_t> integer_of(std::string_view text);

/// Takes a whole number, at most 2^48.
std::uint64_t read_count(PtxTokens& tokens);

/// `count` values of so many bytes; fails above 2^40.
std::uint64_t checked_bytes(const PtxTokens& tokens, std::uint64_t count, std::uint64_t bytes);

/// Takes what stands behind `.shared` up to `;`.
SharedDeclaration read_variable(PtxTokens& tokens);

/// Where a name is used first.
struct SymbolUse {
  std::string name;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// What a body leaves to its module.
struct PtxBody {
  std::vector<SharedDeclaration> shared;  ///< its own variables in shared memory
  std::vector<SymbolUse> open;            ///< names that it does not declare
};

/// Takes the body of an entry function, of which `{` was taken, up to its `}`.
PtxBody read_body(PtxTokens& tokens, PtxKernel& kernel);

/// Places the kernel's own variables behind those of its module that it uses. Those without a size begin behind all.
void place_shared(PtxKernel& kernel, const std::vector<SharedDeclaration>& own,
                  const std::vector<SharedDeclaration>& of_module);

}  // namespace gdsim
