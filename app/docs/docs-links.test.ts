import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { START_PAGES } from "../redirects.mjs";
import { DOCS_SECTIONS } from "./docs-sections";

const docs = import.meta.dirname;
const app = path.dirname(docs);
/** Links of pages and of their tables of data, to other pages or to sections of the same one. */
const LINK = /href[=:]\s*["'](\/[^"'`{}]*|#[^"'`{}]*)["']/g;
const SECTION_ID = /\bid[=:]\s*"([^"]+)"/g;
/** Served by handlers or redirects, not by pages. */
const HANDLED = new Set(["/v1/openapi.json", "/api/v1/openapi.json", ...START_PAGES.map(([from]) => from)]);
/** Pages of the dashboard are in a group of routes, or below a folder whose name is a parameter. */
const GROUPS = ["", "(dashboard)", "(auth)"];

const folders = ["", ...readdirSync(docs)].filter((name) => existsSync(path.join(docs, name, "page.tsx")));
const textOf = (folder: string): string =>
  readdirSync(path.join(docs, folder))
    .filter((name) => /\.tsx?$/.test(name) && !name.includes(".test."))
    .map((name) => readFileSync(path.join(docs, folder, name), "utf8"))
    .join("\n");
const sectionsOf = (folder: string): Set<string | undefined> =>
  new Set([...textOf(folder).matchAll(SECTION_ID)].map(([, id]) => id));

function isBroken(folder: string, link: string): boolean {
  if (link.startsWith("#")) return !sectionsOf(folder).has(link.slice(1));
  if (HANDLED.has(link)) return false;
  const [page = "", id] = link.split("#");
  const reference = /^\/docs\/reference\//.test(page);
  const file = reference ? "/docs/reference/[api]" : page;
  if (!GROUPS.some((group) => existsSync(path.join(app, group, file, "page.tsx")))) return true;
  return id !== undefined && !sectionsOf(page.replace(/^\/docs\/?/, "")).has(id);
}

it("links only to pages and sections that exist", () => {
  const broken = folders.flatMap((folder) =>
    [...textOf(folder).matchAll(LINK)].flatMap(([, link = ""]) =>
      isBroken(folder, link) ? [`/docs/${folder}: ${link}`] : [],
    ),
  );
  expect(broken).toEqual([]);
});

it("lists every page in the navigation, and nothing else", () => {
  const listed = DOCS_SECTIONS.flatMap(({ places }) => places.map(({ href }) => href as string));
  const pages = folders.map((name) => path.posix.join("/docs", name));
  const references = listed.filter((href) => href.startsWith("/docs/reference/"));
  expect(listed.filter((href) => !references.includes(href)).sort()).toEqual(pages.sort());
});
