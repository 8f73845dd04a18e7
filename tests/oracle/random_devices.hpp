#pragma once

#include <string>

namespace gdsim::oracle {

/// Draws a scenario of two to four devices with links: launches on one of them or on each, copies between them and the
/// host and each other, collectives, and launches that wait for those of other devices. It may be refused. Must be
/// called in a property.
std::string draw_devices();

}  // namespace gdsim::oracle
