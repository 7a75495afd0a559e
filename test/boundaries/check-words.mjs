// The word check of `npm run verify`: names and phrases that a reader stumbles over, and what to write instead.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { WORDS } from "./words.mjs";

const TEXT_FILE = /\.(ts|tsx|mts|mjs|cjs|md|prisma)$/;
/** Written by programs, full of other people's words, or the list itself. */
const SKIPPED =
  /generated|^prisma\/migrations\/|^test\/bench\/|^test\/boundaries\/(check-words|words)\.mjs$|^test\/contract\/words\.test\.ts$|^server\/ads\/text\//;
const FILES_MIN = 500;

/** Every place of `text` that has a word of the list, as `file:line: word -> what to write`; first the file's own name. */
export function findWords(file, text) {
  const names = WORDS.filter(({ path: name }) => name?.test(file)).map(
    ({ instead }) => `${file}: its name -> ${instead}`,
  );
  const words = WORDS.filter(({ word, where }) => word && (!where || where.test(file)));
  const found = text
    .split("\n")
    .flatMap((line, i) =>
      words
        .filter(({ word }) => word.test(line))
        .map(({ word, instead }) => `${file}:${i + 1}: ${word.exec(line)?.[0]} -> ${instead}`),
    );
  return [...names, ...found];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
  const root = path.resolve(import.meta.dirname, "../..");
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard"], { cwd: root, encoding: "utf8" });
  const files = listed.split("\n").filter((file) => TEXT_FILE.test(file) && !SKIPPED.test(file));
  const found = files.flatMap((file) => {
    try {
      return findWords(file, readFileSync(path.join(root, file), "utf8"));
    } catch (failure) {
      // Deleted and not yet committed.
      if (failure.code === "ENOENT") return [];
      throw failure;
    }
  });
  for (const place of found) process.stderr.write(`${place}\n`);
  if (files.length < FILES_MIN) process.stderr.write(`only ${files.length} files were read: the check is broken\n`);
  process.exitCode = found.length > 0 || files.length < FILES_MIN ? 1 : 0;
}
