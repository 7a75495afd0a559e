import { ReadonlyURLSearchParams, useSearchParams } from "next/navigation";
import { startTransition, useOptimistic } from "react";

interface UrlParams {
  params: ReadonlyURLSearchParams;
  /** `push` adds an entry to the browser's history, so that Back returns to the values of before. */
  change: (changes: Record<string, string>, how?: "replace" | "push") => void;
}

/** The URL's query parameters, and a function that changes some of them; an empty value removes one. */
export function useUrlParams(): UrlParams {
  // The router renders a changed URL as a transition; without the optimistic value a control would show its old choice until then.
  const [params, showAtOnce] = useOptimistic(useSearchParams());
  const change: UrlParams["change"] = (changes, how = "replace") =>
    startTransition(() => {
      const next = changed(window.location.search, changes);
      showAtOnce(next);
      // The history API, not the router: only client-side queries depend on these parameters, so no server round trip is needed.
      const query = next.size > 0 ? `?${next}` : "";
      const address = window.location.pathname + query + window.location.hash;
      // A control may report the same change twice, by its click and by its focus.
      if (how === "push" && query !== window.location.search) window.history.pushState(null, "", address);
      else window.history.replaceState(null, "", address);
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
