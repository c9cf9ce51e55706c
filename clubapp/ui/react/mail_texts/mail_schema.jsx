import { DOMParser as Parser, Fragment, Mark, Schema, Slice } from "prosemirror-model";

/** What begins a formatted text, as the server knows it (formatted_text.py). */
export const MARK = "<!--html-->";
const VARIABLE = /\{\{\s*(\w+)\s*\}\}/g;
const ADDRESS = /^(https?:\/\/|mailto:|tel:)/i;
const IN_TEXT = /https?:\/\/[^\s<>"]*[^\s<>".,;:!?)»\u00a0]/g;
const PICTURE = /^\/media\/logos\/[0-9]{1,20}-[0-9a-z]{8,40}\.jpg$/;
const WIDEST = 526;
const BETWEEN_CELLS = " | ";
const KEPT = new Set(["href", "src", "alt", "width", "style", "data-variable", "data-pm-slice"]);

export const isAddress = (text) => ADDRESS.test(text);
const pathOf = (source) => (source ?? "").replace(location.origin, "").replace(/\?w=\d+$/, "");
const widthOf = (node) => Math.min(Number.parseInt(node.getAttribute("width"), 10) || WIDEST, WIDEST);
const isBold = (node) => !/^(normal|[1-4]00)$/.test(node.style.fontWeight) && null;

const variable = {
  inline: true, group: "inline", atom: true, attrs: { name: {}, label: {} }, marks: "_",
  toDOM: ({ attrs }) => ["span", { class: "variable-chip", "data-variable": attrs.name, title: `{{${attrs.name}}}` }, attrs.label],
  parseDOM: [{
    tag: "span[data-variable]",
    getAttrs: (node) => ({ name: node.dataset.variable, label: node.textContent }),
  }],
  leafText: ({ attrs }) => `{{${attrs.name}}}`,
};

/** Everything a mail's text may hold: what is pasted and has no place here is left out. */
export const schema = new Schema({
  nodes: {
    doc: { content: "block+" },
    paragraph: { content: "inline*", group: "block", toDOM: () => ["p", 0], parseDOM: [{ tag: "p" }] },
    bullet_list: { content: "list_item+", group: "block", toDOM: () => ["ul", 0], parseDOM: [{ tag: "ul" }] },
    ordered_list: { content: "list_item+", group: "block", toDOM: () => ["ol", 0], parseDOM: [{ tag: "ol" }] },
    list_item: { content: "paragraph", defining: true, toDOM: () => ["li", 0], parseDOM: [{ tag: "li" }] },
    text: { group: "inline" },
    hard_break: {
      inline: true, group: "inline", selectable: false, toDOM: () => ["br"], parseDOM: [{ tag: "br" }],
      leafText: () => "\n",
    },
    variable,
    picture: {
      inline: true, group: "inline", attrs: { path: {}, alt: { default: "" }, width: { default: WIDEST } },
      toDOM: ({ attrs }) => ["img", { src: `${attrs.path}?w=768`, alt: attrs.alt, width: String(attrs.width) }],
      parseDOM: [{
        tag: "img[src]",
        getAttrs: (node) => {
          const path = pathOf(node.getAttribute("src"));
          return PICTURE.test(path) && { path, alt: node.getAttribute("alt") ?? "", width: widthOf(node) };
        },
      }],
    },
  },
  marks: {
    link: {
      attrs: { href: {} }, inclusive: false,
      toDOM: ({ attrs }) => ["a", { href: attrs.href, title: attrs.href }, 0],
      parseDOM: [{
        tag: "a[href]",
        getAttrs: (node) => {
          const href = node.getAttribute("href").trim();
          return isAddress(href) && { href };
        },
      }],
    },
    strong: {
      toDOM: () => ["strong", 0],
      parseDOM: [
        { tag: "strong" }, { tag: "b", getAttrs: isBold },
        { style: "font-weight", getAttrs: (value) => /^(bold(er)?|[5-9]\d{2})$/.test(value) && null },
      ],
    },
    em: { toDOM: () => ["em", 0], parseDOM: [{ tag: "em" }, { tag: "i" }, { style: "font-style=italic" }] },
  },
});

