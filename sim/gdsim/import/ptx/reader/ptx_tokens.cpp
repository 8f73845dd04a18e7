#include <gdsim/import/ptx/reader/ptx_tokens.hpp>

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace gdsim {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

PtxTokens::PtxTokens(const SourceText& source) : source_(source), text_(source.text()) { advance(); }

PtxToken PtxTokens::take() {
  const PtxToken token = next_;
  if (token.kind != PtxToken::Kind::end) advance();
  return token;
}

bool PtxTokens::take_if(std::string_view what) {
  if (!next_.is(what)) return false;
  advance();
  return true;
}

PtxToken PtxTokens::expect(std::string_view what, std::string_view why) {
  if (!next_.is(what))
    fail(next_, fmt::format("{} stands where {} is needed: {}",
                            next_.kind == PtxToken::Kind::end ? "the end of the file" : in_quotes(next_.text),
                            in_quotes(what), why));
  return take();
}

void PtxTokens::fail(const PtxToken& at, const std::string& what) const {
  Diagnostics problems;
  problems.add({&source_, at.line, at.column}, what);
  throw InputError(problems.problems());
}

void PtxTokens::skip_blanks() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '\n') {
      ++line_;
      line_begin_ = ++position_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++position_;
    } else if (c == '/' && at(position_ + 1) == '/') {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (c == '/' && at(position_ + 1) == '*') {
      const std::size_t end = text_.find("*/", position_ + 2);
      const std::size_t behind = end == std::string_view::npos ? text_.size() : end + 2;
      for (; position_ < behind; ++position_)
        if (text_[position_] == '\n') {
          ++line_;
          line_begin_ = position_ + 1;
        }
    } else {
      return;
    }
  }
}

/// A word may contain dots, and `::` as in `.L2::128B`.
std::size_t PtxTokens::end_of_word(std::size_t at) const {
  while (true) {
    const char c = this->at(at);
    if (is_letter(c) || is_digit(c) || c == '.') {
      ++at;
    } else if (c == ':' && this->at(at + 1) == ':') {
      at += 2;
    } else {
      return at;
    }
  }
}

void PtxTokens::advance() {
  skip_blanks();
  next_ = {PtxToken::Kind::end, {}, line_, static_cast<std::uint32_t>(position_ - line_begin_ + 1)};
  if (position_ >= text_.size()) return;
  const char c = text_[position_];
  const std::size_t begin = position_;
  if (is_letter(c) || (c == '.' && is_letter(at(position_ + 1)))) {
    next_.kind = PtxToken::Kind::word;
    position_ = end_of_word(position_ + 1);
  } else if (is_digit(c)) {
    next_.kind = PtxToken::Kind::number;
    position_ = end_of_word(position_);
  } else if (c == '"') {
    const std::size_t end = text_.find_first_of("\"\n", position_ + 1);
    if (end == std::string_view::npos || text_[end] == '\n') fail(next_, "this text has no end: '\"' is missing");
    next_.kind = PtxToken::Kind::text;
    next_.text = text_.substr(begin + 1, end - begin - 1);
    position_ = end + 1;
    return;
  } else {
    next_.kind = PtxToken::Kind::sign;
    ++position_;
  }
  next_.text = text_.substr(begin, position_ - begin);
}

}  // namespace gdsim
