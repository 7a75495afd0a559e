import { Play, Square } from "lucide-react";
import { Button } from "../../../../components/ui/button";
import { Confirm } from "../../../../components/ui/confirm";
import { useMutationOf } from "../../../../trpc/use-operation";
import { useCanWrite } from "../../../components/shell/access";
import { useDeletion } from "../../../components/use-deletion";
import { runsOf } from "../instance";
import { deletionOf, type Resource } from "../resource";

/** Start or Stop of an instance, and Delete. */
export function ResourceActions({ resource }: { resource: Resource }) {
  const { rid, plane, state } = resource;
  const runs = runsOf(resource);
  const stop = useMutationOf("stopInstance");
  const start = useMutationOf("startInstance");
  const remove = useDeletion("deleteResource", { done: "The resource is being deleted.", href: "/cloud/resources" });
  if (!useCanWrite(plane) || state === "deleting") return null;
  return (
    <>
      {/* One button, so that it keeps the focus while the instance stops. */}
      {runs !== undefined && (
        <Button
          variant="outline"
          pending={stop.isPending || start.isPending}
          onClick={() => (runs ? stop : start).mutate({ rid })}
        >
          {runs ? <Square aria-hidden /> : <Play aria-hidden />}
          {runs ? "Stop" : "Start"}
        </Button>
      )}
      <Confirm
        trigger={<Button variant="outline">Delete</Button>}
        {...deletionOf(resource)}
        onConfirm={() => remove.mutateAsync({ rid })}
      />
    </>
  );
}
