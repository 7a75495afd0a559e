// The boundary check of `npm run verify`: fails on a forbidden import, and if it read no module at all.
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { cruise } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";
import { folderBreaches } from "./folders.mjs";

const MODULES_MIN = 50;
const require = createRequire(import.meta.url);

const FOLDERS = ["server", "app", "widget", "sdk"];

/** Every violation of the rules below `baseDir`, as `rule: from -> to`, and the number of modules read. */
export async function findBreaches(baseDir, publicFiles = require("./public-files.cjs")) {
  const { options, forbidden } = require("./rules.cjs");
  const tsConfig = extractTSConfig(path.join(import.meta.dirname, "../../tsconfig.json"));
  const result = await cruise(FOLDERS, { ...options, baseDir, ruleSet: { forbidden }, validate: true }, undefined, {
    tsConfig,
  });
  const { modules, summary } = result.output;
  const { violations, totalCruised } = summary;
  const wayOf = ({ from, to, cycle }) => [from, ...(cycle?.map(({ name }) => name) ?? [to])].join(" -> ");
  const breaches = violations.map((breach) => `${breach.rule.name}: ${wayOf(breach)}`);
  return { breaches: [...breaches, ...folderBreaches(modules, publicFiles)], modules: totalCruised };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { breaches, modules } = await findBreaches(path.resolve(import.meta.dirname, "../.."));
  for (const breach of breaches) process.stderr.write(`${breach}\n`);
  if (modules < MODULES_MIN) process.stderr.write(`only ${modules} modules were read: the check itself is broken\n`);
  process.exitCode = breaches.length > 0 || modules < MODULES_MIN ? 1 : 0;
}
