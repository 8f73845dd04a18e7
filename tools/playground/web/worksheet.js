// Renders a lesson's Markdown: headings, paragraphs, preformatted text for code blocks and tables, and <details>.
"use strict";

const Worksheet = (() => {
  const made = (tag, ...content) => {
    const element = document.createElement(tag);
    element.append(...content);
    return element;
  };

  /// Words with `code`, **what is strong** and [links](elsewhere), of which the text is left: there is no elsewhere here.
  function inline(text) {
    const content = [];
    let from = 0;
    for (const match of text.matchAll(/`([^`]+)`|\*\*([^*]+)\*\*|!?\[([^\]]*)\]\([^)]*\)/g)) {
      content.push(text.slice(from, match.index));
      const [all, code, strong, link] = match;
      content.push(code !== undefined ? made("code", code) : strong !== undefined ? made("strong", strong) : link);
      from = match.index + all.length;
    }
    return [...content, text.slice(from)];
  }

  /// Wide ones are scrolled, also by keyboard.
  const scrolled = (text) => Object.assign(made("pre", text), {tabIndex: 0});

  /// The elements of a text.
  function elements(text) {
    const found = [];
    let fold = null; // the open <details>
    let lines = [];
    const add = (element) => (fold ? fold.append(element) : found.push(element));
    const end = () => {
      if (lines.length > 0 && lines[0].startsWith("|")) add(scrolled(lines.join("\n")));
      else if (lines.length > 0) add(made("p", ...inline(lines.join(" "))));
      lines = [];
    };
    for (const [i, part] of text.split(/^```.*\n/m).entries()) {
      if (i % 2 === 1) {
        add(scrolled(part));
        continue;
      }
      for (const line of part.split("\n")) {
        const heading = /^#+ (.*)/.exec(line);
        const opened = /^<details><summary>([^<]*)<\/summary>$/.exec(line);
        const isClosed = line === "</details>";
        if (heading || opened || isClosed || line.trim() === "") end();
        if (opened) found.push((fold = made("details", made("summary", opened[1]))));
        else if (isClosed) fold = null;
        else if (heading) add(made("h2", ...inline(heading[1])));
        else if (line.trim() !== "") lines.push(line);
      }
      end();
    }
    return found;
  }

  return {elements};
})();
