"use client";

import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Archive, Building2, Pencil, Plus } from "lucide-react";
import { useState } from "react";
import { Thumbnail } from "../../../components/thumbnail";
import { Button } from "../../../components/ui/button";
import { EmptyState } from "../../../components/ui/empty-state";
import { Link } from "../../../components/ui/link";
import { RowMenu } from "../../../components/ui/row-menu";
import { ActionsCell, Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { useTRPC } from "../../../trpc/client";
import { PageHeader } from "../../components/page-header";
import { nextCursor, PagedContent } from "../../components/paged-content";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useMode } from "../../components/shell/mode";
import type { Advertiser } from "./advertiser";
import { AdvertiserDialog } from "./advertiser-dialog";

export function AdvertiserList() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const [open, setOpen] = useState<Advertiser | "new">();
  const query = useInfiniteQuery(trpc.listAdvertisers.infiniteQueryOptions({ mode }, { getNextPageParam: nextCursor }));
  const create = (
    <Button onClick={() => setOpen("new")}>
      <Plus aria-hidden />
      Create advertiser
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Advertisers"
        description="The brands that your offers show. Test mode and live mode have separate advertisers."
        actions={create}
      />
      <PagedContent
        query={query}
        empty={
          <EmptyState icon={Building2} title={`No advertisers in ${mode} mode yet`} action={create}>
            An advertiser has a name, a domain and an icon. Create one, then its first campaign.
          </EmptyState>
        }
      >
        {(advertisers) => (
          <Table
            caption="Advertisers"
            columns={[
              { label: "Name" },
              { label: "Domain" },
              { label: "Other publishers" },
              { label: "Campaigns" },
              { label: "" },
            ]}
          >
            {advertisers.map((advertiser) => (
              <AdvertiserRow key={advertiser.id} advertiser={advertiser} onEdit={() => setOpen(advertiser)} />
            ))}
          </Table>
        )}
      </PagedContent>
      <AdvertiserDialog advertiser={open} onClose={() => setOpen(undefined)} />
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
