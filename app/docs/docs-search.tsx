"use client";

import { usePathname } from "next/navigation";
import { useState } from "react";
import { SearchButton, SearchDialog, useSearchShortcut } from "../components/search-dialog";
import { DOCS_SECTIONS } from "./docs-sections";
import { useDocsResults } from "./use-docs-results";

/** Searches all pages of the documentation; before a query is typed, it lists them. */
export function DocsSearch() {
  const [open, setOpen] = useState(false);
  const [query, setQuery] = useState("");
  const results = useDocsResults(query, open);
  // The reference has a search of its own, with the same shortcut.
  const isReference = usePathname().startsWith("/docs/reference/");
  useSearchShortcut(() => setOpen(true), !isReference);
  const pages = DOCS_SECTIONS.map(({ label, places }) => ({ label, places }));
  const found = results.map(({ href, title, page, excerpt }) => ({
    href,
    label: page ? `${page}: ${title}` : title,
    detail: excerpt,
  }));
  return (
    <>
      <SearchButton label="Search" className="sm:w-44" onClick={() => setOpen(true)} />
      <SearchDialog
        open={open}
        onOpenChange={setOpen}
        title="Search the documentation"
        placeholder="Search the documentation"
        query={query}
        onQueryChange={setQuery}
        groups={query.trim() === "" ? pages : found.length > 0 ? [{ label: "Documentation", places: found }] : []}
        empty={`Nothing found for “${query.trim()}”.`}
      />
    </>
  );
}
