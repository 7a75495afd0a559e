"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Box } from "lucide-react";
import { useTRPC } from "../../../trpc/client";
import { refreshEvery } from "../../../trpc/query-client";
import { NounList, useChosenStatus } from "../../components/noun-list";
import { nextCursor } from "../../components/paged-content";
import { useMode } from "../../components/shell/mode";
import { CreateSandboxDialog } from "./create-sandbox-dialog";
import { SANDBOX_STATUSES } from "./sandbox";
import { SandboxTable } from "./sandbox-table";

const REFRESH_MS = 5000;

interface SandboxListProps {
  /** Images may come from a registry on this machine. */
  allowsLoopback: boolean;
}

export const SandboxList = ({ allowsLoopback }: SandboxListProps) => (
  <NounList
    title="Sandboxes"
    description="Isolated environments that run untrusted code and end when their time limit is reached."
    noun="sandbox"
    plural="sandboxes"
    icon={Box}
    about="A sandbox runs commands in a container image, apart from everything else. Programs and agents create them by API."
    docs="/docs/sandboxes"
    scopes="sandboxes"
    statuses={SANDBOX_STATUSES}
    usePages={useSandboxes}
    dialog={(state) => <CreateSandboxDialog {...state} allowsLoopback={allowsLoopback} />}
  >
    {(sandboxes) => <SandboxTable sandboxes={sandboxes} />}
  </NounList>
);

function useSandboxes() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const status = useChosenStatus(SANDBOX_STATUSES);
  return useInfiniteQuery(
    trpc.listSandboxes.infiniteQueryOptions(
      { mode, ...(status && { status }) },
      {
        getNextPageParam: nextCursor,
        refetchInterval: refreshEvery(REFRESH_MS),
        placeholderData: (previous) => previous,
      },
    ),
  );
}
