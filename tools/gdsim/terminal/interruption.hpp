#pragma once

#include <stop_token>

namespace gdsim::cli {

/// From now on, the first SIGINT, SIGTERM or SIGHUP (unless it is ignored, as under nohup) requests that runs end at
/// the next instant, with all their files. One that arrives half a second later or more ends the program at once; the
/// next run removes what it left. Returns what the first requests. Called once, before any other thread begins.
std::stop_token watch_for_interruption();

}  // namespace gdsim::cli
