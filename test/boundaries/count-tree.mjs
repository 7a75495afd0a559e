// The figures of the tree that `npm run verify -- --counts` prints, and with `--check` a check of `npm run verify`: a file
// that a tool writes is in git only if a reviewer can read it. It reads what git tracks, without a parser.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { functionLengths, valueImports, withoutTexts } from "./read-source.mjs";

const CODE = /\.(ts|tsx|mts|mjs|cjs)$/;
const TEST = /\.test\.tsx?$|^test\//;
/** What a tool writes. npm alone decides on the lines of its lock file. */
const GENERATED = /^(package-lock\.json|test\/durations\.json|test\/contract\/openapi\/.*\.txt|.*\/generated\/.*)$/;
const LOCK = "package-lock.json";
const GENERATED_LINES_MAX = 2_000;
/** Nouns with an API, tools, a page and docs, by the name of their folder and a word for it. */
const NOUNS = { reservations: /reservation/i, workspaces: /workspace/i, "shared-volumes": /shared.?volume/i };
/**
 * Where a reader begins for a call: the file with its row, and the operation with what else carries it out. Of the ends of
 * paths on a line, the first that exists counts.
 */
const CALLS = {
  "POST /api/v1/offers": { row: ["/offers/offers.routes.ts"], from: [["/offers/serve-offers.ts"]] },
  "POST /v1/pods": { row: ["/pods/pods.routes.ts"], from: [["/pods/create-pod.ts"]] },
  gpuc_object_create: {
    row: ["/families/gpuc/object.ts", "/families/gpuc/object.tools.ts"],
    from: [["/resources/create-resource.ts"], ["/families/gpuc/object-family.ts"]],
  },
};

/** The generated files that are too long to be read in a review, as `file: lines`. */
export const tooLong = (files) =>
  files
    .filter(({ file, lines }) => GENERATED.test(file) && file !== LOCK && lines > GENERATED_LINES_MAX)
    .map(({ file, lines }) => `${file}: ${lines} lines, of ${GENERATED_LINES_MAX} at most in a generated file`);

/** The text files that git tracks in a folder: their texts by path, and a list with the lines of each. */
function readTree(root) {
  const listed = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8", maxBuffer: 1 << 26 }).split(
    "\0",
  );
  const bytes = new Map(
    listed
      .filter((file) => file !== "" && existsSync(path.join(root, file)))
      .map((file) => [file, readFileSync(path.join(root, file))]),
  );
  const texts = new Map([...bytes].filter(([, one]) => !one.includes(0)).map(([file, one]) => [file, String(one)]));
  return { texts, files: [...texts].map(([file, text]) => ({ file, text, lines: linesOf(text) })) };
}

/** The figures of a tree as `[what, figure]`, in the order in which they are printed. */
function figuresOf({ texts, files }) {
  return [
    ...sizes(files),
    ["README", `${Buffer.byteLength(texts.get("README.md") ?? "")} bytes`],
    ...habits(files),
    ...Object.entries(NOUNS).map(([noun, word]) => [
      `files outside ${noun}/ that mention it`,
      mentions(files, noun, word),
    ]),
    ...Object.entries(CALLS).map(([call, places]) => [`lines to open for ${call}`, linesToOpen(texts, places)]),
    ["smallest family, with its files in families/", smallest(familiesOf(texts, files))],
  ];
}

const linesOf = (text) => text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
const sum = (numbers) => numbers.reduce((total, one) => total + one, 0);
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
const linesIn = (files) => sum(files.map(({ lines }) => lines));
const named = (one) => (one ? `${one.lines} (${one.file})` : "none");
const largest = (files) => named([...files].sort((a, b) => b.lines - a.lines)[0]);
const smallest = (files) => named([...files].sort((a, b) => a.lines - b.lines)[0]);

