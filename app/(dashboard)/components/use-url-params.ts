"use client";

import { ReadonlyURLSearchParams, useSearchParams } from "next/navigation";
import { startTransition, useOptimistic } from "react";

/** The URL's query parameters, and a function that changes some of them; an empty value removes one. */
export function useUrlParams(): {
  params: ReadonlyURLSearchParams;
  change: (changes: Record<string, string>) => void;
} {
  // The router renders a changed URL as a transition; without the optimistic value a control would show its old choice until then.
  const [params, showAtOnce] = useOptimistic(useSearchParams());
  const change = (changes: Record<string, string>) =>
    startTransition(() => {
      const next = changed(window.location.search, changes);
      showAtOnce(next);
      // The history API, not the router: only client-side queries depend on these parameters, so no server round trip is needed.
      const query = next.size > 0 ? `?${next}` : "";
      window.history.replaceState(null, "", window.location.pathname + query + window.location.hash);
    });
  return { params, change };
}

function changed(search: string, changes: Record<string, string>): ReadonlyURLSearchParams {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === "") next.delete(name);
    else next.set(name, value);
  }
  return new ReadonlyURLSearchParams(next);
}
