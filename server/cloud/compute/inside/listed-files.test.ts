import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { LIST_NAMES, listedFiles } from "./listed-files";

const folder = mkdtempSync(path.join(tmpdir(), "svc-listed-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const printed = (): Buffer =>
  execFileSync("/bin/sh", ["-c", `cd -- "$1" && ${LIST_NAMES}`, "sh", folder], {
    env: { ...process.env, LC_ALL: "C" },
  });

test("files are named by their bytes; those whose names are not UTF-8 are counted", () => {
  expect(listedFiles(printed())).toEqual({ files: [], leftOut: 0 });
  const files = ["-n", "..x", ".hidden", "a b", "a -> b", "a\nb", "café", "*"];
  for (const name of files) writeFileSync(path.join(folder, name), "12");
  writeFileSync(Buffer.concat([Buffer.from(`${folder}/caf`), Buffer.from([0xe9])]), "1");
  mkdirSync(path.join(folder, "z"));
  symlinkSync("nowhere -> b", path.join(folder, "link"));
  const { files: found, leftOut } = listedFiles(printed());
  expect(leftOut).toBe(1);
  expect(found.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual(
    [
      ...files.map((name) => ({ name, type: "file", size: 2 })),
      { name: "link", type: "link", size: 12 },
      { name: "z", type: "folder", size: expect.any(Number) },
    ].sort((a, b) => (a.name < b.name ? -1 : 1)),
  );
});

test("names are those of the shell where ls prints others", () => {
  const line = (name: string) => `-rw-r--r--    1 0        0                2 Nov 30 12:42 ${name}\n`;
  const output = Buffer.from(`total 8\n${line("a?b")}${line("caf??")}\0café\0a\nb\0`);
  expect(listedFiles(output)).toEqual({
    files: ["a\nb", "café"].map((name) => ({ name, type: "file", size: 2 })),
    leftOut: 0,
  });
});

test("a folder that changed between both is read by the lines", () => {
  const line = "-rw-r--r-- 1 0 0 2 Nov 30 12:42 a\n";
  expect(listedFiles(Buffer.from(`${line}\0a\0b\0`))).toEqual({
    files: [{ name: "a", type: "file", size: 2 }],
    leftOut: 0,
  });
});
