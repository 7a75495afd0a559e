import { Archive, ChartColumn, KeyRound, Scale } from "lucide-react";
import { RowMenu } from "../../../components/ui/row-menu";
import { useMode } from "../../components/shell/mode";
import { archiveQuestion, useArchiveChannel } from "./archive-channel";

/** What can be done with a channel of the list. */
export function ChannelMenu({ id, name }: { id: string; name: string }) {
  const { mode } = useMode();
  const archive = useArchiveChannel(id);
  return (
    <RowMenu
      name={name}
      actions={[
        { label: "Show keys", icon: KeyRound, href: `/offers/channels/${id}#keys` },
        { label: "Open the report", icon: ChartColumn, href: `/offers/reports?channel=${id}&mode=${mode}` },
        { label: "Explain a request", icon: Scale, href: `/offers/explain?channel_id=${id}&mode=${mode}` },
        { label: "Archive", icon: Archive, question: archiveQuestion(name), onConfirm: archive },
      ]}
    />
  );
}