function sizes(files) {
  const generated = files.filter(({ file }) => GENERATED.test(file));
  const code = files.filter(({ file }) => CODE.test(file) && !GENERATED.test(file));
  const [tests, product] = [code.filter(({ file }) => TEST.test(file)), code.filter(({ file }) => !TEST.test(file))];
  const functions = product.flatMap(({ file, text }) => functionLengths(text).map((lines) => ({ file, lines })));
  return [
    [
      "lines in git",
      `${linesIn(files)} (${linesIn(generated)} generated, ${linesIn(files) - linesIn(generated)} written)`,
    ],
    ["lines of code, and of tests", `${linesIn(product)}, ${linesIn(tests)}`],
    ["largest generated file, the lock file excepted", largest(generated.filter(({ file }) => file !== LOCK))],
    ["file of code: median, longest", `${median(product.map(({ lines }) => lines))}, ${largest(product)}`],
    ["function with braces: median, longest", `${median(functions.map(({ lines }) => lines))}, ${largest(functions)}`],
  ];
}

/** What the aims for the code forbid. */
function habits(files) {
  const code = files
    .filter(({ file }) => /\.tsx?$/.test(file) && !GENERATED.test(file))
    .map(({ text }) => withoutTexts(text));
  const count = (pattern) => {
    const found = code.map((text) => text.match(pattern)?.length ?? 0).filter((hits) => hits > 0);
    return `${sum(found)} in ${found.length} files`;
  };
  return [
    ["any", count(/(?:[\w?)]:|[<|]|\bas)\s*any\b(?!\s*\})/g)],
    ["non-null assertions", count(/[\w)\]]!(?=[.;,)\]])/g)],
    ["module mocks", count(/\bvi\.(?:mock|doMock)\(/g)],
    ["spreads of object literals", count(/\.\.\.\{/g)],
  ];
}

function mentions(files, noun, word) {
  const others = files.filter(({ file }) => CODE.test(file) || file.endsWith(".prisma"));
  return others.filter(({ file, text }) => !TEST.test(file) && !file.includes(`/${noun}/`) && word.test(text)).length;
}

/**
 * The lines of the file with the row, of the operation, of what both reach by imports of values in the operation's own
 * folder, and of the files of other folders of the product that these import directly. The pipeline, which is the same for
 * every call, does not count, nor do the folders behind the first one. Examples do not, which only the documentation
 * shows, nor the operations with which a family changes and deletes what it has created, which a creation does not run.
 */
export function linesToOpen(texts, { row, from }) {
  const find = (ends) => ends.map((end) => [...texts.keys()].find((file) => file.endsWith(end))).find(Boolean);
  const starts = from.map(find);
  if (starts.some((file) => file === undefined)) return "not found";
  const folders = new Set(starts.map(path.posix.dirname));
  const opened = (file) => valueImports(texts, file).filter((to) => !isForOthers(file, to));
  const own = reach(starts, (file) => opened(file).filter((to) => folders.has(path.posix.dirname(to))));
  const product = starts[0].split("/").slice(0, 2).join("/");
  const next = own.flatMap(opened).filter((to) => to.startsWith(`${product}/`));
  const all = new Set([...own, ...next, find(row) ?? starts[0]]);
  return `${sum([...all].map((file) => linesOf(texts.get(file))))} in ${all.size} files`;
}

const isForOthers = (from, to) =>
  to.endsWith(".example.ts") || (from.includes("/families/") && /\/(?:update|delete)-[^/]+$/.test(to));

/** The files that export one family, and the lines of each with those that it imports values of beside it. */
function familiesOf(texts, files) {
  const families = files.filter(
    ({ file, text }) =>
      file.includes("/families/") && !TEST.test(file) && /^export const .*: Family\b(?!\[)/m.test(text),
  );
  return families.map(({ file }) => {
    const all = reach([file], (one) => valueImports(texts, one).filter((to) => to.includes("/families/")));
    return { file, lines: sum(all.map((one) => linesOf(texts.get(one)))) };
  });
}

function reach(starts, next) {
  const seen = new Set(starts);
  for (const file of seen) for (const to of next(file)) seen.add(to);
  return [...seen];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const tree = readTree(path.resolve(import.meta.dirname, "../.."));
  if (process.argv.includes("--check")) {
    const breaches = tooLong(tree.files);
    for (const breach of breaches) process.stderr.write(`${breach}\n`);
    process.exitCode = breaches.length > 0 ? 1 : 0;
  } else {
    for (const [what, figure] of figuresOf(tree)) process.stdout.write(`${what.padEnd(48)} ${figure}\n`);
  }
}
