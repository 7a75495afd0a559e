// The boundary check of `npm run verify`: fails on a forbidden import, and when it read no module at all.
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { cruise } from "dependency-cruiser";
import extractTSConfig from "dependency-cruiser/config-utl/extract-ts-config";

const MODULES_MIN = 50;
const require = createRequire(import.meta.url);

/** Every breach of the rules below `baseDir`, as `rule: from -> to`, and how many modules were read. */
export async function findBreaches(baseDir, folders = ["server", "app", "widget", "sdk"]) {
  const { options, forbidden } = require("./rules.cjs");
  const tsConfig = extractTSConfig(path.join(import.meta.dirname, "../../tsconfig.json"));
  const result = await cruise(folders, { ...options, baseDir, ruleSet: { forbidden }, validate: true }, undefined, {
    tsConfig,
  });
  const { violations, totalCruised } = result.output.summary;
  const wayOf = ({ from, to, cycle }) => [from, ...(cycle?.map(({ name }) => name) ?? [to])].join(" -> ");
  return { breaches: violations.map((breach) => `${breach.rule.name}: ${wayOf(breach)}`), modules: totalCruised };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const { breaches, modules } = await findBreaches(path.resolve(import.meta.dirname, "../.."));
  for (const breach of breaches) process.stderr.write(`${breach}\n`);
  if (modules < MODULES_MIN) process.stderr.write(`only ${modules} modules were read: the check itself is broken\n`);
  process.exitCode = breaches.length > 0 || modules < MODULES_MIN ? 1 : 0;
}
