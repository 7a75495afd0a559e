// The lock check of `npm run verify`: package.json and package-lock.json name the same packages, so that `npm ci` works
// in a new clone and `npm install` changes no file. It reads the two files alone, without the registry.
import { readFileSync } from "node:fs";
import path from "node:path";
import { rootDir } from "./build.mjs";

const KINDS = ["dependencies", "devDependencies", "optionalDependencies"];
const EXACT = /^\d+\.\d+\.\d+(-[\w.-]+)?$/;

const [folder = rootDir] = process.argv.slice(2);
const read = (name) => JSON.parse(readFileSync(path.join(folder, name), "utf8"));
const differences = compare(read("package.json"), read("package-lock.json"));
for (const line of differences) process.stderr.write(`${line}\n`);
if (differences.length > 0) {
  process.stderr.write("svc: run npm install and commit package-lock.json\n");
  process.exitCode = 1;
}

function compare(wanted, { packages }) {
  return [
    ...KINDS.flatMap((kind) => compareKind(kind, wanted[kind] ?? {}, packages)),
    ...Object.entries(packages).flatMap(([place, entry]) => missingOf(packages, place, entry)),
  ];
}

function compareKind(kind, wanted, packages) {
  const locked = packages[""][kind] ?? {};
  const names = [...new Set([...Object.keys(wanted), ...Object.keys(locked)])].sort();
  return names.flatMap((name) => {
    const [version, found] = [wanted[name], locked[name]];
    if (version === undefined) return [`package-lock.json has ${name} in ${kind}, package.json does not`];
    if (!EXACT.test(version)) return [`package.json: ${name} has no exact version: ${version}`];
    if (found !== version)
      return [`package-lock.json has ${name} ${found ?? "not"} in ${kind}, package.json ${version}`];
    const installed = packages[`node_modules/${name}`]?.version;
    return installed === version
      ? []
      : [`package-lock.json installs ${name} ${installed ?? "not"} instead of ${version}`];
  });
}

/** What a package needs or may need (such as binaries for other platforms) that the lock does not install. */
function missingOf(packages, place, entry) {
  if (place === "") return [];
  const needed = { ...entry.dependencies, ...entry.optionalDependencies };
  return Object.keys(needed)
    .filter((name) => !installedFor(packages, place, name))
    .map((name) => `package-lock.json lacks ${name}, which ${place} names`);
}

/** Node looks in the folder of the package, then in those around it. */
function installedFor(packages, place, name) {
  for (let from = place; ; from = from.slice(0, Math.max(0, from.lastIndexOf("/node_modules/")))) {
    if (packages[`${from === "" ? "" : `${from}/`}node_modules/${name}`]) return true;
    if (from === "") return false;
  }
}
