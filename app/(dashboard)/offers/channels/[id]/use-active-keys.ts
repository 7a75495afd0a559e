import { useQuery } from "@tanstack/react-query";
import { type Outputs, useTRPC } from "../../../../trpc/client";

const KEYS_MAX = 100;

export type Key = Outputs["listChannelKeys"]["data"][number];

/** The channel's keys that are not revoked, newest first. */
export function useActiveKeys(channelId: string, { refetchMs }: { refetchMs?: number } = {}) {
  const trpc = useTRPC();
  return useQuery(
    trpc.listChannelKeys.queryOptions(
      { id: channelId, limit: KEYS_MAX },
      {
        select: ({ data }) => data.filter(({ revoked_at }) => !revoked_at),
        ...(refetchMs && { refetchInterval: refetchMs }),
      },
    ),
  );
}
