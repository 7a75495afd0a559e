"use client";

import { ListOrdered } from "lucide-react";
import { NounList } from "../../components/noun-list";
import { pagesEvery } from "../../components/pages";
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
    pages={({ trpc, mode }) => trpc.listQueueFigures.infiniteQueryOptions({ mode }, pagesEvery(REFRESH_MS))}
    dialog={(state) => <CreateQueueDialog {...state} />}
  >
    {(queues, hasMore) => <QueueTable queues={queues} hasMore={hasMore} />}
  </NounList>
);
