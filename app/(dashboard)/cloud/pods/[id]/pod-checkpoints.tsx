import { Play, Save } from "lucide-react";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { type RowAction, RowMenu } from "../../../../components/ui/row-menu";
import { formatBytes } from "../../../../format/bytes";
import { formatRelativeTime } from "../../../../format/dates";
import type { Outputs } from "../../../../trpc/client";
import { useMutationOf } from "../../../../trpc/use-operation";
import { PagedList } from "../../../components/paged-list";
import { pagesWhile } from "../../../components/pages";
import { deleteAction, questionOf } from "../../../components/row-actions";
import { useHasScope } from "../../../components/shell/access";
import { isChanging, type Pod } from "../pod";
import { usePodRuns } from "../use-pod-runs";

type Checkpoint = Outputs["listPodCheckpoints"]["data"][number];

const SAVING_MS = 2000;
const SAVED_MS = 15_000;
const PAGE_ROWS = 25;

/** The saved files of the pod, newest first; `at` is when it was read, in milliseconds since 1970. */
export function PodCheckpoints({ pod, at }: { pod: Pod; at: number }) {
  const canWrite = useHasScope("pods:write");
  const save = useMutationOf("checkpointPod", { meta: { done: "The files of the pod are being saved." } });
  return (
    <Section
      title="Checkpoints"
      description="Its files in object storage, with its volume: neither memory nor processes. The newest 5 are kept."
      actions={
        canWrite &&
        !isChanging(pod) &&
        pod.started_at !== null && (
          <Button variant="outline" pending={save.isPending} onClick={() => save.mutate({ id: pod.id })}>
            <Save aria-hidden />
            Checkpoint now
          </Button>
        )
      }
    >
      <PagedList
        noun="checkpoint"
        icon={Save}
        emptyTitle="No checkpoints yet"
        about="A checkpoint is saved on request, and when the GPUs of a spot pod are reclaimed. A pod can start from one."
        scopes="pods"
        pages={({ trpc: api }) =>
          api.listPodCheckpoints.infiniteQueryOptions(
            { id: pod.id, limit: PAGE_ROWS },
            pagesWhile((row: Checkpoint) => row.state === "saving", SAVING_MS, isChanging(pod) ? SAVING_MS : SAVED_MS),
          )
        }
      >
        {(rows) => (
          <ol aria-label="Checkpoints, newest first" className="divide-y rounded-lg border">
            {rows.map((row) => (
              <Row key={row.id} pod={pod} row={row} at={at} canWrite={canWrite} />
            ))}
          </ol>
        )}
      </PagedList>
    </Section>
  );
}

interface RowProps {
  pod: Pod;
  row: Checkpoint;
  at: number;
  canWrite: boolean;
}

const Row = ({ pod, row, at, canWrite }: RowProps) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-0.5 px-3 py-2 text-sm">
    <span className="min-w-0 flex-1 break-all font-mono text-xs">{row.id}</span>
    <span>{stateOf(row)}</span>
    <span className="text-muted-foreground">
      run {row.run}, {row.cause === "reclaim" ? "after a reclaim" : "on request"}
    </span>
    <time dateTime={row.created_at} className="text-muted-foreground text-xs">
      {formatRelativeTime(row.created_at, new Date(at))}
    </time>
    {canWrite && row.state !== "saving" && <Menu pod={pod} row={row} />}
  </li>
);

const LOST = "These files cannot be restored any more. The pod and its other checkpoints stay.";

function Menu({ pod, row }: Pick<RowProps, "pod" | "row">) {
  const { startFrom } = usePodRuns(pod);
  const remove = useMutationOf("deletePodCheckpoint", { meta: { done: "Checkpoint deleted." } });
  const isStartable = startFrom !== undefined && row.state === "saved";
  const actions: RowAction[] = [
    ...(isStartable ? [{ label: "Start from it", icon: Play, onSelect: () => startFrom(row.id) }] : []),
    deleteAction(questionOf("Delete", { noun: "checkpoint", consequence: LOST }), () =>
      remove.mutateAsync({ id: pod.id, checkpoint_id: row.id }),
    ),
  ];
  return <RowMenu name={row.id} actions={actions} />;
}

function stateOf({ state, reason, size_bytes, volume_bytes, new_bytes }: Checkpoint): string {
  if (state === "failed") return `failed: ${reason?.message ?? ""}`;
  if (size_bytes === null) return `saving, ${formatBytes(new_bytes)} uploaded`;
  const volume = volume_bytes === null ? "" : ` and ${formatBytes(volume_bytes)} of the volume`;
  return `${formatBytes(size_bytes)}${volume}, ${formatBytes(new_bytes)} uploaded`;
}
