#include <gdsim/import/ptx/reader/read_ptx.hpp>

#include <gdsim/base/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace gdsim {
namespace {

constexpr std::size_t kMaxPtxKernels = 10'000;
constexpr std::size_t kMaxParameters = 4'096;

/// One call of read_ptx().
class PtxReader {
 public:
  explicit PtxReader(const SourceText& source) : source_(source), tokens_(source) {}

  PtxModule read() {
    while (tokens_.peek().kind != PtxToken::Form::end) read_directive();
    for (std::size_t i = 0; i < module_.kernels.size(); ++i) {
      check_symbols(bodies_[i].open);
      place_shared(module_.kernels[i], bodies_[i].shared, module_shared_);
    }
    if (module_.kernels.empty()) tokens_.fail(tokens_.peek(), "this PTX holds no entry function (`.entry`)");
    return std::move(module_);
  }

 private:
  void read_directive() {
    const PtxToken token = tokens_.take();
    if (token.is(".target")) {
      module_.target = std::string(tokens_.take().text);
      while (tokens_.take_if(",")) tokens_.take();
    } else if (token.is(".address_size")) {
      const PtxToken at = tokens_.peek();
      address_size_ = read_count(tokens_);
      if (address_size_ != 64) tokens_.fail(at, "addresses of 64 bits are executed: .address_size 64");
    } else if (token.is(".entry")) {
      if (address_size_ == 0)
        tokens_.fail(token,
                     "PTX without .address_size has addresses of 32 bits; those of 64 are executed: .address_size 64");
      read_entry();
    } else if (token.is(".shared")) {
      module_shared_.push_back(read_variable(tokens_));
      declared_.insert(module_shared_.back().name);
    } else if (token.is(".func") || token.is(".section")) {
      skip_function();
    } else if (token.is(".global") || token.is(".const") || token.is(".alias")) {
      skip_statement();
    } else if (token.is(".file")) {
      while (tokens_.peek().kind != PtxToken::Form::end && tokens_.peek().line == token.line) tokens_.take();
    } else if (token.kind == PtxToken::Form::end || (token.kind == PtxToken::Form::word && token.text.front() != '.') ||
               token.is("{") || token.is("}")) {
      tokens_.fail(token, fmt::format("{} stands where a directive such as `.entry` is needed", in_quotes(token.text)));
    }
  }

  /// Names come before the initial value of a variable.
  void skip_statement() {
    bool is_name = true;
    while (tokens_.peek().kind != PtxToken::Form::end && !tokens_.take_if(";")) declare(tokens_.take(), is_name);
  }

  void declare(const PtxToken& token, bool& is_name) {
    if (token.is("=")) is_name = false;
    if (is_name && token.kind == PtxToken::Form::word && token.text.front() != '.') declared_.emplace(token.text);
  }

  void check_symbols(const std::vector<SymbolUse>& uses) const {
    Diagnostics problems;
    for (const SymbolUse& use : uses)
      if (!declared_.contains(use.name))
        problems.add({&source_, use.line, use.column},
                     fmt::format("{} is declared nowhere: no variable, parameter, function or label of this file has "
                                 "this name; a variable of the module is declared so: .global .b32 {};",
                                 in_quotes(use.name), printable(use.name)));
    problems.put_in_order();
    problems.throw_if_any();
  }

  /// A declaration ends with `;`, a function with its body.
  void skip_function() {
    std::size_t depth = 0;
    bool is_name = true;
    while (tokens_.peek().kind != PtxToken::Form::end) {
      const PtxToken token = tokens_.take();
      if (depth == 0) declare(token, is_name);
      if (token.is("{")) ++depth;
      if (token.is("}") && (depth == 0 || --depth == 0)) return;
      if (token.is(";") && depth == 0) return;
    }
  }

  void read_entry() {
    const PtxToken name = tokens_.take();
    if (name.kind != PtxToken::Form::word) tokens_.fail(name, "the name of an entry function is needed here");
    if (module_.kernels.size() >= kMaxPtxKernels)
      tokens_.fail(name, fmt::format("the file has more than {} entry functions", kMaxPtxKernels));
    PtxKernel kernel;
    kernel.symbol = std::string(name.text);
    declared_.insert(kernel.symbol);
    kernel.file = source_.name();
    kernel.line = name.line;
    kernel.column = name.column;
    if (tokens_.take_if("(")) read_parameters(kernel);
    read_bounds(kernel);
    if (tokens_.take_if(";")) return;  // a declaration
    tokens_.expect("{", "the body of an entry function begins with it");
    bodies_.push_back(read_body(tokens_, kernel));
    module_.kernels.push_back(std::move(kernel));
  }

