#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gdsim::cli {

/// A topic of `gdsim help NAME` that is not a command. It has a manual page gdsim-NAME(5).
struct ReferenceTopic {
  std::string_view name;     ///< `scenario`
  std::string_view summary;  ///< one line for lists
};

/// All of them, in the order in which help lists them: kinds of files, and `words`.
const std::vector<ReferenceTopic>& reference_topics();

/// Returns the topic of this name, or null if there is none.
const ReferenceTopic* find_topic(std::string_view name);

/// Returns every key of the topic's files, each with a line and an example, or the glossary, in at most 100 columns.
std::string reference_text(const ReferenceTopic& topic);

/// Returns whether the text has the word in it, in upper or lower case, with or without `-` and `_`.
bool says(std::string_view text, std::string_view word);

/// Returns where help says() this word: terms of other tools, keys, columns. Keys of exactly this
/// name come with what they mean and an example. Empty if nothing says it.
std::string search_text(std::string_view word);

/// Returns a topic as a manual page of section 5, in roff.
std::string reference_page(const ReferenceTopic& topic);

/// Escapes a text so that roff shows it as it is: without requests or escapes, and with dashes as ASCII hyphens.
std::string roff_escaped(std::string_view text);

/// Returns the head and the NAME section of a manual page, such as `gdsim-run` in section 1.
std::string roff_head(std::string_view name, int section, std::string_view summary);

}  // namespace gdsim::cli
