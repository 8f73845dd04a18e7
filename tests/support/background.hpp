#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace gdsim::testing {

/// `gdsim` of this build, running concurrently with the test. Its output is dropped, or its standard output goes to a
/// file. The destructor kills it if it still runs.
class Background {
 public:
  explicit Background(const std::vector<std::string>& words, const std::string& out = "/dev/null");
  ~Background();
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  bool is_running();
  void signal(int number) const;
  /// Waits for its end. Returns its exit status, or 128 + the signal that ended it.
  int wait();

 private:
  void take(int state);

  pid_t child_;
  int status_ = -1;  ///< not known before its end
};

}  // namespace gdsim::testing
