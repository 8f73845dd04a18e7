#pragma once

#include <stop_token>

namespace gdsim::cli {

/// From now on, the first SIGINT, SIGTERM or SIGHUP (unless it is ignored, as under nohup) requests that runs end at
/// the next instant, with all their files. A signal half a second later or more ends the program at once; the next run
/// removes its left-over files. Returns the token of that request. Must be called once, before any other thread begins.
std::stop_token watch_for_interruption();

}  // namespace gdsim::cli
