#pragma once

#include "terminal/log.hpp"

namespace gdsim::fuzz {

/// Hints about columns, a million times, would hide what a fuzzer reports.
inline void quiet_log() {
  static const bool is_quiet = [] {
    cli::set_up_log("off", cli::ColorMode::never);
    return true;
  }();
  static_cast<void>(is_quiet);
}

}  // namespace gdsim::fuzz
