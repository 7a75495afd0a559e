"use client";

import { QueryClientProvider } from "@tanstack/react-query";
import { createTRPCClient, httpBatchLink, httpBatchStreamLink, splitLink, type TRPCLink } from "@trpc/client";
import type { inferRouterInputs, inferRouterOutputs } from "@trpc/server";
import { createTRPCContext } from "@trpc/tanstack-react-query";
import { type ReactNode, useState } from "react";
import type { AppRouter } from "../../server/surfaces/trpc/router";
import { createQueryClient } from "./query-client";

const { TRPCProvider, useTRPC: useContextTRPC, useTRPCClient: useContextClient } = createTRPCContext<AppRouter>();

export const useTRPC = useContextTRPC;
/** For calls that change nothing that a page shows; a mutation would load every query on screen again. */
export const useTRPCClient = useContextClient;
export type Inputs = inferRouterInputs<AppRouter>;
export type Outputs = inferRouterOutputs<AppRouter>;

/** The procedure whose answer arrives in parts. */
const STREAMED = "createChatCompletion";
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
        splitLink({
          condition: ({ path }) => path === STREAMED,
          // Each in a request of its own, so that each can be stopped.
          true: httpBatchStreamLink({ url: "/api/trpc", maxItems: 1 }),
          false: httpBatchLink({ url: "/api/trpc", maxURLLength: URL_CHARACTERS_MAX, maxItems: BATCH_MAX }),
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
