import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** Each colour has a contrast of at least 4.5 to the background (WCAG 2.2, 1.4.3). */
interface Colours {
  background: string;
  text: string;
  faint: string;
  line: string;
  selection: string;
  keyword: string;
  string: string;
  number: string;
  name: string;
  tag: string;
}

const LIGHT: Colours = {
  background: "#ffffff",
  text: "#1b1f27",
  faint: "#57606a",
  line: "#f3f4f680",
  selection: "#c7d7fe",
  keyword: "#7a3bc9",
  string: "#0a4a8f",
  number: "#0b5cad",
  name: "#6639ba",
  tag: "#116329",
};
const DARK: Colours = {
  background: "#0b0d12",
  text: "#e6e8ee",
  faint: "#9aa3af",
  line: "#1c213080",
  selection: "#36406a",
  keyword: "#ff7b72",
  string: "#a5d6ff",
  number: "#79c0ff",
  name: "#d2a8ff",
  tag: "#7ee787",
};

const themeOf = (colours: Colours, isDark: boolean): Extension => [
  EditorView.theme(
    {
      "&": { height: "28rem", fontSize: "13px", backgroundColor: colours.background, color: colours.text },
      ".cm-content": { caretColor: colours.text },
      ".cm-gutters": { backgroundColor: colours.background, color: colours.faint, border: "none" },
      ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: colours.line },
      ".cm-activeLineGutter": { color: colours.text },
      "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
        backgroundColor: colours.selection,
      },
      ".cm-cursor": { borderLeftColor: colours.text },
      ".cm-panels, .cm-tooltip": { backgroundColor: colours.background, color: colours.text },
      ".cm-foldPlaceholder": { backgroundColor: colours.background, color: colours.faint },
    },
    { dark: isDark },
  ),
  syntaxHighlighting(
    HighlightStyle.define([
      { tag: [tags.keyword, tags.operatorKeyword, tags.modifier, tags.controlKeyword], color: colours.keyword },
      { tag: [tags.string, tags.special(tags.string), tags.regexp], color: colours.string },
      { tag: [tags.number, tags.bool, tags.null, tags.atom], color: colours.number },
      { tag: [tags.comment, tags.meta], color: colours.faint },
      { tag: [tags.function(tags.variableName), tags.className, tags.typeName], color: colours.name },
      { tag: [tags.tagName, tags.propertyName, tags.attributeName], color: colours.tag },
      { tag: tags.heading, fontWeight: "bold" },
      { tag: tags.link, textDecoration: "underline" },
    ]),
  ),
];

const THEMES = { light: themeOf(LIGHT, false), dark: themeOf(DARK, true) };

export const editorTheme = (isDark: boolean): Extension => (isDark ? THEMES.dark : THEMES.light);
