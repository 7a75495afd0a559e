"use client";

import { useMutation } from "@tanstack/react-query";
import { Pause, Play } from "lucide-react";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { useTRPC } from "../../../trpc/client";
import type { Campaign } from "./campaign";

const TONES = { draft: "neutral", active: "good", paused: "warn", ended: "neutral" } as const;

/** The status, unless an active campaign has nothing to serve. */
export const CampaignStatus = ({ campaign: { status, items } }: { campaign: Pick<Campaign, "status" | "items"> }) =>
  status === "active" && items === 0 ? (
    <Badge tone="warn">not serving: no creative</Badge>
  ) : (
    <Badge tone={TONES[status]}>{status}</Badge>
  );

/** The one step that a status offers: start a draft, pause, resume. */
export function StatusButtons({
  campaign: { id, name, status },
}: {
  campaign: Pick<Campaign, "id" | "name" | "status">;
}) {
  const trpc = useTRPC();
  const update = useMutation(trpc.campaigns.update.mutationOptions());
  if (status === "ended") return null;
  const [label, next] =
    status === "active"
      ? (["Pause", "paused"] as const)
      : ([status === "draft" ? "Start" : "Resume", "active"] as const);
  return (
    <Button
      variant="outline"
      size="sm"
      pending={update.isPending}
      aria-label={`${label} ${name}`}
      onClick={() => update.mutate({ id, status: next })}
    >
      {next === "paused" ? <Pause aria-hidden /> : <Play aria-hidden />}
      {label}
    </Button>
  );
}