/** Texts and chips of a text that holds `{{NAMES}}`; a name that is no variable stays as typed, and is refused by name. */
function inlineOf(text, labels) {
  const nodes = [];
  let from = 0;
  for (const found of text.matchAll(VARIABLE)) {
    if (!Object.hasOwn(labels, found[1])) continue;
    if (found.index > from) nodes.push(schema.text(text.slice(from, found.index)));
    nodes.push(schema.nodes.variable.create({ name: found[1], label: labels[found[1]] }));
    from = found.index + found[0].length;
  }
  if (from < text.length) nodes.push(schema.text(text.slice(from)));
  return nodes;
}

function paragraphsOf(text, { labels, isEachLine }) {
  const blocks = text.replace(/\r\n?/g, "\n").split(isEachLine ? /\n+/ : /\n[^\S\n]*(?:\n[^\S\n]*)+/);
  return blocks.map((block) => schema.nodes.paragraph.create(null, block.split("\n").flatMap((line, at) =>
    [...(at ? [schema.nodes.hard_break.create()] : []), ...inlineOf(line, labels)])));
}

const isSpace = (node) => !node.textContent.replace(/[\s\u00a0]/g, "") && !node.querySelector("img");
const markerOf = (item) => [...item.querySelectorAll("[style]")]
  .find((node) => /mso-list:\s*ignore/i.test(node.getAttribute("style")));
const isWordItem = (node) => node?.nodeType === 1 && /mso-list:\s*l\d/i.test(node.getAttribute("style") ?? "");

/** Word's lists are paragraphs with a drawn mark. */
function makeLists(body) {
  for (const first of body.querySelectorAll("p")) {
    if (!first.isConnected || !isWordItem(first)) continue;
    const mark = markerOf(first)?.textContent.trim() ?? "";
    const list = first.ownerDocument.createElement(/^[\da-z]+[.)]/i.test(mark) && mark !== "o" ? "ol" : "ul");
    first.before(list);
    for (let item = first; isWordItem(item);) {
      const next = item.nextElementSibling;
      markerOf(item)?.remove();
      const entry = first.ownerDocument.createElement("li");
      entry.append(...item.childNodes);
      list.append(entry);
      item.remove();
      item = next;
    }
  }
}

const BLOCKS = "p, div, ul, ol, li, h1, h2, h3, h4, h5, h6";

/** A row of a table: one line of its cells, or cell below cell where one of them holds several paragraphs. */
function linesOf(row) {
  const document = row.ownerDocument;
  const cells = (row.localName === "tr" ? [...row.cells] : [row]).filter((cell) => !isSpace(cell));
  if (cells.some((cell) => [...cell.querySelectorAll(BLOCKS)].filter((node) => !isSpace(node)).length > 1)) {
    return cells.map((cell) => {
      const block = document.createElement("div");
      block.append(...cell.childNodes);
      return block;
    });
  }
  const line = document.createElement("p");
  cells.forEach((cell, at) => {
    if (at) line.append(BETWEEN_CELLS);
    cell.querySelectorAll(BLOCKS).forEach((node) => node.replaceWith(...node.childNodes));
    line.append(...cell.childNodes);
  });
  return cells.length ? [line] : [];
}

/** A mail has no tables: their rows become lines, those of an inner table first. */
function unfoldTables(body) {
  for (const table of [...body.querySelectorAll("table")].reverse()) {
    table.replaceWith(...[...table.querySelectorAll("caption, tr")].flatMap(linesOf));
  }
}

