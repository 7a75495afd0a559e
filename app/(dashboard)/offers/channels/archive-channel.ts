import type { Question } from "../../../components/ui/confirm";
import { useMutationOf } from "../../../trpc/use-operation";

export const archiveQuestion = (name: string): Question => ({
  title: `Archive ${name}?`,
  consequence:
    "Pages and servers that use its keys stop receiving offers immediately. You can restore the channel for 10 seconds, but its keys stay revoked.",
  action: "Archive channel",
});

/** Archives a channel, with Undo. `onLeave` opens another page, because the channel's own is gone. */
export function useArchiveChannel(id: string, onLeave?: () => void): () => Promise<unknown> {
  const restore = useMutationOf("restoreChannel", {
    meta: { done: "Channel restored. Its keys stay revoked: create new ones." },
  });
  const archive = useMutationOf("deleteChannel", {
    meta: {
      done: "Channel archived.",
      undo: () => restore.mutateAsync({ id }),
      ...(onLeave && { leaves: true }),
    },
    ...(onLeave && { onSuccess: onLeave }),
  });
  return () => archive.mutateAsync({ id });
}
