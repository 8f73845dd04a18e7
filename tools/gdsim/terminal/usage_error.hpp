#pragma once

#include <stdexcept>

namespace gdsim::cli {

/// The command line cannot be understood. Printed with a pointer to --help; exit status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace gdsim::cli
