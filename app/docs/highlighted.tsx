import bash from "highlight.js/lib/languages/bash";
import go from "highlight.js/lib/languages/go";
import javascript from "highlight.js/lib/languages/javascript";
import json from "highlight.js/lib/languages/json";
import python from "highlight.js/lib/languages/python";
import xml from "highlight.js/lib/languages/xml";
import { createLowlight } from "lowlight";
import type { ReactNode } from "react";

const GRAMMARS = { bash, go, javascript, json, python, xml };
const lowlight = createLowlight(GRAMMARS);

export type CodeLanguage = keyof typeof GRAMMARS;
type Node = ReturnType<typeof lowlight.highlight>["children"][number];

/** Colours of highlight.js scopes; each has a contrast of at least 4.5 on the background of code. */
const STYLES: Readonly<Record<string, string>> = {
  "hljs-keyword": "text-violet-700 dark:text-violet-300",
  "hljs-string": "text-emerald-800 dark:text-emerald-300",
  "hljs-attr": "text-sky-800 dark:text-sky-300",
  "hljs-attribute": "text-sky-800 dark:text-sky-300",
  "hljs-name": "text-sky-800 dark:text-sky-300",
  "hljs-title": "text-sky-800 dark:text-sky-300",
  "hljs-variable": "text-amber-800 dark:text-amber-300",
  "hljs-number": "text-amber-800 dark:text-amber-300",
  "hljs-literal": "text-amber-800 dark:text-amber-300",
  "hljs-built_in": "text-violet-700 dark:text-violet-300",
  "hljs-comment": "text-muted-foreground",
};

/** Code in colours, as elements: no text becomes HTML. */
export const Highlighted = ({ code, language }: { code: string; language: CodeLanguage }) => (
  <>{elementsOf(lowlight.highlight(language, code).children)}</>
);

const elementsOf = (nodes: readonly Node[]): ReactNode[] =>
  nodes.map((node, i) => {
    if (node.type === "text") return node.value;
    if (node.type !== "element") return null;
    const names = Array.isArray(node.properties.className) ? node.properties.className : [];
    const style = names.map((name) => STYLES[String(name)]).find(Boolean);
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the position is what identifies a token.
      <span key={i} {...(style ? { className: style } : {})}>
        {elementsOf(node.children as Node[])}
      </span>
    );
  });
