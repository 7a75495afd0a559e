"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, type TRPCLink } from "@trpc/client";
import type { inferRouterOutputs } from "@trpc/server";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useState } from "react";
import type { AppRouter } from "../../server/surfaces/trpc/router";
import { createQueryClient } from "./query-client";

const { TRPCProvider, useTRPC: useContextTRPC } = createTRPCContext<AppRouter>();

export const useTRPC = useContextTRPC;
export type Outputs = inferRouterOutputs<AppRouter>;

const URL_CHARACTERS_MAX = 6000;
/** The server's limit for one request. */
const BATCH_MAX = 20;

/** One query cache and one batching client for each browser tab. */
export function ApiClientProvider({ children }: { children: ReactNode }) {
  const [queryClient] = useState(createQueryClient);
  const [client] = useState(() =>
    createTRPCClient<AppRouter>({
      links: [
        withoutDirection,
        httpBatchLink({
          url: "/api/trpc",
          maxURLLength: URL_CHARACTERS_MAX,
          maxItems: BATCH_MAX,
        }),
      ],
    }),
  );
  return (
    <QueryClientProvider client={queryClient}>
      <TRPCProvider trpcClient={client} queryClient={queryClient}>
        {children}
      </TRPCProvider>
    </QueryClientProvider>
  );
}

/** Infinite queries add the direction of paging to the input; svc's lists have one direction and reject unknown fields. */
const withoutDirection: TRPCLink<AppRouter> =
  () =>
  ({ op, next }) => {
    if (typeof op.input !== "object" || op.input === null || !("direction" in op.input)) return next(op);
    const { direction: _, ...input } = op.input;
    return next({ ...op, input });
  };
