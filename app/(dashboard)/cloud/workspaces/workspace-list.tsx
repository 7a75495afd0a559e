"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus, SquareTerminal } from "lucide-react";
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
import { CreateWorkspaceDialog } from "./create-workspace-dialog";
import { WORKSPACE_STATUSES } from "./workspace";
import { WorkspaceTable } from "./workspace-table";

const REFRESH_MS = 5000;

export const WorkspaceList = () => (
  <RequireScope scope="workspaces:read" title="Workspaces" what="the workspaces">
    <Workspaces />
  </RequireScope>
);

function Workspaces() {
  const [creating, setCreating] = useState(false);
  const create = useHasScope("workspaces:write") && (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create workspace
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Workspaces"
        description="Machines to write programs on: a disk that stays, an editor in the browser, and terminals."
        actions={create}
      />
      <WorkspacePages create={create} />
      <CreateWorkspaceDialog open={creating} onOpenChange={setCreating} />
    </>
  );
}

function WorkspacePages({ create }: { create: ReactNode }) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const { params, change } = useUrlParams();
  const status = WORKSPACE_STATUSES.find((one) => one === params.get("status"));
  const query = useInfiniteQuery(
    trpc.cloud.workspaces.list.infiniteQueryOptions(
      { mode, ...(status && { status }) },
      {
        getNextPageParam: nextCursor,
        refetchInterval: refreshEvery(REFRESH_MS),
        placeholderData: (previous) => previous,
      },
    ),
  );
  const hasWorkspaces = query.data?.pages.some(({ data }) => data.length > 0);
  return (
    <div className="space-y-4">
      {(status !== undefined || hasWorkspaces) && (
        <StatusFilter statuses={WORKSPACE_STATUSES} status={status} onChange={(chosen) => change({ status: chosen })} />
      )}
      <PagedContent
        query={query}
        empty={<Empty status={status} onClear={() => change({ status: "" })} create={create} />}
      >
        {(workspaces) => <WorkspaceTable workspaces={workspaces} />}
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
      <EmptyState icon={SquareTerminal} title={`No workspaces in ${mode} mode yet`} action={create}>
        A workspace is a container with a disk that keeps your files. It is stopped when it is not used.{" "}
        <Link href="/docs/workspaces" className="underline underline-offset-2">
          How workspaces work
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
    <EmptyState icon={SquareTerminal} title={`No ${status} workspaces`} action={clear}>
      No workspaces in {mode} mode have this status.
    </EmptyState>
  );
}
