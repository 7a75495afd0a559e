"use client";

import { NounPage } from "../../../components/noun-page";
import { useHasScope } from "../../../components/shell/access";
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
  <NounPage
    id={id}
    noun="Pod"
    list={{ href: "/cloud/pods", label: "Pods" }}
    scope="pods:read"
    query={(trpc) => trpc.getPod.queryOptions({ id })}
    refreshMs={(pod) => (!pod || isActive(pod) ? ACTIVE_MS : ENDED_MS)}
    actions={(pod) => (
      <>
        <PodStatusBadge status={pod.status} />
        <PodActions pod={pod} />
      </>
    )}
  >
    {(pod, readAt) => <Parts pod={pod} at={readAt} />}
  </NounPage>
);

/** `at`: when the pod was read, in milliseconds since 1970. */
function Parts({ pod, at }: { pod: Pod; at: number }) {
  const canWrite = useHasScope("pods:write");
  return (
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
}
