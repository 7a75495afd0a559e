import { existsSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { SECTIONS } from "./(dashboard)/navigation";
import { MOVED_PAGES, START_PAGES } from "./redirects.mjs";

/** Whether a file of this folder serves the address itself. */
const hasPage = (address: string): boolean =>
  ["", "(dashboard)"].some((group) => existsSync(path.join(import.meta.dirname, group, address, "page.tsx")));

it.each([...MOVED_PAGES, ...START_PAGES])("%s leads to %s, which is a page, and is none itself", (from, to) => {
  expect([hasPage(from), hasPage(to)]).toEqual([false, true]);
});

it("has a page for every entry of the navigation", () => {
  const hrefs = SECTIONS.flatMap(({ entries }) => entries.map(({ href }) => href));
  expect(hrefs.filter((href) => !hasPage(href))).toEqual([]);
});
