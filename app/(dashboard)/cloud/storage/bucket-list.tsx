"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Archive, KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { EmptyState } from "../../../components/ui/empty-state";
import { Link } from "../../../components/ui/link";
import { Cell, Row, RowHeading, Table } from "../../../components/ui/table";
import { formatBytes } from "../../../format/bytes";
import { formatDateTime } from "../../../format/dates";
import { formatCount } from "../../../format/numbers";
import { useTRPC } from "../../../trpc/client";
import { refreshEvery } from "../../../trpc/query-client";
import { useProjects } from "../../account/api-keys/use-projects";
import { PageHeader } from "../../components/page-header";
import { nextCursor, PagedContent } from "../../components/paged-content";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { RequireScope, useHasScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";
import type { Bucket } from "./bucket";
import { CreateBucketDialog } from "./create-bucket-dialog";
import { S3CredentialsDialog } from "./s3-credentials-dialog";

const REFRESH_MS = 5000;

export const BucketList = () => (
  <RequireScope scope="storage:read" title="Storage" what="the buckets">
    <Buckets />
  </RequireScope>
);

function Buckets() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const [creating, setCreating] = useState(false);
  const [connecting, setConnecting] = useState(false);
  const canConnect = useHasScope("keys:write");
  const query = useInfiniteQuery(
    trpc.listBuckets.infiniteQueryOptions(
      { mode },
      { getNextPageParam: nextCursor, refetchInterval: refreshEvery(REFRESH_MS) },
    ),
  );
  const create = useHasScope("storage:write") && (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create bucket
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Storage"
        description="Files of any kind in buckets, for every S3 client and by links that expire."
        actions={
          <>
            {canConnect && (
              <Button variant="outline" onClick={() => setConnecting(true)}>
                <KeyRound aria-hidden />
                S3 credentials
              </Button>
            )}
            {create}
          </>
        }
      />
      <PagedContent
        query={query}
        empty={
          <EmptyState icon={Archive} title={`No buckets in ${mode} mode yet`} action={create}>
            A bucket holds objects: a name such as <span className="font-mono text-xs">reports/2026.pdf</span> and its
            bytes. Upload in the browser, with <span className="font-mono text-xs">svc storage cp</span>, or with any S3
            client.{" "}
            <Link href="/docs/storage" className="underline underline-offset-2">
              How storage works
            </Link>
          </EmptyState>
        }
      >
        {(buckets) => <BucketTable buckets={buckets} />}
      </PagedContent>
      <CreateBucketDialog open={creating} onOpenChange={setCreating} />
      <S3CredentialsDialog open={connecting} onOpenChange={setConnecting} />
    </>
  );
}

const COLUMNS = [
  { label: "Name" },
  { label: "Size", numeric: true },
  { label: "Objects", numeric: true },
  { label: "Access" },
  { label: "Versioning" },
  { label: "Created" },
];

function BucketTable({ buckets }: { buckets: Bucket[] }) {
  const { projects, nameOf } = useProjects();
  return (
    <Table caption="Buckets" columns={COLUMNS}>
      {buckets.map((bucket) => (
        <BucketRow
          key={bucket.id}
          bucket={bucket}
          project={projects.length > 1 ? nameOf(bucket.project_id) : undefined}
        />
      ))}
    </Table>
  );
}

interface BucketRowProps {
  bucket: Bucket;
  /** Shown if the tenant has several. */
  project: string | undefined;
}

const BucketRow = ({ bucket, project }: BucketRowProps) => (
  <Row>
    <RowHeading className="min-w-44 max-w-80">
      <Link href={`/cloud/storage/${bucket.id}`} className={`${ROW_LINK_STYLE} wrap-anywhere`}>
        {bucket.name}
      </Link>
      {project && <span className="block font-normal text-muted-foreground text-xs">{project}</span>}
    </RowHeading>
    <Cell numeric className="whitespace-nowrap font-medium">
      {formatBytes(bucket.usage.bytes)}
    </Cell>
    <Cell numeric>{formatCount(bucket.usage.objects)}</Cell>
    <Cell>
      <Access bucket={bucket} />
    </Cell>
    <Cell className="text-muted-foreground">{bucket.versioning}</Cell>
    <Cell className="whitespace-nowrap text-muted-foreground">{formatDateTime(bucket.created_at)}</Cell>
  </Row>
);

/** Who may read the objects; a bucket that is being deleted says so instead. */
export function Access({ bucket: { deletion, public_read } }: { bucket: Bucket }) {
  if (deletion) return <Badge tone="bad">being deleted</Badge>;
  return public_read ? <Badge tone="warn">public</Badge> : <Badge>private</Badge>;
}
