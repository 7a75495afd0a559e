"use client";

import { Archive, KeyRound } from "lucide-react";
import { useState } from "react";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { Link } from "../../../components/ui/link";
import { formatBytes } from "../../../format/bytes";
import { formatCount } from "../../../format/numbers";
import { type Columns, nameColumn, timeColumn } from "../../components/data-table";
import { NounList } from "../../components/noun-list";
import { pagesEvery } from "../../components/pages";
import { useHasScope } from "../../components/shell/access";
import type { Bucket } from "./bucket";
import { CreateBucketDialog } from "./create-bucket-dialog";
import { S3CredentialsDialog } from "./s3-credentials-dialog";

const REFRESH_MS = 5000;

const COLUMNS: Columns<Bucket> = [
  nameColumn("/cloud/storage", "project"),
  { label: "Size", numeric: true, className: "font-medium", cell: ({ usage }) => formatBytes(usage.bytes) },
  { label: "Objects", numeric: true, cell: ({ usage }) => formatCount(usage.objects) },
  { label: "Access", cell: (bucket) => <Access bucket={bucket} /> },
  { label: "Versioning", className: "text-muted-foreground", cell: ({ versioning }) => versioning },
  timeColumn("Created", ({ created_at }) => created_at),
];

export const BucketList = () => (
  <NounList
    title="Storage"
    description="Files of any kind in buckets, for every S3 client and by links that expire."
    noun="bucket"
    icon={Archive}
    about={<About />}
    scopes="storage"
    pages={({ trpc, mode }) => trpc.listBuckets.infiniteQueryOptions({ mode }, pagesEvery(REFRESH_MS))}
    columns={COLUMNS}
    actions={<S3Credentials />}
    dialog={(state) => <CreateBucketDialog {...state} />}
  />
);

const About = () => (
  <>
    A bucket holds objects: a name such as <span className="font-mono text-xs">reports/2026.pdf</span> and its bytes.
    Upload in the browser, with <span className="font-mono text-xs">svc storage cp</span>, or with any S3 client.{" "}
    <Link href="/docs/storage" className="underline underline-offset-2">
      How storage works
    </Link>
  </>
);

/** The button that creates credentials for S3 clients, for those who may create keys. */
function S3Credentials() {
  const [open, setOpen] = useState(false);
  if (!useHasScope("keys:write")) return null;
  return (
    <>
      <Button variant="outline" onClick={() => setOpen(true)} icon={KeyRound}>
        S3 credentials
      </Button>
      <S3CredentialsDialog open={open} onOpenChange={setOpen} />
    </>
  );
}

/** Who may read the objects; a bucket that is being deleted says so instead. */
export function Access({ bucket: { deletion, public_read, acl } }: { bucket: Bucket }) {
  if (deletion) return <Badge tone="bad">being deleted</Badge>;
  if (public_read) return <Badge tone="warn">public</Badge>;
  const isShared = acl.some(({ grantee }) => grantee === "all_users" || grantee === "authenticated_users");
  return isShared ? <Badge tone="warn">public access list</Badge> : <Badge>private</Badge>;
}
