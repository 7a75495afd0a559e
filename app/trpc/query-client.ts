import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { showUndo } from "../components/undo-toast";
import { failureOf } from "./failure";

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: {
      /** The page itself says that the thing no longer exists, so no toast warns of stale data then. */
      saysGone?: true;
    };
    mutationMeta: {
      /** The toast shown on success. */
      done?: string;
      /** What the button "Undo" of that toast calls, usually another mutation; without it there is no button. */
      undo?: () => Promise<unknown>;
      /** What the page shows no longer exists, and the page is left: nothing on it is loaded again. */
      leaves?: true;
      /** The form shows the error beside its fields, so no toast repeats it. */
      inline?: boolean;
    };
  }
}

const FRESH_MS = 10_000;
/** What a mutation returned, such as a secret that is shown once, waits no longer for the queries on screen. */
const REFRESH_WAIT_MS = 2_000;
const RETRIES_MAX = 2;
const TRANSIENT = new Set(["offline", "internal", "unavailable"]);

/** Whether the same request may succeed a moment later. */
const isTransient = (error: unknown): boolean => TRANSIENT.has(failureOf(error).code);

/** Loads a query again every `ms`, also after an error that passes by itself, and not after any other. */
export const refreshEvery =
  (ms: number) =>
  ({ state: { error } }: { state: { error: unknown } }): number | false =>
    error === null || isTransient(error) ? ms : false;

/**
 * Every successful mutation refreshes the queries on screen, except those of a page that is left; an expired session
 * redirects to the login page.
 */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (count, error) => count < RETRIES_MAX && isTransient(error),
      },
    },
    queryCache: new QueryCache({
      onError: (error, { state, meta }) => {
        redirectToLogIn(error);
        const isSaid = meta?.saysGone && failureOf(error).code === "not_found";
        // Pages refetch in the background; stale figures must not look current.
        if (state.data !== undefined && !isSaid)
          toast.warning(`Data may be out of date: ${failureOf(error).message}`, { id: "stale" });
      },
    }),
    mutationCache: new MutationCache({
      onSuccess: async (...[, , , { meta }]) => {
        if (meta?.done && meta.undo) showUndo(meta.done, meta.undo);
        else if (meta?.done) toast.success(meta.done);
        // Queries that are not on screen are removed: their data is from before the write.
        client.removeQueries({ type: "inactive" });
        // Otherwise a first load that started before the write would count as the refresh.
        await client.cancelQueries();
        const refreshed = client.invalidateQueries({ refetchType: meta?.leaves ? "none" : "active" });
        await Promise.race([refreshed, new Promise((resolve) => setTimeout(resolve, REFRESH_WAIT_MS))]);
      },
      onError: (...[error, , , { meta }]) => {
        if (!meta?.inline) toast.error(failureOf(error).message);
      },
    }),
  });
  return client;
}

function redirectToLogIn(error: unknown): void {
  if (failureOf(error).code !== "unauthorized") return;
  const { pathname, search } = window.location;
  window.location.assign(`/log-in?next=${encodeURIComponent(pathname + search)}`);
}
