#include <gdsim/import/nvidia/cubin.hpp>

#include <gdsim/base/text.hpp>
#include <gdsim/import/demangled.hpp>
#include <gdsim/import/text_lines.hpp>

#include <algorithm>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace gdsim {
namespace {

constexpr std::string_view kEntry = "Compiling entry function '";
constexpr std::string_view kFor = "' for '";
constexpr std::string_view kProperties = "Function properties for ";
constexpr std::string_view kUsed = ": Used ";
constexpr std::string_view kFrame = " bytes stack frame";
constexpr std::size_t kMaxJoined = 16;  ///< the most lines into which a terminal's width breaks one

bool holds(std::string_view line, std::string_view part) { return line.find(part) != std::string_view::npos; }

/// Returns true for what follows a comma of a line of uses: `38 registers`, `used 1 barriers`, `376 bytes cmem[0]`.
bool is_whole_use(std::string_view use) {
  if (use.starts_with("used ")) use.remove_prefix(5);
  const std::size_t digits = std::min(use.find_first_not_of("0123456789+"), use.size());
  std::string_view unit = use.substr(digits);
  if (digits == 0) return false;
  if (unit.starts_with(" bytes cmem[")) return unit.ends_with("]");
  for (const std::string_view known : {" registers", " barriers", " bytes cumulative stack size", " bytes smem",
                                       " bytes lmem", " bytes gmem", " textures", " samplers", " surfaces"})
    if (unit == known) return true;
  return false;
}

bool is_use(std::string_view line) { return holds(line, "ptxas") && holds(line, kUsed); }

bool are_whole_uses(std::string_view uses) {
  for (std::size_t comma = 0; comma != std::string_view::npos;) {
    comma = uses.find(',');
    if (!is_whole_use(trimmed(uses.substr(0, comma)))) return false;
    if (comma != std::string_view::npos) uses.remove_prefix(comma + 1);
  }
  return true;
}

/// Returns true if no more of a line of ptxas can follow on the next line.
bool is_whole(std::string_view line) {
  if (const std::size_t at = line.find(kEntry); at != std::string_view::npos) {
    const std::size_t name_end = line.find(kFor, at + kEntry.size());
    return name_end != std::string_view::npos && line.find('\'', name_end + kFor.size()) != std::string_view::npos;
  }
  if (holds(line, kFrame))
    return number_before(line, " bytes spill stores") && number_before(line, " bytes spill loads");
  return !is_use(line) || are_whole_uses(line.substr(line.find(kUsed) + kUsed.size()));
}

/// Returns true if a line was broken at a blank before `more`: if all uses but the last are whole only with one.
bool lost_blank(std::string_view line, std::string_view more) {
  if (line.ends_with(',') || more.starts_with(' ')) return true;
  if (!is_use(line) || !holds(more, ",")) return false;
  const std::string joined = std::string(line) + std::string(more);
  const std::size_t uses = joined.find(kUsed) + kUsed.size();
  return !are_whole_uses(std::string_view(joined).substr(uses, joined.rfind(',') - uses));
}

/// One call of read_ptxas_text().
class PtxasReader {
 public:
  PtxasReader(const SourceText& text, ReadBudget& budget) : lines_(text), budget_(budget) {}

  CompiledFile read() {
    while (const auto line = next_whole()) take(*line);
    finish();
    return std::move(file_);
  }

 private:
  std::optional<std::string> next_line() {
    if (!read_ahead_.empty()) {
      std::string line = std::move(read_ahead_.front());
      read_ahead_.pop_front();
      return line;
    }
    const auto line = lines_.next();
    return line ? std::optional<std::string>(*line) : std::nullopt;
  }

  bool next_begins_with_comma() {
    std::optional<std::string> more = next_line();
    if (!more) return false;
    const bool has_comma = trimmed(*more).starts_with(',');
    read_ahead_.push_front(std::move(*more));
    return has_comma;
  }

