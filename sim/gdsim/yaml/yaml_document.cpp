#include <gdsim/yaml/yaml_node.hpp>

#include <gdsim/base/read_budget.hpp>

#include <yaml.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <utility>
#include <vector>

namespace gdsim {
namespace {

constexpr int kDeepest = 64;

/// Owns libyaml's parser.
class Parser {
 public:
  explicit Parser(const SourceText& source) : source_(source) {
    yaml_parser_initialize(&parser_);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(source.text().data()),
                                 source.text().size());
  }
  ~Parser() { yaml_parser_delete(&parser_); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  yaml_parser_t* get() { return &parser_; }
  SourceMark mark(const yaml_mark_t& mark) const {
    return {&source_, static_cast<std::uint32_t>(mark.line + 1), static_cast<std::uint32_t>(mark.column + 1)};
  }
  /// Returns the place of a byte that is not text, which libyaml's reader reports by offset.
  SourceMark mark_of_offset(std::size_t offset) const {
    SourceMark mark{&source_, 1, 1};
    for (std::size_t i = 0; i < offset && i < source_.text().size(); ++i) {
      const auto byte = static_cast<unsigned char>(source_.text()[i]);
      if (byte == '\n') {
        ++mark.line;
        mark.column = 1;
      } else if ((byte & 0xC0U) != 0x80U) {
        ++mark.column;
      }
    }
    return mark;
  }

 private:
  const SourceText& source_;
  yaml_parser_t parser_{};
};

/// Owns one libyaml event.
class YamlEvent {
 public:
  YamlEvent() = default;
  ~YamlEvent() { yaml_event_delete(&event_); }
  YamlEvent(const YamlEvent&) = delete;
  YamlEvent& operator=(const YamlEvent&) = delete;

  yaml_event_t* get() { return &event_; }
  yaml_event_type_t type() const { return event_.type; }
  const yaml_event_t& raw() const { return event_; }

 private:
  yaml_event_t event_{};
};

/// Thrown when no more can be read. The problem is already recorded.
struct Unreadable {};

/// The elements of incomplete sequences and mappings, those of the innermost last. Complete ones get a vector of their
/// exact size.
template <class Element>
class OpenElements {
 public:
  std::size_t size() const { return elements_.size(); }
  const Element& operator[](std::size_t i) const { return elements_[i]; }
  void add(Element element) { elements_.push_back(std::move(element)); }
  /// Removes and returns the elements from `begin` on.
  std::vector<Element> close(std::size_t begin) {
    const auto first = elements_.begin() + static_cast<std::ptrdiff_t>(begin);
    std::vector<Element> closed(std::make_move_iterator(first), std::make_move_iterator(elements_.end()));
    elements_.erase(first, elements_.end());
    return closed;
  }

 private:
  std::vector<Element> elements_;
};

/// Finds the entries of a mapping while it grows: the first few by linear search, later ones by a hash table.
class EntryFinder {
 public:
  explicit EntryFinder(const OpenElements<YamlEntry>& open) : open_(open), begin_(open.size()) {}

  std::size_t begin() const { return begin_; }
  /// Returns the entry of this key. If there is none, returns null, and the key belongs to the entry that must be added
  /// next.
  const YamlEntry* find_or_claim(const std::string& key) {
    constexpr std::size_t few = 16;
    const std::size_t count = open_.size() - begin_;
    if (count < few) {
      for (std::size_t i = begin_; i < open_.size(); ++i)
        if (open_[i].key == key) return &open_[i];
      return nullptr;
    }
    if (count == few)
      for (std::size_t i = 0; i < few; ++i) find_or_note(open_[begin_ + i].key, i);
    return find_or_note(key, count);
  }

 private:
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t entry = 0;  ///< from 1; 0: free
  };

  const YamlEntry* find_or_note(const std::string& key, std::size_t index) {
    if (2 * index >= slots_.size()) grow();
    const auto hash = static_cast<std::uint32_t>(std::hash<std::string>{}(key));
    Slot* slot = &slot_of(hash);
    for (; slot->entry != 0; slot = next(slot))
      if (slot->hash == hash && open_[begin_ + slot->entry - 1].key == key) return &open_[begin_ + slot->entry - 1];
    *slot = {hash, static_cast<std::uint32_t>(index + 1)};
    return nullptr;
  }
  void grow() {
    std::vector<Slot> slots(std::max<std::size_t>(64, 2 * slots_.size()));
    slots_.swap(slots);
    for (const Slot& old : slots) {
      if (old.entry == 0) continue;
      Slot* slot = &slot_of(old.hash);
      while (slot->entry != 0) slot = next(slot);
      *slot = old;
    }
  }
  Slot& slot_of(std::uint32_t hash) { return slots_[hash & (slots_.size() - 1)]; }
  Slot* next(Slot* slot) { return slot == &slots_.back() ? slots_.data() : slot + 1; }

