import { Compartment, EditorState, type Extension, Text } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { basicSetup } from "codemirror";
import { editorTheme } from "./editor-theme";
import { languageOf } from "./language-of";

export interface TextEditor {
  /** With the line breaks of the file. */
  text: () => string;
  /** The text that is in the file now. */
  markSaved: (text: string) => void;
  isChanged: () => boolean;
  setDark: (isDark: boolean) => void;
  close: () => void;
}

interface Editing {
  path: string;
  content: string;
  isDark: boolean;
  isReadOnly: boolean;
  onChange: (isChanged: boolean) => void;
  onSave: () => void;
}

/** Shows an editor in an element that is empty. Tab moves the focus, as everywhere on the page. */
export function createEditor(parent: HTMLElement, { path, content, onChange, ...options }: Editing): TextEditor {
  const separator = separatorOf(content);
  const read = (text: string) => Text.of(text.split(separator));
  const theme = new Compartment();
  let saved = read(content);
  const isChanged = () => !view.state.doc.eq(saved);
  const save = () => {
    options.onSave();
    return true;
  };
  const extensions: Extension[] = [
    keymap.of([{ key: "Mod-s", preventDefault: true, run: save }]),
    basicSetup,
    languageOf(path),
    theme.of(editorTheme(options.isDark)),
    EditorState.lineSeparator.of(separator),
    EditorState.readOnly.of(options.isReadOnly),
    // Browsers can focus what is editable anyway; axe looks for the attribute.
    EditorView.contentAttributes.of({ "aria-label": `Content of ${path}`, tabindex: "0" }),
    EditorView.updateListener.of(({ docChanged }) => docChanged && onChange(isChanged())),
  ];
  const view = new EditorView({ parent, state: EditorState.create({ doc: saved, extensions }) });
  return {
    text: () => view.state.sliceDoc(),
    markSaved: (text) => {
      saved = read(text);
      onChange(isChanged());
    },
    isChanged,
    setDark: (isDark) => view.dispatch({ effects: theme.reconfigure(editorTheme(isDark)) }),
    close: () => view.destroy(),
  };
}

const LONE_LINE_FEED = /(^|[^\r])\n/;

/** A file with mixed line breaks keeps its carriage returns in the lines. */
const separatorOf = (content: string): string =>
  content.includes("\r\n") && !LONE_LINE_FEED.test(content) ? "\r\n" : "\n";
