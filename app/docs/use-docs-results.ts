import { useEffect, useState } from "react";
import type { DocsResult } from "./search-docs";

type SearchDocs = (query: string) => DocsResult[];

/** Sections of the documentation for a query. The index is loaded once `enabled`; before that, and without a query, none. */
export function useDocsResults(query: string, enabled: boolean): readonly DocsResult[] {
  const [search, setSearch] = useState<SearchDocs>();
  useEffect(() => {
    // After a failed load, for example while offline, the next opening tries again.
    if (enabled && !search)
      void import("./search-docs").then(
        (loaded) => setSearch(() => loaded.searchDocs),
        () => undefined,
      );
  }, [enabled, search]);
  return search && query.trim() !== "" ? search(query) : [];
}
