#include "standard_output.hpp"

#include <gdsim/base/diagnostic.hpp>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace gdsim::cli {

void StandardOutput::fail() {
  if (errno != EPIPE) throw InputError(std::string("standard output cannot be written: ") + std::strerror(errno));
  is_closed_ = true;
}

void StandardOutput::write(std::string_view text) {
  if (!is_closed_ && std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail();
}

void StandardOutput::flush() {
  if (!is_closed_ && std::fflush(stdout) != 0) fail();
}

}  // namespace gdsim::cli
