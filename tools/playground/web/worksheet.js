// Renders a lesson's Markdown: headings, paragraphs, and preformatted text for code blocks and tables.
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

  /// The elements of a text.
  function elements(text) {
    const found = [];
    let lines = [];
    const end = () => {
      if (lines.length > 0 && lines[0].startsWith("|")) found.push(made("pre", lines.join("\n")));
      else if (lines.length > 0) found.push(made("p", ...inline(lines.join(" "))));
      lines = [];
    };
    for (const [i, part] of text.split(/^```.*\n/m).entries()) {
      if (i % 2 === 1) {
        found.push(made("pre", part));
        continue;
      }
      for (const line of part.split("\n")) {
        const heading = /^#+ (.*)/.exec(line);
        if (heading || line.trim() === "") end();
        if (heading) found.push(made("h2", ...inline(heading[1])));
        else if (line.trim() !== "") lines.push(line);
      }
      end();
    }
    for (const pre of found.filter(({tagName}) => tagName === "PRE")) pre.tabIndex = 0; // wide ones are scrolled
    return found;
  }

  return {elements};
})();
