"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { SquareTerminal } from "lucide-react";
import { useTRPC } from "../../../trpc/client";
import { refreshEvery } from "../../../trpc/query-client";
import { NounList, useChosenStatus } from "../../components/noun-list";
import { nextCursor } from "../../components/paged-content";
import { useMode } from "../../components/shell/mode";
import { CreateWorkspaceDialog } from "./create-workspace-dialog";
import { WORKSPACE_STATUSES } from "./workspace";
import { WorkspaceTable } from "./workspace-table";

const REFRESH_MS = 5000;

export const WorkspaceList = () => (
  <NounList
    title="Workspaces"
    description="Machines to write programs on: a disk that stays, an editor in the browser, and terminals."
    noun="workspace"
    icon={SquareTerminal}
    about="A workspace is a container with a disk that keeps your files. It is stopped when it is not used."
    docs="/docs/workspaces"
    scopes="workspaces"
    statuses={WORKSPACE_STATUSES}
    usePages={useWorkspaces}
    dialog={(state) => <CreateWorkspaceDialog {...state} />}
  >
    {(workspaces) => <WorkspaceTable workspaces={workspaces} />}
  </NounList>
);

function useWorkspaces() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const status = useChosenStatus(WORKSPACE_STATUSES);
  return useInfiniteQuery(
    trpc.listWorkspaces.infiniteQueryOptions(
      { mode, ...(status && { status }) },
      {
        getNextPageParam: nextCursor,
        refetchInterval: refreshEvery(REFRESH_MS),
        placeholderData: (previous) => previous,
      },
    ),
  );
}
