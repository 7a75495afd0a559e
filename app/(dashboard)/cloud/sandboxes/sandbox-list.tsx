"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { Box, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Button } from "../../../components/ui/button";
import { useTRPC } from "../../../trpc/client";
import { refreshEvery } from "../../../trpc/query-client";
import { PageHeader } from "../../components/page-header";
import { nextCursor } from "../../components/paged-content";
import { RequireScope, useHasScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";
import { StatusPages, useChosenStatus } from "../../components/status-pages";
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
  const status = useChosenStatus(SANDBOX_STATUSES);
  const query = useInfiniteQuery(
    trpc.listSandboxes.infiniteQueryOptions(
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
      plural="sandboxes"
      icon={Box}
      about="A sandbox runs commands in a container image, apart from everything else. Programs and agents create them by API."
      docs="/docs/sandboxes"
      {...{ query, statuses: SANDBOX_STATUSES, status, create }}
    >
      {(sandboxes) => <SandboxTable sandboxes={sandboxes} />}
    </StatusPages>
  );
}
