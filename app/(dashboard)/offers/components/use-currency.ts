"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../trpc/client";

/** The installation's billing currency, which every figure shares; `known` spares the question. */
export function useCurrency(known?: string): string {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.getAccount.queryOptions(undefined, { enabled: known === undefined }));
  return known ?? data?.currency ?? "";
}
