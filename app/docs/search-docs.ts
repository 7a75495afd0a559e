import MiniSearch from "minisearch";
import index from "./generated/search-index.json";
import { DOCS_SEARCH } from "./search-options.mjs";

const RESULTS_MAX = 12;
const BEFORE_WORD = 40;
const EXCERPT_MAX = 160;

export interface DocsResult {
  href: string;
  title: string;
  /** The page of a section; empty for a page itself. */
  page: string;
  /** The text around the first word that was found. */
  excerpt: string;
}

const sections = MiniSearch.loadJSON(index, DOCS_SEARCH);

/** The sections of the documentation that contain all words of the query, or if there are none, some of them; best first. */
export function searchDocs(query: string): DocsResult[] {
  const all = sections.search(query);
  const found = all.length > 0 ? all : sections.search(query, { combineWith: "OR" });
  return found.slice(0, RESULTS_MAX).map(({ id, title, page, text, terms }) => ({
    href: id,
    title,
    page,
    excerpt: excerptOf(text, terms),
  }));
}

function excerptOf(text: string, terms: readonly string[]): string {
  const lower = text.toLowerCase();
  const positions = terms.map((term) => lower.indexOf(term)).filter((at) => at >= 0);
  const word = positions.length > 0 ? Math.min(...positions) : 0;
  const start = word <= BEFORE_WORD ? 0 : text.indexOf(" ", word - BEFORE_WORD) + 1;
  const end = start + EXCERPT_MAX;
  return `${start > 0 ? "… " : ""}${text.slice(start, end)}${end < text.length ? " …" : ""}`;
}
