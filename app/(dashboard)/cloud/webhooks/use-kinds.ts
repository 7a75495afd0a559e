"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../trpc/client";

/** The kinds change only with the version of svc. */
const FRESH_MS = 600_000;

/** Every kind of event. */
export function useKinds() {
  const trpc = useTRPC();
  return useQuery(trpc.listEventKinds.queryOptions(undefined, { staleTime: FRESH_MS }));
}
