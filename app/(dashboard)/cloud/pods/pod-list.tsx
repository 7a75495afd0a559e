"use client";

import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import { Container } from "lucide-react";
import type { PodCatalog } from "../../../../server/cloud/compute/pods/pod-catalog";
import { type Outputs, useTRPC } from "../../../trpc/client";
import { refreshEvery } from "../../../trpc/query-client";
import { NounList, useChosenStatus } from "../../components/noun-list";
import { nextCursor } from "../../components/paged-content";
import { useMode } from "../../components/shell/mode";
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
  <NounList
    title="Pods"
    description="Container images that svc runs, with or without GPUs, metered by the second."
    noun="pod"
    icon={Container}
    about="A pod runs one container image until it ends or you stop it. Its output, its time and its cost are kept here. It needs no GPU."
    docs="/docs/pods"
    scopes="pods"
    statuses={POD_STATUSES}
    usePages={usePods}
    dialog={(state) => <CreatePodDialog {...state} {...props} />}
  >
    {(pods) => <PodTable pods={pods} />}
  </NounList>
);

function usePods() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const status = useChosenStatus(POD_STATUSES);
  return useInfiniteQuery(
    trpc.listPods.infiniteQueryOptions(
      { mode, ...(status && { status }) },
      {
        getNextPageParam: nextCursor,
        refetchInterval: ({ state }) => refreshEvery(intervalOf(state.data))({ state }),
        placeholderData: (previous) => previous,
      },
    ),
  );
}

type Pages = InfiniteData<Outputs["listPods"], unknown>;

const intervalOf = (data: Pages | undefined): number =>
  data?.pages.some(({ data: pods }) => pods.some(isChanging)) ? CHANGING_MS : REFRESH_MS;
