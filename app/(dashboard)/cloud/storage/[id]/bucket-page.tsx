"use client";

import { Archive } from "lucide-react";
import { Alert } from "../../../../components/ui/alert";
import { Button } from "../../../../components/ui/button";
import { EmptyState } from "../../../../components/ui/empty-state";
import { Link } from "../../../../components/ui/link";
import { ProgressBar } from "../../../../components/ui/progress-bar";
import { countText } from "../../../../format/count-text";
import { formatCount } from "../../../../format/numbers";
import { NounPage } from "../../../components/noun-page";
import { PageTabs } from "../../../components/page-tabs";
import type { Bucket } from "../bucket";
import { Access } from "../bucket-list";
import { BucketSettings } from "./bucket-settings";
import { BucketUsage } from "./bucket-usage";
import { ObjectBrowser } from "./object-browser";

const REFRESH_MS = 5000;
const DELETING_REFRESH_MS = 1000;

interface BucketPageProps {
  id: string;
  publicUrl: string;
}

export const BucketPage = ({ id, publicUrl }: BucketPageProps) => (
  <NounPage
    id={id}
    noun="Bucket"
    list={{ href: "/cloud/storage", label: "Storage" }}
    scope="storage:read"
    what="the buckets"
    query={(trpc) => trpc.getBucket.queryOptions({ bucket: id }, { meta: { saysGone: true } })}
    refreshMs={(bucket) => (bucket?.deletion ? DELETING_REFRESH_MS : REFRESH_MS)}
    actions={(bucket) => <Access bucket={bucket} />}
    gone={({ name }) => <Gone name={name} />}
  >
    {(bucket) =>
      bucket.deletion ? (
        <Deletion name={bucket.name} {...bucket.deletion} />
      ) : (
        <BucketTabs bucket={bucket} publicUrl={publicUrl} />
      )
    }
  </NounPage>
);

const BucketTabs = ({ bucket, publicUrl }: { bucket: Bucket; publicUrl: string }) => (
  <PageTabs
    label="Parts of the bucket"
    tabs={[
      {
        value: "objects",
        label: "Objects",
        content: <ObjectBrowser bucket={bucket} publicUrl={publicUrl} />,
        keeps: true,
      },
      { value: "usage", label: "Usage", content: <BucketUsage bucket={bucket} /> },
      { value: "settings", label: "Settings", content: <BucketSettings bucket={bucket} />, keeps: true },
    ]}
  />
);

/** Shown instead of what the page knew of a bucket, when its deletion is done. */
const Gone = ({ name }: { name: string }) => (
  <EmptyState
    icon={Archive}
    title="The bucket has been deleted"
    action={
      <Button asChild variant="outline">
        <Link href="/cloud/storage">All buckets</Link>
      </Button>
    }
  >
    <span className="wrap-anywhere">{name}</span> does not exist any more, and its name is free.
  </EmptyState>
);

/** The progress of a deletion, which continues without this page. */
const Deletion = ({ name, deleted, total }: { name: string; deleted: number; total: number }) => (
  <Alert tone="warn">
    <p>
      {name} is being deleted: {formatCount(deleted)} of {countText(total, "object version")} so far. This page can be
      closed.
    </p>
    <ProgressBar
      className="mt-2 block w-full max-w-md"
      aria-label="Deleted object versions"
      value={deleted}
      max={Math.max(1, total)}
    />
  </Alert>
);
