"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ListOrdered, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/ui/button";
import { EmptyState } from "../../../components/ui/empty-state";
import { Link } from "../../../components/ui/link";
import { useTRPC } from "../../../trpc/client";
import { refreshEvery } from "../../../trpc/query-client";
import { PageHeader } from "../../components/page-header";
import { nextCursor, PagedContent } from "../../components/paged-content";
import { RequireScope, useHasScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";
import { CreateQueueDialog } from "./create-queue-dialog";
import { QueueTable } from "./queue-table";

const REFRESH_MS = 5000;

export const QueueList = () => (
  <RequireScope scope="queues:read" title="Queues" what="the queues">
    <Queues />
  </RequireScope>
);

function Queues() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const [creating, setCreating] = useState(false);
  const query = useInfiniteQuery(
    trpc.listQueueFigures.infiniteQueryOptions(
      { mode },
      // A rejected request would be rejected again. A hidden page does not ask.
      { getNextPageParam: nextCursor, refetchInterval: refreshEvery(REFRESH_MS) },
    ),
  );
  const create = useHasScope("queues:write") && (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create queue
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Queues"
        description="Durable messages between your programs, delivered in order and at least once."
        actions={create}
      />
      <PagedContent
        query={query}
        empty={
          <EmptyState icon={ListOrdered} title={`No queues in ${mode} mode yet`} action={create}>
            One program sends messages to a queue, others receive them and acknowledge each one when its work is done. A
            message that is not acknowledged is delivered again.{" "}
            <Link href="/docs/queues" className="underline underline-offset-2">
              How queues work
            </Link>
          </EmptyState>
        }
      >
        {(queues) => <QueueTable queues={queues} hasMore={query.hasNextPage} />}
      </PagedContent>
      <CreateQueueDialog open={creating} onOpenChange={setCreating} />
    </>
  );
}
