import { css } from "@codemirror/lang-css";
import { html } from "@codemirror/lang-html";
import { javascript } from "@codemirror/lang-javascript";
import { json } from "@codemirror/lang-json";
import { markdown } from "@codemirror/lang-markdown";
import { python } from "@codemirror/lang-python";
import type { Extension } from "@codemirror/state";

const LANGUAGES: Readonly<Record<string, () => Extension>> = {
  js: javascript,
  mjs: javascript,
  cjs: javascript,
  jsx: () => javascript({ jsx: true }),
  ts: () => javascript({ typescript: true }),
  mts: () => javascript({ typescript: true }),
  tsx: () => javascript({ typescript: true, jsx: true }),
  py: python,
  json,
  md: markdown,
  html,
  htm: html,
  css,
};

/** The syntax of a file by the end of its name; nothing for one that is not known. */
export const languageOf = (path: string): Extension =>
  LANGUAGES[path.slice(path.lastIndexOf(".") + 1).toLowerCase()]?.() ?? [];
