#include "standard_output.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/printable.hpp>
#include <gdsim/base/utf8.hpp>

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace gdsim::cli {
namespace {

/// How many bytes at the end of `text` may be the begin of a character that goes on behind it.
std::size_t cut_bytes(std::string_view text) {
  constexpr std::size_t longest_begin = 3;
  for (std::size_t bytes = 1; bytes <= longest_begin && bytes <= text.size(); ++bytes) {
    const auto first = static_cast<unsigned char>(text[text.size() - bytes]);
    if (first >= 0xC2 && utf8_length(text.substr(text.size() - bytes)) == 0) return bytes;
    if ((first & 0xC0U) != 0x80U) return 0;
  }
  return 0;
}

}  // namespace

StandardOutput::StandardOutput() : is_terminal_(isatty(STDOUT_FILENO) == 1) {}

void StandardOutput::fail() {
  if (errno != EPIPE) throw InputError(std::string("standard output cannot be written: ") + std::strerror(errno));
  is_closed_ = true;
}

void StandardOutput::put(std::string_view text) {
  if (!is_closed_ && std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail();
}

void StandardOutput::write(std::string_view text) {
  if (!is_terminal_) return put(text);
  const std::string joined = cut_ + std::string(text);
  const std::size_t cut = cut_bytes(joined);
  cut_ = joined.substr(joined.size() - cut);
  show(std::string_view(joined).substr(0, joined.size() - cut));
}

void StandardOutput::show(std::string_view text) { put(printable_lines(text)); }

void StandardOutput::show_styled(std::string_view text) { put(text); }

void StandardOutput::flush() {
  show(cut_);
  cut_.clear();
  if (!is_closed_ && std::fflush(stdout) != 0) fail();
}

}  // namespace gdsim::cli
