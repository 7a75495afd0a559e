import { Archive, ChartColumn, Settings2 } from "lucide-react";
import { type RowAction, RowMenu } from "../../../components/ui/row-menu";
import { useMutationOf } from "../../../trpc/use-operation";
import { archiveQuestion } from "./archive-question";
import type { Campaign } from "./campaign";
import { useStatusChange } from "./campaign-status";

/** What can be done with a campaign of the list. */
export function CampaignMenu({ campaign }: { campaign: Pick<Campaign, "id" | "name" | "status" | "mode"> }) {
  const { id, name, mode } = campaign;
  const change = useStatusChange(campaign);
  const restore = useMutationOf("restoreCampaign", { meta: { done: "Campaign restored." } });
  const archive = useMutationOf("deleteCampaign", {
    meta: { done: "Campaign archived.", undo: () => restore.mutateAsync({ id }) },
  });
  const actions: RowAction[] = [
    ...(change ? [{ label: change.label, icon: change.icon, onSelect: change.run }] : []),
    { label: "Edit settings", icon: Settings2, href: `/offers/campaigns/${id}?tab=settings` },
    { label: "Open the report", icon: ChartColumn, href: `/offers/reports?campaign=${id}&mode=${mode}` },
    {
      label: "Archive",
      icon: Archive,
      question: archiveQuestion(name),
      onConfirm: () => archive.mutateAsync({ id }),
    },
  ];
  return <RowMenu name={name} actions={actions} />;
}
