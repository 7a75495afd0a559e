import { Button } from "../../../../components/ui/button";
import { Confirm } from "../../../../components/ui/confirm";
import { useMutationOf } from "../../../../trpc/use-operation";
import { useHasScope } from "../../../components/shell/access";
import { useDeletion } from "../../../components/use-deletion";
import { canStart, deletionOf, type Workspace } from "../workspace";

/** Opens code-server if the workspace has it, starts, stops and deletes it. */
export function WorkspaceActions({ workspace }: { workspace: Workspace }) {
  const { id, status, editor } = workspace;
  const start = useMutationOf("startWorkspace");
  const stop = useMutationOf("stopWorkspace");
  const remove = useDeletion("deleteWorkspace", { done: "Workspace deleted.", href: "/cloud/workspaces" });
  if (!useHasScope("workspaces:write")) return null;
  return (
    <>
      {status === "running" && editor === "code-server" && (
        <Button asChild>
          <a href={`/v1/workspaces/${id}/editor`} target="_blank" rel="noopener">
            Open code-server
          </a>
        </Button>
      )}
      {canStart(workspace) && (
        <Button pending={start.isPending} onClick={() => start.mutate({ id })}>
          Start
        </Button>
      )}
      {status === "running" && (
        <Button variant="outline" pending={stop.isPending} onClick={() => stop.mutate({ id })}>
          Stop
        </Button>
      )}
      <Confirm
        trigger={<Button variant="outline">Delete</Button>}
        {...deletionOf(workspace)}
        onConfirm={() => remove.mutateAsync({ id })}
      />
    </>
  );
}
