import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const root = path.resolve(import.meta.dirname, "../../..");
const isPerl = (name: string): boolean => /\.p[lm]$/.test(name);
const scripts = readdirSync(import.meta.dirname).filter(isPerl);

it("all Perl of the project is in this folder", () => {
  const folders = ["app", "clickhouse", "prisma", "sdk", "server", "test", "widget"];
  const found = folders.flatMap((folder) =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" }).map((name) => `${folder}/${name}`),
  );
  const elsewhere = found.filter((name) => isPerl(name) && path.dirname(name) !== "server/engines/perl");
  expect(elsewhere).toEqual([]);
});

it.each(scripts)("%s is strict, and Perl has nothing to say about its syntax", (script) => {
  const text = readFileSync(path.join(import.meta.dirname, script), "utf8");
  expect(text).toMatch(/^use strict;\nuse warnings;$/m);
  const { stderr } = spawnSync("perl", ["-c", script], { cwd: import.meta.dirname, encoding: "utf8" });
  expect(stderr).toBe(`${script} syntax OK\n`);
});

it.each(scripts)("what %s requires is in this folder", (script) => {
  const text = readFileSync(path.join(import.meta.dirname, script), "utf8");
  const required = [...text.matchAll(/^\s*require "(.*)";$/gm)].map((match) => match[1] ?? "");
  const missing = required.filter((name) => !scripts.some((one) => name === `$folder/${one}`));
  expect(missing).toEqual([]);
});
