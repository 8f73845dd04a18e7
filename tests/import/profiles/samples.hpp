#pragma once

#include <gdsim/import/profiles/profile.hpp>

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace gdsim::testing {

/// Small profiles in the layouts of the tools that make them: a name of a file, and its bytes.
struct SampleProfile {
  std::string name;
  std::string bytes;
};

/// One of each format that is a text or a binary file of its own. `vector_add` is launched in each.
std::vector<SampleProfile> sample_profiles();
const std::string& sample(const std::string& name);

/// Reads bytes as a profile.
Profile profile_of(const std::string& bytes, const std::string& name = "profile");

/// What is wrong with bytes that are no profile, or a damaged one; fails the test if nothing is.
std::string problem_of(const std::string& bytes);

/// Writes a database of Nsight Systems with two kernels and a copy, by statements that may be changed.
std::vector<std::string> nsys_statements();
void write_database(const std::filesystem::path& file, const std::vector<std::string>& statements);

/// The text so many times.
std::string repeated(const std::string& part, std::size_t times);

/// The bytes as gzip has them.
std::string gzipped(const std::string& bytes);

/// A Kineto trace with these events.
std::string trace_of(const std::string& events, const std::string& device = R"("name": "NVIDIA A100-SXM4-80GB")");

}  // namespace gdsim::testing
