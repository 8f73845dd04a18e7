#pragma once

#include <gdsim/base/diagnostic.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace gdsim {

/// A word, a number or a sign of PTX, and its position.
struct PtxToken {
  enum class Kind : std::uint8_t { word, number, text, sign, end };

  Kind kind = Kind::end;
  std::string_view text;  ///< for quoted text, without its quotes
  std::uint32_t line = 0;
  std::uint32_t column = 0;

  bool is(std::string_view what) const { return kind != Kind::text && kind != Kind::end && text == what; }
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
  bool take_if(std::string_view what);
  /// Consumes this sign or word; fails if the next token is another one.
  PtxToken expect(std::string_view what, std::string_view why);

  /// Throws InputError at the token: `FILE:LINE:COLUMN: error: WHAT`.
  [[noreturn]] void fail(const PtxToken& at, const std::string& what) const;

 private:
  void advance();
  void skip_blanks();
  std::size_t end_of_word(std::size_t at) const;
  char at(std::size_t index) const { return index < text_.size() ? text_[index] : '\0'; }

  const SourceText& source_;
  std::string_view text_;
  std::size_t position_ = 0;
  std::uint32_t line_ = 1;
  std::size_t line_begin_ = 0;
  PtxToken next_;
};

}  // namespace gdsim
