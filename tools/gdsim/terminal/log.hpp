#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gdsim::cli {

/// Whether to color the output to a terminal.
enum class ColorMode { automatic, always, never };

/// The levels, the most verbose first; `warn` is the default.
inline constexpr const char* kLogLevels = "trace debug info warn error critical off";

/// Sends the log to standard error. `level` overrides SPDLOG_LEVEL. Throws UsageError if it is not a level. Logging
/// never fails: a message that cannot be written is lost. Any thread may log.
void set_up_log(const std::optional<std::string>& level, ColorMode mode);

/// Returns true if messages of this level are written.
bool logs_trace();

void log_trace(std::string_view message);    ///< each file that is read, each point that begins
void log_debug(std::string_view message);    ///< what was compiled, and how many events a run handled
void log_info(std::string_view message);     ///< how a run ended, which files were written
void log_warning(std::string_view message);  ///< properties of a result that a user may not expect
/// Logs, unchanged and at the level of warnings, a command's report beside its result.
void log_report(std::string_view text);
/// Logs, unchanged, errors of the input: each text has `error` and its place.
void log_error(std::string_view text);
/// Logs a defect of gdsim, unchanged.
void log_critical(std::string_view text);

/// While an object of this class exists, warnings of all threads are collected instead of printed: for programs whose
/// output must hold only the result. At most one may exist at a time.
class KeptLog {
 public:
  KeptLog();
  ~KeptLog();
  KeptLog(const KeptLog&) = delete;
  KeptLog& operator=(const KeptLog&) = delete;

  /// Returns everything that was logged so far, as it would have been written.
  std::string text() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Reads `auto`, `always` or `never`. Throws UsageError otherwise.
ColorMode parse_color(const std::optional<std::string>& word);

/// Returns true if output to this file descriptor should be colored: if `mode` is automatic, unless NO_COLOR is set, on
/// a terminal with colors.
bool is_colored(ColorMode mode, int descriptor);

}  // namespace gdsim::cli
