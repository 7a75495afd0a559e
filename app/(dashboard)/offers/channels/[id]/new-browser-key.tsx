import { Button } from "../../../../components/ui/button";
import { useMutationOf } from "../../../../trpc/use-operation";

/** Creates a browser key, which then appears wherever keys are listed: it is public, so no dialog shows it once. */
export function NewBrowserKey({ channelId }: { channelId: string }) {
  const create = useMutationOf("createChannelKey", { meta: { done: "Browser key created." } });
  return (
    <Button size="sm" pending={create.isPending} onClick={() => create.mutate({ id: channelId, kind: "browser" })}>
      New browser key
    </Button>
  );
}
