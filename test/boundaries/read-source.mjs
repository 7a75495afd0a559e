// Reads TypeScript as far as figures need it: where functions begin and end, and what a file imports.
import path from "node:path";

const IMPORT = /^(?:import|export)\s+(?!type\b)([^;"]*?)\s*from\s+"(\.[^"]+)"/gm;
const ONLY_TYPES = /^\{(?:\s*type\s[^,}]*,?)+\s*\}$/;
/** After these a slash begins a regular expression. */
const BEFORE_REGEX = /(?:^|[(,=:[!&|?{};>]|\breturn)\s*$/;
/** Between the parameters of a function and its body: nothing, a type, an arrow. */
const HEAD = /^\s*(?::[^;]*[^;\s:<|&,?(=])?\s*(?:=>)?\s*$/;
const CONTROL = /\b(?:if|for|while|switch|catch|with)\s*\($/;

/** The files of `texts`, a map of texts by path, that a file imports a value of. */
export function valueImports(texts, file) {
  const found = [...(texts.get(file) ?? "").matchAll(IMPORT)].filter(([, names]) => !ONLY_TYPES.test(names));
  return found.flatMap(([, , to]) => {
    const base = path.posix.join(path.posix.dirname(file), to);
    const hit = [base, `${base}.ts`, `${base}.tsx`].find((one) => texts.has(one));
    return hit === undefined || hit.endsWith(".json") ? [] : [hit];
  });
}

/** The lines of each function with a body in braces, from the line of its parameters to its last one. */
export function functionLengths(text) {
  const code = withoutTexts(text);
  const [lengths, open, parens] = [[], [], []];
  let [line, last] = [1, undefined];
  for (let i = 0; i < code.length; i++) {
    const one = code[i];
    if (one === "\n") line++;
    else if (one === "(") parens.push({ from: i, line });
    else if (one === ")") last = { ...parens.pop(), to: i };
    else if (one === "{") open.push(headOf(code, { at: i, line, last }));
    else if (one === "}") {
      const from = open.pop();
      if (from) lengths.push(line - from + 1);
    }
  }
  return lengths;
}

/** The line on which the function begins whose body opens at `at`; undefined for any other brace. `last` are its parameters. */
function headOf(code, { at, line, last }) {
  const between = last === undefined ? "" : code.slice(last.to + 1, at);
  const isHead = last !== undefined && HEAD.test(between) && isBalanced(between);
  if (!isHead) return /=>\s*$/.test(code.slice(Math.max(0, at - 20), at)) ? line : undefined;
  return CONTROL.test(code.slice(Math.max(0, last.from - 12), last.from + 1)) ? undefined : last.line;
}

const isBalanced = (text) => text.split("{").length === text.split("}").length;

/** The same text with strings, comments and regular expressions blank, so that every brace is one of the code. */
export function withoutTexts(text) {
  let out = "";
  for (let i = 0; i < text.length; ) {
    const end = endOfText(text, i, out);
    if (end === i) out += text[i++];
    else {
      out += text.slice(i, end).replaceAll(/[^\n]/g, " ");
      i = end;
    }
  }
  return out;
}

/** The index after the string, comment or regular expression that begins at `i`; `i` itself if none does. */
function endOfText(text, i, before) {
  const one = text[i];
  if (text.startsWith("//", i)) return orEnd(text, text.indexOf("\n", i));
  if (text.startsWith("/*", i)) return orEnd(text, text.indexOf("*/", i) + 2);
  if (one === '"' || one === "'") return endOfQuoted(text, i, one);
  if (one === "`") return endOfTemplate(text, i);
  if (one === "/" && BEFORE_REGEX.test(before.slice(-12))) return endOfRegex(text, i);
  return i;
}

const orEnd = (text, at) => (at < 2 ? text.length : at);

function endOfQuoted(text, from, quote) {
  let i = from + 1;
  while (i < text.length && text[i] !== quote && text[i] !== "\n") i += text[i] === "\\" ? 2 : 1;
  return i + 1;
}

/** Code in a template counts as text: what is in it has no body of a function, or hardly ever. */
function endOfTemplate(text, from) {
  let i = from + 1;
  for (let depth = 0; i < text.length && (depth > 0 || text[i] !== "`"); i++) {
    if (text[i] === "\\") i++;
    else if (text.startsWith("${", i)) depth++;
    else if (depth > 0 && text[i] === "`") i = endOfTemplate(text, i) - 1;
    else if (depth > 0 && text[i] === "{" && text[i - 1] !== "$") depth++;
    else if (depth > 0 && text[i] === "}") depth--;
  }
  return i + 1;
}

function endOfRegex(text, from) {
  let inClass = false;
  for (let i = from + 1; i < text.length && text[i] !== "\n"; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === "[") inClass = true;
    else if (text[i] === "]") inClass = false;
    else if (text[i] === "/" && !inClass) return i + 1;
  }
  return from + 1;
}