  /// Returns the next line, joined with those on which a terminal's width has continued it. If these do not make it
  /// whole, it is returned as it is.
  std::optional<std::string> next_whole() {
    std::optional<std::string> line = next_line();
    if (!line || (is_whole(*line) && !(is_use(*line) && next_begins_with_comma()))) return line;
    std::string joined = *line;
    std::deque<std::string> used;
    while (used.size() < kMaxJoined) {
      std::optional<std::string> more = next_line();
      if (!more) break;
      used.push_back(*more);
      if (holds(*more, "ptxas") || trimmed(*more).empty()) break;
      // A word is broken anywhere; a blank at the break is lost.
      for (const char* between : {"", " "}) {
        const std::string whole = joined + between + std::string(trimmed(*more));
        if (is_whole(whole)) return whole;
      }
      joined += (lost_blank(joined, *more) ? " " : "") + std::string(trimmed(*more));
    }
    read_ahead_.insert(read_ahead_.begin(), used.begin(), used.end());
    if (is_use(*line) && trimmed(*line).ends_with(','))
      lines_.fail("this line of ptxas is cut off: what follows its last comma is needed");
    return line;
  }

  /// Returns the function of a line of properties, which may go on in the next line.
  std::string described_by(std::string_view name) {
    std::string whole(trimmed(name));
    while (open_ && whole != open_->symbol && open_->symbol.starts_with(whole)) {
      std::optional<std::string> more = next_line();
      if (!more) break;
      const std::string longer = whole + std::string(trimmed(*more));
      if (trimmed(*more).empty() || !open_->symbol.starts_with(longer)) {
        read_ahead_.push_front(std::move(*more));
        break;
      }
      whole = longer;
    }
    return whole;
  }

  void take(std::string_view line) {
    if (const std::size_t begin = line.find(kEntry); begin != std::string_view::npos) {
      finish();
      open(line.substr(begin + kEntry.size()));
    } else if (const std::size_t properties_at = line.find(kProperties); properties_at != std::string_view::npos) {
      described_ = described_by(line.substr(properties_at + kProperties.size()));
    } else if (holds(line, kFrame)) {
      take_frame(line);
    } else if (is_use(line)) {
      take_use(line);
    }
  }

  void open(std::string_view quoted) {
    const std::size_t end = quoted.find(kFor);
    const std::size_t last = end == std::string_view::npos ? end : quoted.find('\'', end + kFor.size());
    if (last == std::string_view::npos || end == 0)
      lines_.fail("this line of ptxas is cut off: 'FUNCTION' for 'sm_NN' is needed");
    CompiledKernel kernel;
    kernel.symbol = quoted.substr(0, end);
    if (kernel.symbol.size() > kMaxSymbol) lines_.fail("the name of a kernel is longer than 65536 bytes");
    kernel.name = demangled(kernel.symbol);
    kernel.vendor = GpuVendor::nvidia;
    kernel.target = quoted.substr(end + kFor.size(), last - end - kFor.size());
    kernel.sub_group = 32;
    open_ = std::move(kernel);
  }

  /// Reads the kernel's own frame; functions that it calls have frames of their own.
  void take_frame(std::string_view line) {
    if (!open_ || described_ != open_->symbol) return;
    const auto stack = number_before(line, kFrame);
    const auto stores = number_before(line, " bytes spill stores");
    const auto loads = number_before(line, " bytes spill loads");
    if (!stack || !stores || !loads)
      lines_.fail("this line of ptxas is cut off: bytes of stack frame, spill stores and spill loads are needed");
    if (!open_->stack) open_->stack = stack;
    open_->spill_stores = stores;
    open_->spill_loads = loads;
  }

