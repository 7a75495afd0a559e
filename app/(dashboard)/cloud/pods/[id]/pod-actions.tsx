import { Play, RotateCcw, Square } from "lucide-react";
import { Button } from "../../../../components/ui/button";
import { Confirm } from "../../../../components/ui/confirm";
import { useHasScope } from "../../../components/shell/access";
import { useDeletion } from "../../../components/use-deletion";
import { isActive, type Pod } from "../pod";
import { deletionOf, usePodRuns } from "../use-pod-runs";

export function PodActions({ pod }: { pod: Pod }) {
  const { stop, start, startFromImage, isPending } = usePodRuns(pod);
  const runs = isActive(pod);
  const remove = useDeletion("deletePod", { done: "Pod deleted.", href: "/cloud/pods" });
  if (!useHasScope("pods:write")) return null;
  return (
    <>
      {/* One button, so that it keeps the focus while the pod stops. */}
      {(runs || start) && (
        <Button variant="outline" pending={isPending || pod.status === "stopping"} onClick={stop ?? start}>
          {runs ? <Square aria-hidden /> : <Play aria-hidden />}
          {runs ? "Stop" : "Start"}
        </Button>
      )}
      {startFromImage && (
        <Button variant="outline" pending={isPending} onClick={startFromImage}>
          <RotateCcw aria-hidden />
          Run from the image
        </Button>
      )}
      <Confirm
        trigger={<Button variant="outline">Delete</Button>}
        {...deletionOf(pod)}
        onConfirm={() => remove.mutateAsync({ id: pod.id })}
      />
    </>
  );
}
