/** The installation's billing currency, which every figure shares; `known` spares the question. */
export function useCurrency(known?: string): string {
  const { data } = useQueryOf("getAccount", undefined, { enabled: known === undefined });
  return known ?? data?.currency ?? "";
}

import { useQueryOf } from "../../../trpc/use-operation";