  void take_use(std::string_view line) {
    if (!open_) return;
    const auto registers = number_before(line, " registers");
    constexpr std::uint64_t most = 65'536;
    if (!registers || *registers > most)
      lines_.fail("this line of ptxas is cut off: the number of registers is needed");
    open_->registers = static_cast<std::uint32_t>(*registers);
    open_->static_slm = number_before(line, " bytes smem").value_or(0);  // left out if there is none
    // ptxas before CUDA 12.4 prints no barriers at all.
    if (const auto barriers = number_before(line, " barriers"); barriers && *barriers <= most)
      open_->barriers = static_cast<std::uint32_t>(*barriers);
    if (const auto stack = number_before(line, " bytes cumulative stack size")) open_->stack = stack;
    budget_.keep(sizeof(CompiledKernel) + open_->symbol.size());
    file_.kernels.push_back(std::move(*open_));
    open_.reset();
  }

  void finish() {
    if (open_) lines_.fail("the kernel " + open_->name + " has no line `Used N registers`; was the text cut off?");
    described_.clear();
  }

  static constexpr std::size_t kMaxSymbol = 65'536;

  TextLines lines_;
  ReadBudget& budget_;
  std::deque<std::string> read_ahead_;
  CompiledFile file_;
  std::optional<CompiledKernel> open_;  ///< its registers were not reported yet
  std::string described_;               ///< the function to which the next properties belong
};

}  // namespace

bool is_ptxas_text(const SourceText& text) {
  return text.text().find("ptxas info") != std::string::npos && text.text().find(kEntry) != std::string::npos;
}

CompiledFile read_ptxas_text(const SourceText& text, ReadBudget& budget) { return PtxasReader(text, budget).read(); }

namespace {

constexpr std::string_view kFunction = "Function ";
constexpr std::string_view kArchitecture = "arch = ";

CompiledKernel kernel_of_usage(const std::string& symbol, const std::string& target, std::string_view line,
                               const TextLines& lines) {
  CompiledKernel kernel;
  kernel.symbol = symbol;
  kernel.name = demangled(symbol);
  kernel.vendor = GpuVendor::nvidia;
  kernel.target = target;
  kernel.sub_group = 32;
  const auto registers = number_behind(line, "REG:");
  const auto stack = number_behind(line, "STACK:");
  kernel.static_slm = number_behind(line, "SHARED:");
  constexpr std::uint64_t most = 65'536;
  if (!registers || *registers > most || !stack || !kernel.static_slm)
    lines.fail("REG:, STACK: and SHARED: with their numbers are needed of the kernel " + symbol);
  kernel.registers = static_cast<std::uint32_t>(*registers);
  kernel.stack = stack;
  // The value is the size of the section, as in a cubin.
  kernel.slm_may_hold_reserve = true;
  return kernel;
}

}  // namespace

bool is_resource_usage_text(const SourceText& text) {
  return text.text().find("Resource usage:") != std::string::npos && text.text().find("REG:") != std::string::npos;
}

CompiledFile read_resource_usage_text(const SourceText& text, ReadBudget& budget) {
  TextLines lines(text);
  CompiledFile file;
  std::string target;
  std::optional<std::string> symbol;
  while (const auto whole = lines.next()) {
    const std::string_view line = trimmed(*whole);
    if (line.starts_with(kArchitecture)) {
      target = trimmed(line.substr(kArchitecture.size()));
    } else if (line.starts_with(kFunction) && line.ends_with(":")) {
      symbol = line.substr(kFunction.size(), line.size() - kFunction.size() - 1);
      constexpr std::size_t most = 65'536;
      if (symbol->empty() || symbol->size() > most) lines.fail("the name of a kernel has 1 to 65536 bytes");
    } else if (symbol && line.starts_with("REG:")) {
      budget.keep(sizeof(CompiledKernel) + symbol->size());
      file.kernels.push_back(kernel_of_usage(*symbol, target, line, lines));
      symbol.reset();
    }
  }
  if (symbol) lines.fail("the kernel " + *symbol + " has no line `REG:N ...`; was the text cut off?");
  return file;
}

}  // namespace gdsim
