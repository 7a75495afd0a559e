"use client";

import { type ReadonlyURLSearchParams, useSearchParams } from "next/navigation";

/** The choices that a page keeps in its address, and a way to change some; an empty text removes one. */
export function useAddress(): {
  params: ReadonlyURLSearchParams;
  change: (changes: Record<string, string>) => void;
} {
  return { params: useSearchParams(), change };
}

/** Without asking the server for the page again: everything that depends on these choices is drawn in the browser. */
function change(changes: Record<string, string>): void {
  const { pathname, search, hash } = window.location;
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") next.delete(name);
    else next.set(name, value);
  }
  const query = next.size > 0 ? `?${next}` : "";
  window.history.replaceState(null, "", pathname + query + hash);
}
