"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ListOrdered } from "lucide-react";
import { useTRPC } from "../../../trpc/client";
import { refreshEvery } from "../../../trpc/query-client";
import { NounList } from "../../components/noun-list";
import { nextCursor } from "../../components/paged-content";
import { useMode } from "../../components/shell/mode";
import { CreateQueueDialog } from "./create-queue-dialog";
import { QueueTable } from "./queue-table";

const REFRESH_MS = 5000;

export const QueueList = () => (
  <NounList
    title="Queues"
    description="Durable messages between your programs, delivered in order and at least once."
    noun="queue"
    icon={ListOrdered}
    about="One program sends messages to a queue, others receive them and acknowledge each one when its work is done. A message that is not acknowledged is delivered again."
    docs="/docs/queues"
    scopes="queues"
    usePages={useQueues}
    dialog={(state) => <CreateQueueDialog {...state} />}
  >
    {(queues, { hasNextPage }) => <QueueTable queues={queues} hasMore={hasNextPage} />}
  </NounList>
);

function useQueues() {
  const trpc = useTRPC();
  const { mode } = useMode();
  return useInfiniteQuery(
    trpc.listQueueFigures.infiniteQueryOptions(
      { mode },
      // A rejected request would be rejected again. A hidden page does not ask.
      { getNextPageParam: nextCursor, refetchInterval: refreshEvery(REFRESH_MS) },
    ),
  );
}
