import { baseKeymap, chainCommands, toggleMark } from "prosemirror-commands";
import { history, redo, undo } from "prosemirror-history";
import { InputRule, inputRules, undoInputRule, wrappingInputRule } from "prosemirror-inputrules";
import { keymap } from "prosemirror-keymap";
import { liftListItem, splitListItem, wrapInList } from "prosemirror-schema-list";
import { EditorState, TextSelection } from "prosemirror-state";
import { EditorView } from "prosemirror-view";
import { pastedText, read, schema, tidy, write } from "./mail_schema.jsx";

// The editor hears of what the last key selected a moment after it.
const SETTLE_MS = 50;
const { nodes, marks } = schema;

const isIn = (state, type) => {
  const { $from } = state.selection;
  return Array.from({ length: $from.depth + 1 }, (_, depth) => $from.node(depth)).some((node) => node.type === type);
};
/** The mark of this type at the cursor or in what is selected. */
function markAt({ selection: { empty, $from, from, to }, doc, storedMarks }, type) {
  let found = empty ? type.isInSet(storedMarks ?? $from.marks()) : undefined;
  if (!empty) doc.nodesBetween(from, to, (node) => { found ||= type.isInSet(node.marks); });
  return found;
}

/** A list of this kind around the paragraphs, or none where there is one already. */
const toggleList = (type) => (state, dispatch) => {
  if (isIn(state, type)) return liftListItem(nodes.list_item)(state, dispatch);
  const { $from } = state.selection;
  if ($from.depth > 1 && $from.node(-1).type === nodes.list_item) {
    dispatch?.(state.tr.setNodeMarkup($from.before(-2), type)); // the other kind
    return true;
  }
  return wrapInList(type)(state, dispatch);
};

const insertBreak = (state, dispatch) => {
  dispatch?.(state.tr.replaceSelectionWith(nodes.hard_break.create()).scrollIntoView());
  return true;
};
/** Backspace at the beginning of an item ends its list there. */
const leaveList = (state, dispatch) => {
  const { $cursor } = state.selection;
  return Boolean($cursor && !$cursor.parentOffset && isIn(state, nodes.list_item)) && liftListItem(nodes.list_item)(state, dispatch);
};

const typedVariable = (labels) => new InputRule(/\{\{\s*(\w+)\s*\}\}$/, (state, [, name], from, to) =>
  (Object.hasOwn(labels, name) ? state.tr.replaceWith(from, to, nodes.variable.create({ name, label: labels[name] })) : null));

const plugins = (labels, onLink) => [
  history(),
  inputRules({ rules: [
    typedVariable(labels),
    wrappingInputRule(/^\s*[-•]\s$/, nodes.bullet_list),
    wrappingInputRule(/^1[.)]\s$/, nodes.ordered_list),
  ] }),
  keymap({
    "Mod-b": toggleMark(marks.strong), "Mod-i": toggleMark(marks.em),
    "Mod-k": () => { setTimeout(onLink, SETTLE_MS); return true; },
    "Mod-z": undo, "Shift-Mod-z": redo, "Mod-y": redo,
    Enter: splitListItem(nodes.list_item), "Shift-Enter": insertBreak,
    Backspace: chainCommands(undoInputRule, leaveList),
  }),
  keymap(baseKeymap),
];

/** What the toolbar shows as pressed. */
const statusOf = (state) => ({
  strong: Boolean(markAt(state, marks.strong)),
  em: Boolean(markAt(state, marks.em)),
  bullet_list: isIn(state, nodes.bullet_list),
  ordered_list: isIn(state, nodes.ordered_list),
  link: markAt(state, marks.link)?.attrs.href ?? "",
  selected: !state.selection.empty,
});

/** The whole of the link at the cursor, so that it is changed or taken away as one. */
function linkRange({ doc, selection: { $from, from, to } }) {
  const mark = marks.link.isInSet($from.marks());
  if (!mark) return { from, to };
  const start = $from.start();
  const range = { from, to };
  doc.nodesBetween(start, $from.end(), (node, at) => {
    if (!node.isInline || !mark.isInSet(node.marks) || at > to || at + node.nodeSize < from) return;
    Object.assign(range, { from: Math.min(range.from, at), to: Math.max(range.to, at + node.nodeSize) });
  });
  return range;
}

/**
 * An editor over a field, which keeps the stored text: each writes into the other what is typed in it.
 * `onStatus` receives what the toolbar shows, `onLink` is called when Ctrl+K asks for a link.
 */
export default function openEditor({ place, field, labels, isEachLine, attributes, onStatus, onLink }) {
  const options = { labels, isEachLine };
  let written = field.value;
  const view = new EditorView(place, {
    state: EditorState.create({ doc: read(written, options), plugins: plugins(labels, onLink) }),
    attributes,
    transformPastedHTML: (html) => tidy(html, labels).innerHTML,
    clipboardTextParser: (text) => pastedText(text, options),
    clipboardTextSerializer: (slice) => slice.content.textBetween(0, slice.content.size, "\n\n"),
    dispatchTransaction(transaction) {
      const state = view.state.apply(transaction);
      view.updateState(state);
      onStatus(statusOf(state));
      if (!transaction.docChanged || transaction.getMeta("read")) return;
      written = write(state.doc);
      if (written === field.value) return;
      field.value = written;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    },
  });
  const follow = () => {
    if (field.value === written) return;
    written = field.value;
    const { tr, doc } = view.state;
    view.dispatch(tr.replaceWith(0, doc.content.size, read(written, options).content).setMeta("read", true));
  };
  field.addEventListener("input", follow);
  onStatus(statusOf(view.state));

  const run = (command) => { command(view.state, view.dispatch); view.focus(); };
  const insertNode = (node) => run((state, dispatch) =>
    dispatch(state.tr.replaceSelectionWith(node, true).scrollIntoView()));
  return {
    focus: () => view.focus(),
    toggle: (name) => run(marks[name] ? toggleMark(marks[name]) : toggleList(nodes[name])),
    undo: () => run(undo),
    insertVariable: (name) => insertNode(nodes.variable.create({ name, label: labels[name] ?? name })),
    insertPicture: (attrs) => insertNode(nodes.picture.create(attrs)),
    link: (href, words) => run((state, dispatch) => {
      const { from, to } = linkRange(state);
      const { tr } = state;
      if (from === to) tr.insert(from, schema.text(words || href));
      const end = from === to ? from + (words || href).length : to;
      tr.removeMark(from, end, marks.link);
      if (href) tr.addMark(from, end, marks.link.create({ href }));
      dispatch(tr.setSelection(TextSelection.create(tr.doc, end)).removeStoredMark(marks.link));
    }),
    /** Replaces the whole text; Ctrl+Z brings the one before back. */
    replace: (text) => run((state, dispatch) =>
      dispatch(state.tr.replaceWith(0, state.doc.content.size, read(text, options).content))),
    close: () => {
      field.removeEventListener("input", follow);
      view.destroy();
    },
  };
}
