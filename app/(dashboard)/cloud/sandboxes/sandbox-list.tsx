"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Box, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../../components/ui/button";
import { EmptyState } from "../../../components/ui/empty-state";
import { Link } from "../../../components/ui/link";
import { useTRPC } from "../../../trpc/client";
import { refreshEvery } from "../../../trpc/query-client";
import { PageHeader } from "../../components/page-header";
import { nextCursor, PagedContent } from "../../components/paged-content";
import { RequireScope, useHasScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";
import { StatusFilter } from "../../components/status-filter";
import { useUrlParams } from "../../components/use-url-params";
import { CreateSandboxDialog } from "./create-sandbox-dialog";
import { SANDBOX_STATUSES } from "./sandbox";
import { SandboxTable } from "./sandbox-table";

const REFRESH_MS = 5000;

interface SandboxListProps {
  /** Images may come from a registry on this machine. */
  allowsLoopback: boolean;
}

export const SandboxList = (props: SandboxListProps) => (
  <RequireScope scope="sandboxes:read" title="Sandboxes" what="the sandboxes">
    <Sandboxes {...props} />
  </RequireScope>
);

function Sandboxes(props: SandboxListProps) {
  const [creating, setCreating] = useState(false);
  const create = useHasScope("sandboxes:write") && (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create sandbox
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Sandboxes"
        description="Isolated environments that run untrusted code and end when their time limit is reached."
        actions={create}
      />
      <SandboxPages create={create} />
      <CreateSandboxDialog open={creating} onOpenChange={setCreating} {...props} />
    </>
  );
}

function SandboxPages({ create }: { create: ReactNode }) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const { params, change } = useUrlParams();
  const status = SANDBOX_STATUSES.find((one) => one === params.get("status"));
  const query = useInfiniteQuery(
    trpc.cloud.sandboxes.list.infiniteQueryOptions(
      { mode, ...(status && { status }) },
      {
        getNextPageParam: nextCursor,
        refetchInterval: refreshEvery(REFRESH_MS),
        placeholderData: (previous) => previous,
      },
    ),
  );
  const hasSandboxes = query.data?.pages.some(({ data }) => data.length > 0);
  return (
    <div className="space-y-4">
      {(status !== undefined || hasSandboxes) && (
        <StatusFilter statuses={SANDBOX_STATUSES} status={status} onChange={(chosen) => change({ status: chosen })} />
      )}
      <PagedContent
        query={query}
        empty={<Empty status={status} onClear={() => change({ status: "" })} create={create} />}
      >
        {(sandboxes) => <SandboxTable sandboxes={sandboxes} />}
      </PagedContent>
    </div>
  );
}

interface EmptyProps {
  status: string | undefined;
  onClear: () => void;
  create: ReactNode;
}

function Empty({ status, onClear, create }: EmptyProps) {
  const { mode } = useMode();
  if (status === undefined) {
    return (
      <EmptyState icon={Box} title={`No sandboxes in ${mode} mode yet`} action={create}>
        A sandbox runs commands in a container image, apart from everything else. Programs and agents create them by
        API.{" "}
        <Link href="/docs/sandboxes" className="underline underline-offset-2">
          How sandboxes work
        </Link>
      </EmptyState>
    );
  }
  const clear = (
    <Button variant="outline" onClick={onClear}>
      Clear filter
    </Button>
  );
  return (
    <EmptyState icon={Box} title={`No ${status} sandboxes`} action={clear}>
      No sandboxes in {mode} mode have this status.
    </EmptyState>
  );
}