  void read_parameters(PtxKernel& kernel) {
    while (!tokens_.take_if(")")) {
      PtxParameter parameter;
      std::uint64_t bytes = 0;
      while (tokens_.peek().kind == PtxToken::Form::word && tokens_.peek().text.front() == '.') {
        const PtxToken word = tokens_.take();
        if (word.is(".align")) read_count(tokens_);
        if (const std::uint64_t size = bytes_of_type(word.text.substr(1)); size > 0 && bytes == 0) bytes = size;
      }
      const PtxToken name = tokens_.take();
      if (name.kind != PtxToken::Form::word) tokens_.fail(name, "the name of a parameter is needed here");
      parameter.name = std::string(name.text);
      parameter.line = name.line;
      parameter.bytes = bytes;
      if (tokens_.take_if("[")) {
        parameter.bytes = checked_bytes(tokens_, read_count(tokens_), bytes);
        tokens_.expect("]", "it ends the size of a parameter");
      }
      if (kernel.parameters.size() >= kMaxParameters)
        tokens_.fail(name, fmt::format("a kernel has more than {} parameters", kMaxParameters));
      kernel.parameters.push_back(std::move(parameter));
      if (!tokens_.peek().is(")")) tokens_.expect(",", "it stands between parameters");
    }
  }

  void read_bounds(PtxKernel& kernel) {
    PtxToken explicit_cluster;
    while (tokens_.peek().kind != PtxToken::Form::end && !tokens_.peek().is("{") && !tokens_.peek().is(";")) {
      const PtxToken word = tokens_.take();
      if (word.is(".maxntid")) kernel.max_group = read_extent("work-items");
      if (word.is(".reqntid")) kernel.required_group = read_extent("work-items");
      if (word.is(".reqnctapercluster")) kernel.cluster = read_extent("work-groups");
      if (word.is(".explicitcluster")) explicit_cluster = word;
    }
    if (explicit_cluster.kind == PtxToken::Form::word && !kernel.cluster)
      tokens_.fail(explicit_cluster,
                   "how many work-groups a cluster has is given at launch, and not known here; write it in this line: "
                   ".reqnctapercluster 2, 1, 1");
  }

  std::array<std::uint64_t, 3> read_extent(std::string_view unit) {
    std::array<std::uint64_t, 3> extent{1, 1, 1};
    for (std::size_t i = 0; i < extent.size(); ++i) {
      const PtxToken at = tokens_.peek();
      extent[i] = read_count(tokens_);
      constexpr std::uint64_t max_extent = 1'024;
      if (extent[i] == 0 || extent[i] > max_extent)
        tokens_.fail(at, fmt::format("{} {}; 1 to {} are allowed", extent[i], unit, max_extent));
      if (!tokens_.take_if(",")) break;
    }
    return extent;
  }

  const SourceText& source_;
  PtxTokens tokens_;
  PtxModule module_;
  std::vector<SharedDeclaration> module_shared_;
  std::uint64_t address_size_ = 0;               ///< bits; 0: not given so far
  std::vector<PtxBody> bodies_;                  ///< by kernel
  std::set<std::string, std::less<>> declared_;  ///< names of the module
};

}  // namespace

bool is_ptx(std::string_view text) {
  const std::size_t version = text.find(".version");
  const std::size_t target = text.find(".target");
  return version != text.npos && target != text.npos && version < target;
}

PtxModule read_ptx(const SourceText& source) { return PtxReader(source).read(); }

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%'; }

}  // namespace

PtxTokens::PtxTokens(const SourceText& source) : source_(source), text_(source.text()) { advance(); }

PtxToken PtxTokens::take() {
  const PtxToken token = next_;
  if (token.kind != PtxToken::Form::end) advance();
  return token;
}

bool PtxTokens::take_if(std::string_view token) {
  if (!next_.is(token)) return false;
  advance();
  return true;
}

PtxToken PtxTokens::expect(std::string_view token, std::string_view why) {
  if (!next_.is(token))
    fail(next_, fmt::format("{} stands where {} is needed: {}",
                            next_.kind == PtxToken::Form::end ? "the end of the file" : in_quotes(next_.text),
                            in_quotes(token), why));
  return take();
}

void PtxTokens::fail(const PtxToken& at, const std::string& message) const {
  Diagnostics problems;
  problems.add({&source_, at.line, at.column}, message);
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
    } else if (c == '/' && character_at(position_ + 1) == '/') {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (c == '/' && character_at(position_ + 1) == '*') {
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
    const char c = character_at(at);
    if (is_letter(c) || is_digit(c) || c == '.') {
      ++at;
    } else if (c == ':' && character_at(at + 1) == ':') {
      at += 2;
    } else {
      return at;
    }
  }
}

void PtxTokens::advance() {
  skip_blanks();
  next_ = {PtxToken::Form::end, {}, line_, static_cast<std::uint32_t>(position_ - line_begin_ + 1)};
  if (position_ >= text_.size()) return;
  const char c = text_[position_];
  const std::size_t begin = position_;
  if (is_letter(c) || (c == '.' && is_letter(character_at(position_ + 1)))) {
    next_.kind = PtxToken::Form::word;
    position_ = end_of_word(position_ + 1);
  } else if (is_digit(c)) {
    next_.kind = PtxToken::Form::number;
    position_ = end_of_word(position_);
  } else if (c == '"') {
    const std::size_t end = text_.find_first_of("\"\n", position_ + 1);
    if (end == std::string_view::npos || text_[end] == '\n') fail(next_, "this text has no end: '\"' is missing");
    next_.kind = PtxToken::Form::text;
    next_.text = text_.substr(begin + 1, end - begin - 1);
    position_ = end + 1;
    return;
  } else {
    next_.kind = PtxToken::Form::sign;
    ++position_;
  }
  next_.text = text_.substr(begin, position_ - begin);
}

}  // namespace gdsim
