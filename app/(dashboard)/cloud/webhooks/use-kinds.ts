/** The kinds change only with the version of svc. */
const FRESH_MS = 600_000;

/** Every kind of event. */
export function useKinds() {
  return useQueryOf("listEventKinds", undefined, { staleTime: FRESH_MS });
}

import { useQueryOf } from "../../../trpc/use-operation";
