#pragma once

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/import/ptx/reader/ptx_kernel.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gdsim {

/// Returns true if the text is PTX: `.version` and `.target` come before anything else.
bool is_ptx(std::string_view text);

/// Reads the entry functions of a PTX text; functions that are called, and variables of the module, are skipped. Throws
/// InputError with line and column of unknown syntax, or if there is no entry function.
///
/// Source: NVIDIA, Parallel Thread Execution ISA, version 9.0, syntax.
PtxModule read_ptx(const SourceText& source);

/// A word, a number or a sign of PTX, and its position.
struct PtxToken {
  enum class Form : std::uint8_t { word, number, text, sign, end };

  Form kind = Form::end;
  std::string_view text;  ///< for quoted text, without its quotes
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  bool is(std::string_view token) const { return kind != Form::text && kind != Form::end && text == token; }
};

/// Iterates over the tokens of a PTX text; comments are skipped. The text must outlive it.
class PtxTokens {
 public:
  explicit PtxTokens(const SourceText& source);

  /// The next token.
  const PtxToken& peek() const { return next_; }
  /// Consumes the next token.
  PtxToken take();
  /// Consumes the next token if it is this sign or word.
  bool take_if(std::string_view token);
  /// Consumes this sign or word; fails if the next token is another one.
  PtxToken expect(std::string_view token, std::string_view why);

  /// Throws InputError at the token: `FILE:LINE:COLUMN: error: WHAT`.
  [[noreturn]] void fail(const PtxToken& at, const std::string& message) const;

 private:
  void advance();
  void skip_blanks();
  std::size_t end_of_word(std::size_t at) const;
  char character_at(std::size_t index) const { return index < text_.size() ? text_[index] : '\0'; }

  const SourceText& source_;
  std::string_view text_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_begin_ = 0;
  PtxToken next_;
};

/// A declaration of a variable in shared memory.
struct SharedDeclaration {
  std::string name;
  std::uint64_t alignment = 1;
  std::uint64_t bytes = 0;  ///< 0: its size is given at launch
};

/// Bytes of a value of the type `f32`; 0: there is no such type.
std::uint64_t bytes_of_type(std::string_view type);

/// The bits of an integer in PTX notation, without a sign: `12`, `0x1F`, `017`, `0b1`, `12U`; nothing if it is none.
std::optional<std::uint64_t> integer_of(std::string_view text);

/// Reads a whole number, at most 2^48.
std::uint64_t read_count(PtxTokens& tokens);

/// The bytes of `count` values of `bytes` each; fails above 2^40.
std::uint64_t checked_bytes(const PtxTokens& tokens, std::uint64_t count, std::uint64_t bytes);

/// Reads the text after `.shared` up to `;`.
SharedDeclaration read_variable(PtxTokens& tokens);

/// The first use of a name.
struct SymbolUse {
  std::string name;
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// The parts of a body that its module must complete.
struct PtxBody {
  std::vector<SharedDeclaration> shared;  ///< its own variables in shared memory
  std::vector<SymbolUse> open;            ///< names that it does not declare
};

/// Reads the body of an entry function, after its `{`, up to its `}`.
PtxBody read_body(PtxTokens& tokens, PtxKernel& kernel);

/// Places the kernel's own variables after those of its module that it uses. Variables without a size come last.
void place_shared(PtxKernel& kernel, const std::vector<SharedDeclaration>& own,
                  const std::vector<SharedDeclaration>& of_module);

}  // namespace gdsim
