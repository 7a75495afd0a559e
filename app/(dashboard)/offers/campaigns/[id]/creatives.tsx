import { Image, Pencil, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { RowMenu } from "../../../../components/ui/row-menu";
import { useMutationOf } from "../../../../trpc/use-operation";
import { PagedList } from "../../../components/paged-list";
import { PAGES } from "../../../components/pages";
import { archiveAction } from "../../../components/row-actions";
import type { Campaign } from "../campaign";
import type { Creative } from "./creative";
import { CreativeCard } from "./creative-card";
import { CreativeDialog } from "./creative-dialog";
import type { PreviewedAdvertiser } from "./previewed-offer";

interface CreativesProps {
  campaign: Campaign;
  advertiser: PreviewedAdvertiser;
}

export function Creatives({ campaign, advertiser }: CreativesProps) {
  const [open, setOpen] = useState<Creative | "new">();
  const create = (
    <Button onClick={() => setOpen("new")} icon={Plus}>
      Add creative
    </Button>
  );
  return (
    <Section id="creatives" title="Creatives" description="What an offer shows and where it leads." actions={create}>
      <PagedList
        noun="creative"
        icon={Image}
        emptyTitle="No creatives yet"
        about="Without a creative or a product the campaign has nothing to serve."
        scopes="ads"
        pages={({ trpc }) => trpc.listCreatives.infiniteQueryOptions({ id: campaign.id }, PAGES)}
      >
        {(creatives) => (
          <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
            {creatives.map((creative) => (
              <li key={creative.id} className="flex flex-col">
                <CreativeCard
                  creative={creative}
                  advertiser={advertiser}
                  menu={<CreativeMenu campaignId={campaign.id} creative={creative} onEdit={() => setOpen(creative)} />}
                />
              </li>
            ))}
          </ul>
        )}
      </PagedList>
      <CreativeDialog campaign={campaign} advertiser={advertiser} creative={open} onClose={() => setOpen(undefined)} />
    </Section>
  );
}

interface CreativeMenuProps {
  campaignId: string;
  creative: Creative;
  onEdit: () => void;
}

function CreativeMenu({ campaignId, creative: { id, title }, onEdit }: CreativeMenuProps) {
  const ids = { id: campaignId, creative_id: id };
  const restore = useMutationOf("restoreCreative", { meta: { done: "Creative restored." } });
  const archive = useMutationOf("deleteCreative", {
    meta: { done: "Creative archived.", undo: () => restore.mutateAsync(ids) },
  });
  const archiving = archiveAction({
    noun: "creative",
    name: `"${title}"`,
    consequence: "It stops serving immediately. Its figures stay in reports. You can undo this for 10 seconds.",
    onConfirm: () => archive.mutateAsync(ids),
  });
  return <RowMenu name={title} actions={[{ label: "Edit", icon: Pencil, onSelect: onEdit }, archiving]} />;
}
