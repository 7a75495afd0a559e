import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { SCRIPT_ATTRIBUTES, SLOT_ATTRIBUTES } from "./widget-attributes";

const widget = path.resolve(import.meta.dirname, "../../../widget");
const ATTRIBUTE = /`(data-[a-z-]+)`/g;

it("has the attributes that the README of the widget documents, and no others", () => {
  const tables = readFileSync(path.join(widget, "README.md"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("| `data-"));
  const documented = tables.flatMap((line) => [...line.matchAll(ATTRIBUTE)].slice(0, 1).map(([, name]) => name));
  const listed = [...SCRIPT_ATTRIBUTES, ...SLOT_ATTRIBUTES].map(([name]) => name);
  expect([...documented, "data-svc-offers"].sort()).toEqual(listed.sort());
});

it("has every attribute that the widget reads from slots by name", () => {
  const sources = readdirSync(widget).filter((name) => /\.ts$/.test(name) && !/\.(test|d)\.ts$/.test(name));
  const text = sources.map((name) => readFileSync(path.join(widget, name), "utf8")).join("\n");
  const read = new Set([...text.matchAll(/"(data-[a-z-]+)"/g)].map(([, name]) => name));
  const listed = new Set([...SCRIPT_ATTRIBUTES, ...SLOT_ATTRIBUTES].map(([name]) => name));
  expect([...read].filter((name = "") => !listed.has(name))).toEqual([]);
});
