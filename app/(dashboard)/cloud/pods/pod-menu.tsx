import { Play, RotateCcw, Square } from "lucide-react";
import { type RowAction, RowMenu } from "../../../components/ui/row-menu";
import { useMutationOf } from "../../../trpc/use-operation";
import { deleteAction } from "../../components/row-actions";
import type { Pod } from "./pod";
import { deletionOf, usePodRuns } from "./use-pod-runs";

/** Stops, starts and deletes the pod of a row. */
export function PodMenu({ pod }: { pod: Pod }) {
  const { stop, start, startFromImage } = usePodRuns(pod);
  const remove = useMutationOf("deletePod", { meta: { done: "Pod deleted." } });
  const actions: RowAction[] = [
    ...(stop ? [{ label: "Stop", icon: Square, onSelect: stop }] : []),
    ...(start ? [{ label: "Start", icon: Play, onSelect: start }] : []),
    ...(startFromImage ? [{ label: "Run from the image", icon: RotateCcw, onSelect: startFromImage }] : []),
    deleteAction(deletionOf(pod), () => remove.mutateAsync({ id: pod.id })),
  ];
  return <RowMenu name={pod.name} actions={actions} />;
}
