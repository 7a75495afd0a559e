"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Plus, SquareTerminal } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../../components/ui/button";
import { useTRPC } from "../../../trpc/client";
import { refreshEvery } from "../../../trpc/query-client";
import { PageHeader } from "../../components/page-header";
import { nextCursor } from "../../components/paged-content";
import { RequireScope, useHasScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";
import { StatusPages, useChosenStatus } from "../../components/status-pages";
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
  const status = useChosenStatus(WORKSPACE_STATUSES);
  const query = useInfiniteQuery(
    trpc.listWorkspaces.infiniteQueryOptions(
      { mode, ...(status && { status }) },
      {
        getNextPageParam: nextCursor,
        refetchInterval: refreshEvery(REFRESH_MS),
        placeholderData: (previous) => previous,
      },
    ),
  );
  return (
    <StatusPages
      plural="workspaces"
      icon={SquareTerminal}
      about="A workspace is a container with a disk that keeps your files. It is stopped when it is not used."
      docs="/docs/workspaces"
      {...{ query, statuses: WORKSPACE_STATUSES, status, create }}
    >
      {(workspaces) => <WorkspaceTable workspaces={workspaces} />}
    </StatusPages>
  );
}
