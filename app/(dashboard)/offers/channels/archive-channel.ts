"use client";

import { useMutation } from "@tanstack/react-query";
import type { Question } from "../../../components/ui/confirm";
import { useTRPC } from "../../../trpc/client";

export const archiveQuestion = (name: string): Question => ({
  title: `Archive ${name}?`,
  consequence:
    "Pages and servers that use its keys stop receiving offers immediately. You can restore the channel for 10 seconds, but its keys stay revoked.",
  action: "Archive channel",
});

/** Archives a channel, with Undo. `onLeave` opens another page, because the channel's own is gone. */
export function useArchiveChannel(id: string, onLeave?: () => void): () => Promise<unknown> {
  const trpc = useTRPC();
  const restore = useMutation(
    trpc.restoreChannel.mutationOptions({
      meta: { done: "Channel restored. Its keys stay revoked: create new ones." },
    }),
  );
  const archive = useMutation(
    trpc.deleteChannel.mutationOptions({
      meta: {
        done: "Channel archived.",
        undo: () => restore.mutateAsync({ id }),
        ...(onLeave && { leaves: true }),
      },
      ...(onLeave && { onSuccess: onLeave }),
    }),
  );
  return () => archive.mutateAsync({ id });
}
