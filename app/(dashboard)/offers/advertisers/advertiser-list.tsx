"use client";

import { Building2, Pencil } from "lucide-react";
import { useState } from "react";
import { Thumbnail } from "../../../components/thumbnail";
import { Link } from "../../../components/ui/link";
import { RowMenu } from "../../../components/ui/row-menu";
import { useMutationOf } from "../../../trpc/use-operation";
import { type Columns, RowButton } from "../../components/data-table";
import { NounList } from "../../components/noun-list";
import { PAGES } from "../../components/pages";
import { archiveAction } from "../../components/row-actions";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import type { Advertiser } from "./advertiser";
import { AdvertiserDialog } from "./advertiser-dialog";

const columnsOf = (onEdit: (advertiser: Advertiser) => void): Columns<Advertiser> => [
  {
    label: "Name",
    cell: (advertiser) => (
      <span className="flex items-center gap-3">
        <Thumbnail src={advertiser.icon_url} name={advertiser.name} />
        <RowButton onClick={() => onEdit(advertiser)}>{advertiser.name}</RowButton>
      </span>
    ),
  },
  { label: "Domain", className: "text-muted-foreground", cell: ({ domain }) => domain ?? "–" },
  {
    label: "Other publishers",
    className: "text-muted-foreground",
    cell: ({ review_automatic, review }) => (review_automatic ? "approved automatically" : review),
  },
  {
    label: "Campaigns",
    className: "whitespace-nowrap",
    cell: ({ id }) => (
      <Link href={`/offers/campaigns?advertiser=${id}`} className={ROW_LINK_STYLE}>
        Show campaigns
      </Link>
    ),
  },
];

export function AdvertiserList() {
  const [edited, setEdited] = useState<Advertiser>();
  return (
    <>
      <NounList
        title="Advertisers"
        description="The brands that your offers show. Test mode and live mode have separate advertisers."
        noun="advertiser"
        icon={Building2}
        about="An advertiser has a name, a domain and an icon. Create one, then its first campaign."
        scopes="ads"
        pages={({ trpc, mode }) => trpc.listAdvertisers.infiniteQueryOptions({ mode }, PAGES)}
        columns={columnsOf(setEdited)}
        menu={(advertiser) => <AdvertiserMenu advertiser={advertiser} onEdit={() => setEdited(advertiser)} />}
        dialog={({ open, onOpenChange }) => (
          <AdvertiserDialog advertiser={open ? "new" : undefined} onClose={() => onOpenChange(false)} />
        )}
      />
      <AdvertiserDialog advertiser={edited} onClose={() => setEdited(undefined)} />
    </>
  );
}

function AdvertiserMenu({ advertiser: { id, name }, onEdit }: { advertiser: Advertiser; onEdit: () => void }) {
  const restore = useMutationOf("restoreAdvertiser", { meta: { done: "Advertiser restored." } });
  const archive = useMutationOf("deleteAdvertiser", {
    meta: { done: "Advertiser archived.", undo: () => restore.mutateAsync({ id }) },
  });
  const archiving = archiveAction({
    noun: "advertiser",
    name,
    consequence: "Archive its campaigns first. Its figures stay in reports. You can undo this for 10 seconds.",
    onConfirm: () => archive.mutateAsync({ id }),
  });
  return <RowMenu name={name} actions={[{ label: "Edit", icon: Pencil, onSelect: onEdit }, archiving]} />;
}
