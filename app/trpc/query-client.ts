import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { failureOf } from "./failure";

declare module "@tanstack/react-query" {
  interface Register {
    mutationMeta: {
      /** Said when the mutation succeeded. */
      done?: string;
      /** A form shows the failure beside its fields, so no toast repeats it. */
      inline?: boolean;
    };
  }
}

const FRESH_MS = 10_000;
const RETRIES_MAX = 2;
const TRANSIENT = new Set(["offline", "internal", "unavailable"]);

/** Every successful write refreshes what is on screen; an ended session leads to the log-in page. */
export function createQueryClient(): QueryClient {
  const client: QueryClient = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: FRESH_MS,
        retry: (count, error) => count < RETRIES_MAX && TRANSIENT.has(failureOf(error).code),
      },
    },
    queryCache: new QueryCache({
      onError: (error, { state }) => {
        leaveWhenLoggedOut(error);
        // Pages look again by themselves; figures that stand still must not pass for new ones.
        if (state.data !== undefined) toast.warning(`Not up to date: ${failureOf(error).message}`, { id: "stale" });
      },
    }),
    mutationCache: new MutationCache({
      onSuccess: async (...[, , , { meta }]) => {
        if (meta?.done) toast.success(meta.done);
        // What is not on screen is forgotten: shown again, it would be from before the write.
        client.removeQueries({ type: "inactive" });
        await client.invalidateQueries();
      },
      onError: (...[error, , , { meta }]) => {
        if (!meta?.inline) toast.error(failureOf(error).message);
      },
    }),
  });
  return client;
}

function leaveWhenLoggedOut(error: unknown): void {
  if (failureOf(error).code !== "unauthorized") return;
  const { pathname, search } = window.location;
  window.location.assign(`/log-in?next=${encodeURIComponent(pathname + search)}`);
}
