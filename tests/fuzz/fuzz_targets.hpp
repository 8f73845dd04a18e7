#pragma once

#include <string_view>

/// What is fed with hostile input. Each target takes any bytes, does what the program does with such a file, and
/// returns. Input that gdsim refuses (InputError) is a normal end. Anything else that escapes is a finding: another
/// exception, a sanitizer's report, a result that differs between two ways to the same result.
///
/// Work per input is bounded: the constants in each target say by what.
namespace gdsim::fuzz {

/// A scenario: read, run, evaluated, written in every format.
void scenario(std::string_view input);
/// A device file: read, shown, its occupancy and its curves computed, one kernel run on it.
void device(std::string_view input);
/// A measured CSV file: read in several units, compared with a run, drawn.
void measured(std::string_view input);
/// A table of `gdsim occupancy --table`.
void occupancy(std::string_view input);
/// A file of compiled kernels: read; PTX executed for a while; what of it runs on four devices is written as scenarios,
/// which must be YAML.
void compiled(std::string_view input);
/// A log of which work-group ran where: read; rules inferred from it on two devices, written in every format.
void placement_log(std::string_view input);
/// A profile: read; its launches planned on a small device and written as scenarios, which must be YAML.
void profile(std::string_view input);

}  // namespace gdsim::fuzz