/** The parsed document runs nothing; the page's policy would still complain of handlers in it. */
const withoutHandlers = (tag) => tag.replace(/([\s"'/])on[a-z]+\s*=/gi, "$1data-left=");

/** What was copied elsewhere, without what only its program understands. */
export function tidy(html, labels) {
  const { body } = new DOMParser().parseFromString(html.replace(/<[^<>]*>/g, withoutHandlers), "text/html");
  body.querySelectorAll("style, script, title, meta, link, xml, template, noscript").forEach((node) => node.remove());
  makeLists(body);
  unfoldTables(body);
  for (const node of body.querySelectorAll("*")) {
    for (const { name } of [...node.attributes]) if (!KEPT.has(name)) node.removeAttribute(name);
    if (node.dataset.variable === undefined) continue;
    if (Object.hasOwn(labels, node.dataset.variable)) node.textContent = labels[node.dataset.variable];
    else delete node.dataset.variable;
  }
  body.querySelectorAll("img").forEach((node) => PICTURE.test(pathOf(node.getAttribute("src"))) || node.remove());
  for (const title of body.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const line = body.ownerDocument.createElement("p");
    const strong = body.ownerDocument.createElement("strong");
    strong.append(...title.childNodes);
    line.append(strong);
    title.replaceWith(line);
  }
  body.querySelectorAll("p, div").forEach((node) => isSpace(node) && !node.querySelector("p, div") && node.remove());
  const texts = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode()) if (texts.currentNode.data.includes("{{")) found.push(texts.currentNode);
  for (const text of found) {
    text.replaceWith(...inlineOf(text.data, labels).map((node) => {
      if (node.isText) return body.ownerDocument.createTextNode(node.text);
      const chip = body.ownerDocument.createElement("span");
      Object.assign(chip.dataset, { variable: node.attrs.name });
      chip.textContent = node.attrs.label;
      return chip;
    }));
  }
  return body;
}

/** The document of a stored text, plain or formatted. */
export function read(text, options) {
  if (!text.startsWith(MARK)) return schema.nodes.doc.create(null, paragraphsOf(text, options));
  return Parser.fromSchema(schema).parse(tidy(text.slice(MARK.length), options.labels));
}

/** A pasted plain text. */
export const pastedText = (text, options) => new Slice(Fragment.from(paragraphsOf(text, options)), 1, 1);

const escaped = (text) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/\u00a0/g, "&nbsp;");
const quoted = (text) => escaped(text).replace(/"/g, "&quot;");
const linked = (text) => {
  let [html, from] = ["", 0];
  for (const { 0: address, index } of text.matchAll(IN_TEXT)) {
    html += `${escaped(text.slice(from, index))}<a href="${quoted(address)}">${escaped(address)}</a>`;
    from = index + address.length;
  }
  return html + escaped(text.slice(from));
};

function leafHtml(node) {
  if (node.type === schema.nodes.hard_break) return "<br>";
  const { path, alt, width, name } = node.attrs;
  if (path) return `<img src="${path}" alt="${quoted(alt)}" width="${width}">`;
  if (name) return `{{${name}}}`;
  return (schema.marks.link.isInSet(node.marks) ? escaped : linked)(node.text);
}

const wrapped = (marks, html) => marks.toReversed().reduce((inside, { type, attrs }) => (
  attrs.href ? `<a href="${quoted(attrs.href)}">${inside}</a>` : `<${type.name}>${inside}</${type.name}>`
), html);

/** The words of a paragraph; neighbours with the same marks share their tags. */
function wordsHtml(paragraph) {
  const runs = [];
  paragraph.forEach((node) => {
    const run = runs.at(-1);
    if (run && Mark.sameSet(run.marks, node.marks)) run.html += leafHtml(node);
    else runs.push({ marks: node.marks, html: leafHtml(node) });
  });
  return runs.map(({ marks, html }) => wrapped(marks, html)).join("");
}

function blockHtml(node) {
  if (node.type === schema.nodes.paragraph) return `<p>${wordsHtml(node)}</p>`;
  const tag = node.type === schema.nodes.ordered_list ? "ol" : "ul";
  return `<${tag}>${node.content.content.map((item) => `<li>${wordsHtml(item.firstChild)}</li>`).join("")}</${tag}>`;
}

/** Whether a document holds more than paragraphs of words and variables. */
function isFormatted(doc) {
  let isFound = false;
  doc.descendants((node) => {
    isFound ||= node.marks.length > 0 || ["bullet_list", "ordered_list", "picture"].includes(node.type.name);
    return !isFound;
  });
  return isFound;
}

/** The stored text of a document: plain as long as plain text says all of it. */
export function write(doc) {
  if (!isFormatted(doc)) return doc.textBetween(0, doc.content.size, "\n\n").replace(/\n{3,}/g, "\n\n").trim();
  return MARK + doc.content.content.filter((node) => node.content.size).map(blockHtml).join("\n");
}
