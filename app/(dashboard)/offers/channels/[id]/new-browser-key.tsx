import { useMutation } from "@tanstack/react-query";
import { Button } from "../../../../components/ui/button";
import { useTRPC } from "../../../../trpc/client";

/** Creates a browser key, which then appears wherever keys are listed: it is public, so no dialog shows it once. */
export function NewBrowserKey({ channelId }: { channelId: string }) {
  const trpc = useTRPC();
  const create = useMutation(trpc.createChannelKey.mutationOptions({ meta: { done: "Browser key created." } }));
  return (
    <Button size="sm" pending={create.isPending} onClick={() => create.mutate({ id: channelId, kind: "browser" })}>
      New browser key
    </Button>
  );
}
