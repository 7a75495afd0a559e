"use client";

import { useQuery } from "@tanstack/react-query";
import { QueryContent } from "../../../../components/query-content";
import { Badge } from "../../../../components/ui/badge";
import { useTRPC } from "../../../../trpc/client";
import { refreshEvery } from "../../../../trpc/query-client";
import { useProjects } from "../../../account/api-keys/use-projects";
import { PageHeader } from "../../../components/page-header";
import { RequireScope, useHasScope } from "../../../components/shell/access";
import { useFollowMode } from "../../../components/shell/mode";
import { ShellSection } from "../../components/terminal/shell-section";
import { isActive, type Pod } from "../pod";
import { PodStatusBadge } from "../pod-status";
import { PodActions } from "./pod-actions";
import { PodCheckpoints } from "./pod-checkpoints";
import { PodDetails } from "./pod-details";
import { PodLogs } from "./pod-logs";
import { PodSummary } from "./pod-summary";
import { PodTimeline } from "./pod-timeline";
import { PodWait } from "./pod-wait";

const ACTIVE_MS = 2000;
/** A program may start it again. */
const ENDED_MS = 15_000;

export const PodPage = ({ id }: { id: string }) => (
  <RequireScope scope="pods:read" title="Pod" what="the pods">
    <Page id={id} />
  </RequireScope>
);

function Page({ id }: { id: string }) {
  const trpc = useTRPC();
  const canWrite = useHasScope("pods:write");
  const query = useQuery(
    trpc.getPod.queryOptions(
      { id },
      {
        refetchInterval: ({ state }) =>
          refreshEvery(!state.data || isActive(state.data) ? ACTIVE_MS : ENDED_MS)({ state }),
      },
    ),
  );
  const { data: pod } = query;
  const { projects, nameOf } = useProjects();
  useFollowMode(pod);
  return (
    <>
      <PageHeader
        back={{ href: "/cloud/pods", label: "Pods" }}
        title={pod?.name ?? "Pod"}
        description={
          <>
            {pod && projects.length > 1 && <span className="mr-2">{nameOf(pod.project_id)}</span>}
            <span className="break-all font-mono text-xs">{id}</span>
          </>
        }
        actions={
          pod && (
            <>
              <Badge tone={pod.mode === "live" ? "good" : "warn"}>{pod.mode}</Badge>
              <PodStatusBadge status={pod.status} />
              {canWrite && <PodActions pod={pod} />}
            </>
          )
        }
      />
      <QueryContent query={query}>
        {(shown) => <Parts key={shown.id} pod={shown} at={query.dataUpdatedAt} canWrite={canWrite} />}
      </QueryContent>
    </>
  );
}

/** `at`: when the pod was read, in milliseconds since 1970. */
const Parts = ({ pod, at, canWrite }: { pod: Pod; at: number; canWrite: boolean }) => (
  <div className="space-y-6">
    <PodSummary pod={pod} at={at} />
    {pod.status === "pending" && pod.status_reason !== null && <PodWait pod={pod} />}
    <PodLogs pod={pod} />
    {canWrite && (pod.status === "ready" || pod.status === "reclaiming") && (
      <ShellSection
        title="Shell"
        about="A terminal with the shell of the image."
        path={`/v1/pods/${pod.id}/terminal`}
      />
    )}
    <PodCheckpoints pod={pod} at={at} />
    <PodTimeline pod={pod} />
    <PodDetails pod={pod} />
  </div>
);
