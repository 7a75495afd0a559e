"use client";

import { useMutation } from "@tanstack/react-query";
import { Play, Square } from "lucide-react";
import { useRouter } from "next/navigation";
import { Button } from "../../../../components/ui/button";
import { Confirm } from "../../../../components/ui/confirm";
import { useTRPC } from "../../../../trpc/client";
import type { Pod } from "../pod";
import { deletionOf, usePodRuns } from "../use-pod-runs";

export function PodActions({ pod }: { pod: Pod }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { stop, start, isPending } = usePodRuns(pod);
  const remove = useMutation(
    trpc.cloud.pods.delete.mutationOptions({
      meta: { done: "Pod deleted.", leaves: true },
      onSuccess: () => router.push("/cloud/pods"),
    }),
  );
  return (
    <>
      {stop && (
        <Button variant="outline" pending={isPending} onClick={stop}>
          <Square aria-hidden />
          Stop
        </Button>
      )}
      {start && (
        <Button variant="outline" pending={isPending} onClick={start}>
          <Play aria-hidden />
          Start
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
