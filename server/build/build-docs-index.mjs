import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import MiniSearch from "minisearch";
import { DOCS_SEARCH } from "../../app/docs/search-options.mjs";

const require = createRequire(import.meta.url);
/** Longer sections are cut, so that the index stays small. */
const CHARACTERS_MAX = 3_000;
/** Examples contain new ones at each rendering; without them the index changes only with the pages. */
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
/** Closed parts repeat the same fields for each kind of event, and would fill the section before its other kinds. */
const DETAILS = /<details[\s\S]*?<\/details>/g;
const SECTION = /<section aria-labelledby="([^"]+)"[^>]*>([\s\S]*?)<\/section>/g;
const CHARACTERS = { amp: "&", lt: "<", gt: ">", quot: '"', "#x27": "'" };

/**
 * Renders every page of the documentation and writes two files to `outDir`: `search-index.json`, a MiniSearch index with
 * one document per section and per operation of the APIs, and `outline.json`, the sections of each page as
 * `{ [href]: { id, title }[] }`.
 *
 * @param {{ rootDir: string, outDir: string }} options absolute paths
 * @throws esbuild's BuildFailure, or the error of a page that cannot be rendered.
 */
export async function buildDocsIndex({ rootDir, outDir }) {
  mkdirSync(outDir, { recursive: true });
  // The pages import the outline that is made from them; they are rendered without it.
  if (!existsSync(path.join(outDir, "outline.json"))) writeFileSync(path.join(outDir, "outline.json"), "{}");
  const { pages: rendered, apis } = await loadPages(rootDir);
  const pages = rendered.map(({ href, label, html }) => ({ href, label, sections: sectionsOf(html) }));
  const index = new MiniSearch(DOCS_SEARCH);
  index.addAll([...pages.flatMap(documentsOf), ...apis.flatMap(operationsOf)]);
  const outline = pages.map(({ href, sections }) => [href, sections.map(({ id, title }) => ({ id, title }))]);
  // As one string, which MiniSearch parses; the type of the object would be as large as the index.
  writeFileSync(path.join(outDir, "search-index.json"), JSON.stringify(JSON.stringify(index)));
  writeFileSync(path.join(outDir, "outline.json"), JSON.stringify(Object.fromEntries(outline)));
}

async function loadPages(rootDir) {
  // Two processes may build at the same time, and neither may load what the other has half written.
  const bundle = path.join(rootDir, `.build/docs-pages-${process.pid}.cjs`);
  await build({
    stdin: { contents: programOf(path.join(rootDir, "app/docs")), resolveDir: rootDir, loader: "tsx" },
    outfile: bundle,
    bundle: true,
    format: "cjs",
    platform: "node",
    packages: "external",
    jsx: "automatic",
    // Modules of the server look for files beside them when they are loaded; a CommonJS bundle has no import.meta.
    define: { "import.meta.url": JSON.stringify(pathToFileURL(bundle).href) },
    logLevel: "silent",
    tsconfigRaw: {},
  });
  try {
    return require(bundle);
  } finally {
    delete require.cache[bundle];
    rmSync(bundle, { force: true });
  }
}

/**
 * A program that exports `pages`, `{ href, label, html }` of each page that has a file of its own, and `apis`, the routes
 * of each API under the address of its reference.
 */
function programOf(docs) {
  const folders = ["", ...readdirSync(docs)].filter((name) => existsSync(path.join(docs, name, "page.tsx")));
  const imports = folders.map((name, i) => `import Page${i} from "./${path.posix.join("app/docs", name, "page")}";`);
  const entries = folders.map((name, i) => `"${path.posix.join("/docs", name)}": Page${i}`);
  return `
    import { renderToStaticMarkup } from "react-dom/server";
    import { DOCS_SECTIONS } from "./app/docs/docs-sections";
    import { RunnerProvider } from "./app/docs/runner";
    import { ALL_EVENT_KINDS } from "./server/event-kinds";
    import { toListedEventKind } from "./server/identity/events/list-event-kinds";
    import { routesOf } from "./server/operation/route";
    import { provideSurfaces } from "./server/surfaces";
    import { offersGroups, orderGroups, platformGroups } from "./server/surfaces/http/routes";
    import { shownTools } from "./server/surfaces/mcp/shown-tools";
    ${imports.join("\n")}
    const publicUrl = "https://svc.example";
    provideSurfaces({ publicUrl, eventKinds: ALL_EVENT_KINDS.map(toListedEventKind), agentTools: shownTools });
    const files = { ${entries.join(", ")} };
    export const pages = DOCS_SECTIONS.flatMap(({ places }) => places).filter(({ href }) => href in files).map(({ href, label }) => {
      const Page = files[href];
      const html = renderToStaticMarkup(<RunnerProvider publicUrl={publicUrl} known={{}}><Page /></RunnerProvider>);
      return { href, label, html };
    });
    export const apis = [
      { href: "/docs/reference/platform", label: "Platform API", routes: routesOf(platformGroups) },
      { href: "/docs/reference/offers", label: "Offers API", routes: routesOf([...offersGroups, ...orderGroups]) },
    ];`;
}

const sectionsOf = (html) =>
  [...html.matchAll(SECTION)].map(([, id, content]) => {
    const [heading = "", title = ""] = /<h2[^>]*>([\s\S]*?)<\/h2>/.exec(content) ?? [];
    return { id, title: textOf(title), text: textOf(content.replace(heading, "")).slice(0, CHARACTERS_MAX) };
  });

/** One document for the page itself and one per section; the id is the address. */
function documentsOf({ href, label, sections }) {
  const parts = sections.map(({ id, title, text }) => ({
    id: `${href}#${id}`,
    page: label,
    title,
    text,
  }));
  return [{ id: href, page: "", title: label, text: "" }, ...parts];
}

/** The reference has one anchor per operation: its section, method and path. */
const operationsOf = ({ href, label, routes }) =>
  routes.map(({ method, path: at, tag, operation }) => {
    const address = `${href}#tag/${tag.toLowerCase().replaceAll(" ", "-")}/${method}${at}`;
    const text = `${method} ${at}. ${operation.description ?? ""}`.trim();
    return { id: address, page: label, title: operation.summary, text };
  });

const textOf = (html) =>
  html
    .replaceAll(DETAILS, " ")
    .replaceAll(/<(?:button|svg)[\s\S]*?<\/(?:button|svg)>/g, " ")
    .replaceAll(/<\/?(?:code|a|strong|em|span)\b[^>]*>/g, "")
    .replaceAll(/<[^>]+>/g, " ")
    .replaceAll(/&([^;]+);/g, (whole, name) => CHARACTERS[name] ?? whole)
    .replaceAll(UUID, "…")
    .replaceAll(/\s+/g, " ")
    .trim();
