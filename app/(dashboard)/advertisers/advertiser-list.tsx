"use client";

import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Building2, Plus } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { LoadedPages, nextCursorOf } from "../../components/loaded-pages";
import { PageHeader } from "../../components/page-header";
import { Button } from "../../components/ui/button";
import { Confirm } from "../../components/ui/confirm";
import { Empty } from "../../components/ui/empty";
import { ROW_LINK } from "../../components/ui/row-link";
import { Cell, Row, RowHeading, Table } from "../../components/ui/table";
import { useTRPC } from "../../trpc/client";
import type { Advertiser } from "./advertiser";
import { AdvertiserDialog } from "./advertiser-dialog";

export function AdvertiserList() {
  const trpc = useTRPC();
  const [open, setOpen] = useState<Advertiser | "new">();
  const query = useInfiniteQuery(trpc.advertisers.list.infiniteQueryOptions({}, { getNextPageParam: nextCursorOf }));
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
        description="Whose name stands on an offer. Campaigns belong to one; test and live share them."
        actions={create}
      />
      <LoadedPages
        query={query}
        empty={
          <Empty icon={Building2} title="No advertisers yet" action={create}>
            An advertiser has a name, a domain and an icon. Create one, then its first campaign.
          </Empty>
        }
      >
        {(advertisers) => (
          <Table
            caption="Advertisers"
            columns={[{ label: "Name" }, { label: "Domain" }, { label: "Campaigns" }, { label: "" }]}
          >
            {advertisers.map((advertiser) => (
              <AdvertiserRow key={advertiser.id} advertiser={advertiser} onEdit={() => setOpen(advertiser)} />
            ))}
          </Table>
        )}
      </LoadedPages>
      <AdvertiserDialog advertiser={open} onClose={() => setOpen(undefined)} />
    </>
  );
}

function AdvertiserRow({ advertiser, onEdit }: { advertiser: Advertiser; onEdit: () => void }) {
  const { id, name, domain } = advertiser;
  const trpc = useTRPC();
  const archive = useMutation(trpc.advertisers.delete.mutationOptions({ meta: { done: "Advertiser archived." } }));
  return (
    <Row>
      <RowHeading>
        <button type="button" className={`${ROW_LINK} text-left`} onClick={onEdit}>
          {name}
        </button>
      </RowHeading>
      <Cell className="text-muted-foreground">{domain ?? "–"}</Cell>
      <Cell className="whitespace-nowrap">
        <Link href={`/campaigns?advertiser=${id}`} className={ROW_LINK}>
          Show campaigns
        </Link>
      </Cell>
      <Cell numeric className="whitespace-nowrap">
        <Button variant="ghost" size="sm" onClick={onEdit} aria-label={`Edit ${name}`}>
          Edit
        </Button>
        <Confirm
          trigger={
            <Button variant="ghost" size="sm" aria-label={`Archive ${name}`}>
              Archive
            </Button>
          }
          title={`Archive ${name}?`}
          consequence="Archive its campaigns first. Its figures stay in reports. This cannot be undone."
          action="Archive advertiser"
          onConfirm={() => archive.mutateAsync({ id })}
        />
      </Cell>
    </Row>
  );
}
