"use client";

import { useQuery } from "@tanstack/react-query";
import { QueryContent } from "../../../../components/query-content";
import { Badge } from "../../../../components/ui/badge";
import { useTRPC } from "../../../../trpc/client";
import { refreshEvery } from "../../../../trpc/query-client";
import { useProjects } from "../../../account/api-keys/use-projects";
import { PageHeader } from "../../../components/page-header";
import { RequireScope } from "../../../components/shell/access";
import { useFollowMode } from "../../../components/shell/mode";
import { QueueTabs } from "./queue-tabs";

const REFRESH_MS = 3000;

interface QueuePageProps {
  id: string;
  publicUrl: string;
}

export const QueuePage = (props: QueuePageProps) => (
  <RequireScope scope="queues:read" title="Queue" what="the queues">
    <Page {...props} />
  </RequireScope>
);

function Page({ id, publicUrl }: QueuePageProps) {
  const trpc = useTRPC();
  const query = useQuery(
    // A rejected request would be rejected again. A hidden page does not ask.
    trpc.getQueue.queryOptions({ q: id }, { refetchInterval: refreshEvery(REFRESH_MS) }),
  );
  const { data: queue } = query;
  const { projects, nameOf } = useProjects();
  useFollowMode(queue);
  return (
    <>
      <PageHeader
        back={{ href: "/cloud/queues", label: "Queues" }}
        title={<span className="break-all">{queue?.name ?? "Queue"}</span>}
        description={
          <>
            {queue && projects.length > 1 && <span className="mr-2">{nameOf(queue.project_id)}</span>}
            <span className="font-mono text-xs">{id}</span>
          </>
        }
        actions={queue && <Badge tone={queue.mode === "live" ? "good" : "warn"}>{queue.mode}</Badge>}
      />
      <QueryContent query={query}>
        {(shown) => <QueueTabs key={shown.id} queue={shown} publicUrl={publicUrl} />}
      </QueryContent>
    </>
  );
}
