"use client";

import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Archive, Building2, Pencil } from "lucide-react";
import { useState } from "react";
import { Thumbnail } from "../../../components/thumbnail";
import { Link } from "../../../components/ui/link";
import { RowMenu } from "../../../components/ui/row-menu";
import { ActionsCell, Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { useTRPC } from "../../../trpc/client";
import { NounList } from "../../components/noun-list";
import { nextCursor } from "../../components/paged-content";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useMode } from "../../components/shell/mode";
import type { Advertiser } from "./advertiser";
import { AdvertiserDialog } from "./advertiser-dialog";

export const AdvertiserList = () => (
  <NounList
    title="Advertisers"
    description="The brands that your offers show. Test mode and live mode have separate advertisers."
    noun="advertiser"
    icon={Building2}
    about="An advertiser has a name, a domain and an icon. Create one, then its first campaign."
    scopes="ads"
    usePages={useAdvertiserPages}
    dialog={({ open, onOpenChange }) => (
      <AdvertiserDialog advertiser={open ? "new" : undefined} onClose={() => onOpenChange(false)} />
    )}
  >
    {(advertisers) => <AdvertiserTable advertisers={advertisers} />}
  </NounList>
);

function useAdvertiserPages() {
  const trpc = useTRPC();
  const { mode } = useMode();
  return useInfiniteQuery(trpc.listAdvertisers.infiniteQueryOptions({ mode }, { getNextPageParam: nextCursor }));
}

const COLUMNS = [
  { label: "Name" },
  { label: "Domain" },
  { label: "Other publishers" },
  { label: "Campaigns" },
  { label: "" },
];

function AdvertiserTable({ advertisers }: { advertisers: Advertiser[] }) {
  const [edited, setEdited] = useState<Advertiser>();
  return (
    <>
      <Table caption="Advertisers" columns={COLUMNS}>
        {advertisers.map((advertiser) => (
          <AdvertiserRow key={advertiser.id} advertiser={advertiser} onEdit={() => setEdited(advertiser)} />
        ))}
      </Table>
      <AdvertiserDialog advertiser={edited} onClose={() => setEdited(undefined)} />
    </>
  );
}

function AdvertiserRow({ advertiser, onEdit }: { advertiser: Advertiser; onEdit: () => void }) {
  const { id, name, domain, icon_url } = advertiser;
  const trpc = useTRPC();
  const restore = useMutation(trpc.restoreAdvertiser.mutationOptions({ meta: { done: "Advertiser restored." } }));
  const archive = useMutation(
    trpc.deleteAdvertiser.mutationOptions({
      meta: { done: "Advertiser archived.", undo: () => restore.mutateAsync({ id }) },
    }),
  );
  return (
    <Row>
      <RowHeading>
        <span className="flex items-center gap-3">
          <Thumbnail src={icon_url} name={name} />
          <button type="button" className={`${ROW_LINK_STYLE} text-left`} onClick={onEdit}>
            {name}
          </button>
        </span>
      </RowHeading>
      <Cell className="text-muted-foreground">{domain ?? "–"}</Cell>
      <Cell className="text-muted-foreground">
        {advertiser.review_automatic ? "approved automatically" : advertiser.review}
      </Cell>
      <Cell className="whitespace-nowrap">
        <Link href={`/offers/campaigns?advertiser=${id}`} className={ROW_LINK_STYLE}>
          Show campaigns
        </Link>
      </Cell>
      <ActionsCell>
        <RowMenu
          name={name}
          actions={[
            { label: "Edit", icon: Pencil, onSelect: onEdit },
            {
              label: "Archive",
              icon: Archive,
              question: {
                title: `Archive ${name}?`,
                consequence:
                  "Archive its campaigns first. Its figures stay in reports. You can undo this for 10 seconds.",
                action: "Archive advertiser",
              },
              onConfirm: () => archive.mutateAsync({ id }),
            },
          ]}
        />
      </ActionsCell>
    </Row>
  );
}
