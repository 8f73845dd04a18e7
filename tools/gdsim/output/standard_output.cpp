#include "output/standard_output.hpp"

#include <gdsim/base/diagnostic.hpp>
#include <gdsim/base/text.hpp>

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace gdsim::cli {

StandardOutput::StandardOutput() : is_terminal_(isatty(STDOUT_FILENO) == 1) {}

void StandardOutput::fail() {
  if (errno != EPIPE) throw InputError(std::string("standard output cannot be written: ") + std::strerror(errno));
  is_closed_ = true;
}

void StandardOutput::put(std::string_view text) {
  if (!is_closed_ && std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail();
}

void StandardOutput::write(std::string_view text) { is_terminal_ ? show(text) : put(text); }

void StandardOutput::show(std::string_view text) { put(printable_lines(text)); }

void StandardOutput::show_styled(std::string_view text) { put(text); }

void StandardOutput::flush() {
  if (!is_closed_ && std::fflush(stdout) != 0) fail();
}

}  // namespace gdsim::cli
