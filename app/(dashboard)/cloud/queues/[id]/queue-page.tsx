"use client";

import { refreshEvery } from "../../../../trpc/query-client";
import { NounPage } from "../../../components/noun-page";
import { QueueTabs } from "./queue-tabs";

const REFRESH_MS = 3000;

export const QueuePage = ({ id, publicUrl }: { id: string; publicUrl: string }) => (
  <NounPage
    id={id}
    noun="Queue"
    list={{ href: "/cloud/queues", label: "Queues" }}
    scope="queues:read"
    query={(trpc) => trpc.getQueue.queryOptions({ q: id }, { refetchInterval: refreshEvery(REFRESH_MS) })}
  >
    {(queue) => <QueueTabs queue={queue} publicUrl={publicUrl} />}
  </NounPage>
);
