// Rules between folders, which dependency-cruiser does not support: no cycles, and which files of a noun's folder are
// private.

/**
 * A file directly in one of these counts as a node of its own and not as part of the folder: it composes the folders
 * below or serves all of them.
 */
const LAYERS = new Set([
  "server",
  "server/engines",
  "server/identity",
  "server/ads",
  "server/cloud",
  "server/surfaces",
]);
const NOUN_FILE = /^(server\/(?:identity|ads|guard|cloud\/[^/]+)\/[^/]+)\/(.+)$/;
/** Tests may import private files. */
const FREE = /\.(test|fixture)\.ts$/;
/** The composition root: the process and the start of a product. */
const ROOT = /^server\/[^/]+\.ts$|^server\/(identity|ads|cloud)\/(start-[^/]+|[a-z]+-parts)\.ts$/;
const OPERATION = /^([a-z]+)(-[a-z]+)+\.ts$/;
/** What surfaces map, families of resources, and what the operations of a noun use. */
const SURFACE_FILE = /\.(routes|tools|example|events|quotas|part)\.ts$|-(ctx|family|families)\.ts$/;

/**
 * Every violation as `rule: from -> to`. `modules` is the output of dependency-cruiser; `publicFiles` lists the files
 * that each folder exports in addition to its operations and its noun, and the name prefixes that make a file an
 * operation.
 */
export function folderBreaches(modules, publicFiles) {
  const imports = modules
    .filter(({ source }) => source.startsWith("server/") && !FREE.test(source))
    .flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => ({ from: source, to: resolved })))
    .filter(({ to }) => to.startsWith("server/"));
  return [...folderCycles(imports), ...privateFiles(imports, publicFiles)];
}

const dirOf = (file) => file.slice(0, file.lastIndexOf("/"));
const folderOf = (file) => (LAYERS.has(dirOf(file)) ? file : dirOf(file));

/** The cycles from a folder through others back to itself, shortest first, with the files that cause them. */
function folderCycles(imports) {
  const ways = new Map();
  for (const { from, to } of imports) {
    const [a, b] = [folderOf(from), folderOf(to)];
    if (a === b) continue;
    if (!ways.has(a)) ways.set(a, new Map());
    if (!ways.get(a).has(b)) ways.get(a).set(b, `${from} imports ${to}`);
  }
  const rounds = [...ways.keys()].sort().map((start) => shortestRound(ways, start));
  // A cycle of files in one folder is reported by dependency-cruiser.
  const ofFolders = rounds.filter((round) => round?.some((folder) => !folder.endsWith(".ts")));
  const reported = new Set();
  return ofFolders
    .sort((a, b) => a.length - b.length)
    .flatMap((round) => {
      const steps = round.slice(1).map((folder, i) => ways.get(round[i]).get(folder));
      // One wrong import closes many cycles; the shortest is sufficient.
      const isKnown = steps.some((step) => reported.has(step));
      for (const step of steps) reported.add(step);
      return isKnown ? [] : [`no-folder-cycles: ${round.join(" -> ")} (${steps.join("; ")})`];
    });
}

function shortestRound(ways, start) {
  const paths = [[start]];
  const seen = new Set();
  for (const path of paths) {
    for (const next of ways.get(path.at(-1))?.keys() ?? []) {
      if (next === start) return [...path, start];
      if (!seen.has(next)) paths.push([...path, next]);
      seen.add(next);
    }
  }
  return undefined;
}

/** Imports of private files, and exceptions that are no longer needed. */
function privateFiles(imports, { verbs, shown, exceptions }) {
  const allowed = new Set([...shown, ...exceptions]);
  const used = new Set();
  const breaches = imports.flatMap(({ from, to }) => {
    const [, folder, name] = NOUN_FILE.exec(to) ?? [];
    if (folder === undefined || from.startsWith(`${folder}/`) || ROOT.test(from)) return [];
    if (isPublic(folder, name, verbs)) return [];
    used.add(to);
    return allowed.has(to) ? [] : [`folders-keep-their-files: ${from} -> ${to}`];
  });
  const idle = [...allowed].filter((file) => !used.has(file));
  return [...breaches, ...idle.map((file) => `exceptions-are-needed: test/boundaries/public-files.cjs -> ${file}`)];
}

function isPublic(folder, name, verbs) {
  const noun = folder.slice(folder.lastIndexOf("/") + 1);
  const isNoun = [noun, noun.replace(/ies$/, "y"), noun.replace(/s$/, "")].some((word) => name === `${word}.ts`);
  return isNoun || SURFACE_FILE.test(name) || verbs.includes(OPERATION.exec(name)?.[1]);
}