  const OpenElements<YamlEntry>& open_;
  std::size_t begin_;
  std::vector<Slot> slots_;  ///< a power of two
};

/// Builds the tree from events, one recursive call per level.
class TreeBuilder {
 public:
  /// If `only` is given, only the value of that key of the outermost mapping is built.
  TreeBuilder(const SourceText& source, Diagnostics& problems, std::optional<std::string_view> only = std::nullopt)
      : parser_(source), problems_(problems), only_(only) {}

  YamlNode build() {
    expect(YAML_STREAM_START_EVENT);
    YamlEvent start;
    next(start);
    if (start.type() == YAML_STREAM_END_EVENT) fail(parser_.mark_of_offset(0), "there is nothing here");
    YamlEvent first;
    next(first);
    YamlNode root = node(first, 1);
    expect(YAML_DOCUMENT_END_EVENT);
    YamlEvent last;
    next(last);
    if (last.type() != YAML_STREAM_END_EVENT)
      fail(parser_.mark(last.raw().start_mark), "a second document begins here; a file holds one");
    return root;
  }

 private:
  [[noreturn]] void fail(const SourceMark& mark, std::string message) {
    problems_.add(mark, std::move(message));
    throw Unreadable{};
  }

  void next(YamlEvent& event) {
    if (yaml_parser_parse(parser_.get(), event.get()) == 0) fail_in_libyaml();
  }

  void expect(yaml_event_type_t type) {
    YamlEvent event;
    next(event);
    if (event.type() != type) fail(parser_.mark(event.raw().start_mark), "the document does not end here");
  }

  [[noreturn]] void fail_in_libyaml();

  YamlNode node(const YamlEvent& event, int depth) {
    const SourceMark mark = parser_.mark(event.raw().start_mark);
    if (!budget_.take(ReadCost::entries, 1)) fail(mark, "the file " + budget_.sentence_for(ReadCost::entries));
    switch (event.type()) {
      case YAML_SCALAR_EVENT: return scalar(event, mark);
      case YAML_SEQUENCE_START_EVENT: return sequence(event, mark, depth);
      case YAML_MAPPING_START_EVENT: return mapping(event, mark, depth);
      case YAML_ALIAS_EVENT: fail(mark, "aliases (*name) are not allowed; write the value out");
      default: fail(mark, "a value was expected here");
    }
  }

  void refuse_properties(const SourceMark& mark, const yaml_char_t* anchor, const yaml_char_t* tag) {
    if (anchor != nullptr) problems_.add(mark, "anchors (&name) are not allowed");
    if (tag != nullptr) problems_.add(mark, "tags (!name) are not allowed");
  }

  void refuse_depth(const SourceMark& mark, int depth) {
    if (depth > kDeepest) fail(mark, "nested deeper than 64 levels");
  }

  YamlNode scalar(const YamlEvent& event, const SourceMark& mark) {
    const auto& data = event.raw().data.scalar;
    refuse_properties(mark, data.anchor, data.tag);
    YamlNode result;
    result.mark = mark;
    result.style = data.style == YAML_PLAIN_SCALAR_STYLE ? YamlNode::Style::plain : YamlNode::Style::quoted;
    result.text.assign(reinterpret_cast<const char*>(data.value), data.length);
    return result;
  }

  YamlNode sequence(const YamlEvent& event, const SourceMark& mark, int depth) {
    const auto& data = event.raw().data.sequence_start;
    refuse_properties(mark, data.anchor, data.tag);
    refuse_depth(mark, depth);
    YamlNode result;
    result.kind = YamlNode::Shape::sequence;
    result.mark = mark;
    const std::size_t begin = items_.size();
    while (true) {
      YamlEvent item;
      next(item);
      if (item.type() == YAML_SEQUENCE_END_EVENT) break;
      items_.add(node(item, depth + 1));
    }
    result.items = items_.close(begin);
    return result;
  }

