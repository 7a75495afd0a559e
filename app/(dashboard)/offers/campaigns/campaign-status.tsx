import { type LucideIcon, Pause, Play } from "lucide-react";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { useMutationOf } from "../../../trpc/use-operation";
import type { Campaign } from "./campaign";

const TONES = { draft: "neutral", active: "good", paused: "warn", ended: "neutral" } as const;

/** The status, unless an active campaign has nothing to serve. */
export const CampaignStatus = ({ campaign: { status, items } }: { campaign: Pick<Campaign, "status" | "items"> }) =>
  status === "active" && items === 0 ? (
    <Badge tone="warn">not serving: no creative</Badge>
  ) : (
    <Badge tone={TONES[status]}>{status}</Badge>
  );

interface StatusChange {
  label: "Start" | "Pause" | "Resume";
  icon: LucideIcon;
  run: () => void;
  isPending: boolean;
}

/** The one step that a status offers: start a draft, pause, resume; undefined for an ended campaign. */
export function useStatusChange({ id, status }: Pick<Campaign, "id" | "status">): StatusChange | undefined {
  const update = useMutationOf("updateCampaign");
  const change = { isPending: update.isPending };
  if (status === "ended") return undefined;
  if (status === "active")
    return { ...change, label: "Pause", icon: Pause, run: () => update.mutate({ id, status: "paused" }) };
  const label = status === "draft" ? "Start" : "Resume";
  return { ...change, label, icon: Play, run: () => update.mutate({ id, status: "active" }) };
}

export function StatusButton({ campaign }: { campaign: Pick<Campaign, "id" | "name" | "status"> }) {
  const change = useStatusChange(campaign);
  if (!change) return null;
  const { label, icon: Icon, run, isPending } = change;
  return (
    <Button variant="outline" size="sm" pending={isPending} aria-label={`${label} ${campaign.name}`} onClick={run}>
      <Icon aria-hidden />
      {label}
    </Button>
  );
}
