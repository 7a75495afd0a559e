"use client";

import { useQuery } from "@tanstack/react-query";
import { Archive } from "lucide-react";
import { QueryContent } from "../../../../components/query-content";
import { Alert } from "../../../../components/ui/alert";
import { Badge } from "../../../../components/ui/badge";
import { Button } from "../../../../components/ui/button";
import { EmptyState } from "../../../../components/ui/empty-state";
import { Link } from "../../../../components/ui/link";
import { ProgressBar } from "../../../../components/ui/progress-bar";
import { countText } from "../../../../format/count-text";
import { formatCount } from "../../../../format/numbers";
import { useTRPC } from "../../../../trpc/client";
import { failureOf } from "../../../../trpc/failure";
import { refreshEvery } from "../../../../trpc/query-client";
import { useProjects } from "../../../account/api-keys/use-projects";
import { PageHeader } from "../../../components/page-header";
import { RequireScope } from "../../../components/shell/access";
import { useFollowMode } from "../../../components/shell/mode";
import { Tabs } from "../../../components/tabs";
import { useUrlParams } from "../../../components/use-url-params";
import type { Bucket } from "../bucket";
import { Access } from "../bucket-list";
import { BucketSettings } from "./bucket-settings";
import { BucketUsage } from "./bucket-usage";
import { ObjectBrowser } from "./object-browser";

const REFRESH_MS = 5000;
const DELETING_REFRESH_MS = 1000;
const OBJECTS = "objects";

interface BucketPageProps {
  id: string;
  publicUrl: string;
}

export const BucketPage = (props: BucketPageProps) => (
  <RequireScope scope="storage:read" title="Bucket" what="the buckets">
    <Page {...props} />
  </RequireScope>
);

function Page({ id, publicUrl }: BucketPageProps) {
  const trpc = useTRPC();
  const query = useQuery(
    trpc.getBucket.queryOptions(
      { bucket: id },
      {
        meta: { saysGone: true },
        refetchInterval: (loaded) =>
          refreshEvery(loaded.state.data?.deletion ? DELETING_REFRESH_MS : REFRESH_MS)(loaded),
      },
    ),
  );
  const { data: bucket } = query;
  const isGone = query.error !== null && failureOf(query.error).code === "not_found";
  const { projects, nameOf } = useProjects();
  useFollowMode(bucket);
  return (
    <>
      <PageHeader
        back={{ href: "/cloud/storage", label: "Storage" }}
        title={<span className="break-all">{bucket?.name ?? "Bucket"}</span>}
        description={
          <>
            {bucket && projects.length > 1 && <span className="mr-2">{nameOf(bucket.project_id)}</span>}
            <span className="font-mono text-xs">{id}</span>
          </>
        }
        actions={
          bucket &&
          !isGone && (
            <>
              <Access bucket={bucket} />
              <Badge tone={bucket.mode === "live" ? "good" : "warn"}>{bucket.mode}</Badge>
            </>
          )
        }
      />
      {bucket && isGone ? (
        <Gone name={bucket.name} />
      ) : (
        <QueryContent query={query}>
          {(shown) =>
            shown.deletion ? (
              <Deletion name={shown.name} {...shown.deletion} />
            ) : (
              <BucketTabs key={shown.id} bucket={shown} publicUrl={publicUrl} />
            )
          }
        </QueryContent>
      )}
    </>
  );
}

function BucketTabs({ bucket, publicUrl }: { bucket: Bucket; publicUrl: string }) {
  const { params, change } = useUrlParams();
  const tabs = [
    { value: OBJECTS, label: "Objects", content: <ObjectBrowser bucket={bucket} publicUrl={publicUrl} />, keeps: true },
    { value: "usage", label: "Usage", content: <BucketUsage bucket={bucket} /> },
    { value: "settings", label: "Settings", content: <BucketSettings bucket={bucket} />, keeps: true },
  ];
  const asked = params.get("tab");
  return (
    <Tabs
      label="Parts of the bucket"
      value={tabs.find(({ value }) => value === asked)?.value ?? OBJECTS}
      onChange={(value) => change({ tab: value === OBJECTS ? "" : value }, "push")}
      tabs={tabs}
    />
  );
}

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