  YamlNode mapping(const YamlEvent& event, const SourceMark& mark, int depth) {
    const auto& data = event.raw().data.mapping_start;
    refuse_properties(mark, data.anchor, data.tag);
    refuse_depth(mark, depth);
    YamlNode result;
    result.kind = YamlNode::Shape::mapping;
    result.mark = mark;
    EntryFinder finder(entries_);
    while (true) {
      YamlEvent key_event;
      next(key_event);
      if (key_event.type() == YAML_MAPPING_END_EVENT) break;
      YamlNode key = node(key_event, depth + 1);
      if (depth == 1 && only_ && key.text != *only_) {
        pass_value();
        continue;
      }
      YamlEvent value_event;
      next(value_event);
      YamlNode value = node(value_event, depth + 1);
      if (!key.is_scalar()) {
        problems_.add(key.mark, "a key must be text, not " + describe(key));
      } else if (const YamlEntry* first = finder.find_or_claim(key.text); first != nullptr) {
        problems_.add(key.mark, "the key " + describe(key) + " stands here again; it was first given in line " +
                                    std::to_string(first->key_mark.line));
      } else {
        entries_.add({std::move(key.text), key.mark, std::move(value)});
      }
    }
    result.entries = entries_.close(finder.begin());
    return result;
  }

  void pass_value() {
    std::size_t open = 0;
    do {
      YamlEvent event;
      next(event);
      const yaml_event_type_t type = event.type();
      if (type == YAML_SEQUENCE_START_EVENT || type == YAML_MAPPING_START_EVENT) ++open;
      if (type == YAML_SEQUENCE_END_EVENT || type == YAML_MAPPING_END_EVENT) --open;
    } while (open > 0);
  }

  Parser parser_;
  Diagnostics& problems_;
  std::optional<std::string_view> only_;
  ReadBudget budget_;
  OpenElements<YamlNode> items_;
  OpenElements<YamlEntry> entries_;
};

/// libyaml's messages, in terms of a scenario file.
std::string plain_words(const std::string& problem, char at) {
  if (problem == "found character that cannot start any token" && at == '\t') return "a tab cannot indent; use spaces";
  if (problem == "found a tab character where an indentation space is expected" ||
      problem == "found a tab character that violates indentation")
    return "a tab cannot indent; use spaces";
  if (problem == "mapping values are not allowed in this context")
    return "a ':' is not expected here: check the indentation, or put the text before it in quotes";
  if (problem == "did not find expected key")
    return "a key was expected here: check the indentation and the line before";
  return "this is not valid YAML: " + problem;
}

void TreeBuilder::fail_in_libyaml() {
  const yaml_parser_t& parser = *parser_.get();
  const std::string problem = parser.problem != nullptr ? parser.problem : "unknown problem";
  if (parser.error == YAML_READER_ERROR)
    fail(parser_.mark_of_offset(parser.problem_offset), "this is not a text file in UTF-8: " + problem);
  if (parser.error == YAML_MEMORY_ERROR) fail({}, "not enough memory to read the file");
  const std::string context = parser.context != nullptr ? parser.context : "";
  if (problem == "found unexpected end of stream" && context == "while scanning a quoted scalar")
    fail(parser_.mark(parser.context_mark), "this quote is never closed");
  if (problem == "did not find expected ',' or ']'" || problem == "did not find expected ',' or '}'")
    fail(parser_.mark(parser.context_mark), "this bracket is never closed, or a ',' is missing behind it");
  if (problem == "could not find expected ':'")
    fail(parser_.mark(parser.context_mark), "a ':' with a space behind it is missing after this key");
  const SourceMark mark = parser_.mark(parser.problem_mark);
  const std::string_view line = mark.source->line(mark.line);
  fail(mark, plain_words(problem, mark.column <= line.size() ? line[mark.column - 1] : ' '));
}

}  // namespace

std::optional<YamlNode> read_yaml(const SourceText& source, Diagnostics& problems) {
  try {
    return TreeBuilder(source, problems).build();
  } catch (const Unreadable&) {
    return std::nullopt;
  }
}

std::optional<YamlNode> read_yaml_value(const SourceText& source, std::string_view key) {
  Diagnostics problems;
  try {
    YamlNode root = TreeBuilder(source, problems, key).build();
    if (!problems.empty() || root.entries.empty()) return std::nullopt;
    return std::move(root.entries.front().value);
  } catch (const Unreadable&) {
    return std::nullopt;
  }
}

}  // namespace gdsim
