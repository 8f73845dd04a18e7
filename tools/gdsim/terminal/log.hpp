#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace gdsim::cli {

/// Whether to colour what goes to a terminal.
enum class Color { automatic, always, never };

/// The levels, the most talkative first; `warn` is the default.
inline constexpr const char* kLogLevels = "trace debug info warn error critical off";

/// Sends the log to standard error. `level` wins over SPDLOG_LEVEL; throws UsageError if it is no level. Nothing that
/// is logged can fail: what cannot be written is lost. Any thread may log.
void set_up_log(const std::optional<std::string>& level, Color color);

/// Such a line would be written: what it says is worth being put together.
bool logs_trace();

void log_trace(std::string_view message);    ///< each file that is read, each point that is begun
void log_debug(std::string_view message);    ///< what was compiled, and what a run was fast-forwarded over
void log_info(std::string_view message);     ///< how a run ended, which files were written
void log_warning(std::string_view message);  ///< what a user may not expect of a result
/// What a command reports of its work beside its result, as it stands; at the level of warnings.
void log_report(std::string_view text);
/// What was wrong with the input, as it stands: it says for itself that it is an error, and where.
void log_error(std::string_view text);
/// A defect of gdsim, likewise.
void log_critical(std::string_view text);

/// While an object of this class exists, warnings of all threads are collected instead of printed: for programs in
/// whose output nothing else may appear. One at a time.
class KeptLog {
 public:
  KeptLog();
  ~KeptLog();
  KeptLog(const KeptLog&) = delete;
  KeptLog& operator=(const KeptLog&) = delete;

  /// What was logged so far, as it would have been written.
  std::string text() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// `auto`, `always`, `never`; throws UsageError otherwise.
Color parse_color(const std::optional<std::string>& word);

/// True if output to this file descriptor should be coloured: the flag first, then NO_COLOR, then
/// whether it is a terminal that can.
bool is_colored(Color color, int descriptor);

}  // namespace gdsim::cli
