"use client";

import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import { Container, Plus } from "lucide-react";
import { type ReactNode, useState } from "react";
import type { PodCatalog } from "../../../../server/cloud/compute/pods/pod-catalog";
import { Button } from "../../../components/ui/button";
import { type Outputs, useTRPC } from "../../../trpc/client";
import { refreshEvery } from "../../../trpc/query-client";
import { PageHeader } from "../../components/page-header";
import { nextCursor } from "../../components/paged-content";
import { RequireScope, useHasScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";
import { StatusPages, useChosenStatus } from "../../components/status-pages";
import { CreatePodDialog } from "./create-pod-dialog";
import { isChanging, POD_STATUSES } from "./pod";
import { PodTable } from "./pod-table";

/** While a pod is about to change. */
const CHANGING_MS = 2000;
const REFRESH_MS = 10_000;

interface PodListProps {
  catalog: PodCatalog;
  /** Images may come from a registry on this machine. */
  allowsLoopback: boolean;
}

export const PodList = (props: PodListProps) => (
  <RequireScope scope="pods:read" title="Pods" what="the pods">
    <Pods {...props} />
  </RequireScope>
);

function Pods(props: PodListProps) {
  const [creating, setCreating] = useState(false);
  const create = useHasScope("pods:write") && (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create pod
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Pods"
        description="Container images that svc runs, with or without GPUs, metered by the second."
        actions={create}
      />
      <PodPages create={create} />
      <CreatePodDialog open={creating} onOpenChange={setCreating} {...props} />
    </>
  );
}

function PodPages({ create }: { create: ReactNode }) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const status = useChosenStatus(POD_STATUSES);
  const query = useInfiniteQuery(
    trpc.listPods.infiniteQueryOptions(
      { mode, ...(status && { status }) },
      {
        getNextPageParam: nextCursor,
        refetchInterval: ({ state }) => refreshEvery(intervalOf(state.data))({ state }),
        placeholderData: (previous) => previous,
      },
    ),
  );
  return (
    <StatusPages
      plural="pods"
      icon={Container}
      about="A pod runs one container image until it ends or you stop it. Its output, its time and its cost are kept here. It needs no GPU."
      docs="/docs/pods"
      {...{ query, statuses: POD_STATUSES, status, create }}
    >
      {(pods) => <PodTable pods={pods} />}
    </StatusPages>
  );
}

type Pages = InfiniteData<Outputs["listPods"], unknown>;

const intervalOf = (data: Pages | undefined): number =>
  data?.pages.some(({ data: pods }) => pods.some(isChanging)) ? CHANGING_MS : REFRESH_MS;
