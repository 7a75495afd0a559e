"use client";

import { Container } from "lucide-react";
import type { PodCatalog } from "../../../../server/cloud/compute/pods/pod-catalog";
import { formatAge } from "../../../format/durations";
import { Below, type Columns, nameColumn, timeColumn } from "../../components/data-table";
import { chosenIn, statusFilter } from "../../components/filters";
import { NounList } from "../../components/noun-list";
import { pagesWhile } from "../../components/pages";
import { CreatePodDialog } from "./create-pod-dialog";
import { ImageName } from "./image-name";
import { costText, gpuText, isChanging, POD_STATUSES, type Pod, purchaseText } from "./pod";
import { PodMenu } from "./pod-menu";
import { PodStatusBadge } from "./pod-status";

const CHANGING_MS = 2000;
const REFRESH_MS = 10_000;

const COLUMNS: Columns<Pod> = [
  nameColumn("/cloud/pods", "id", "project"),
  { label: "Status", cell: ({ status }) => <PodStatusBadge status={status} /> },
  { label: "Image", className: "min-w-36 max-w-64", cell: ({ image }) => <ImageName image={image} /> },
  { label: "GPUs", className: "whitespace-nowrap", cell: (pod) => <Gpus pod={pod} /> },
  {
    label: "Metered",
    numeric: true,
    title: "How long its process ran, over all runs",
    cell: ({ metered_seconds }) => formatAge(metered_seconds),
  },
  { label: "Cost", numeric: true, title: "Of the metered time", cell: costText },
  timeColumn("Created", ({ created_at }) => created_at),
];

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
    useFilters={() => [statusFilter(POD_STATUSES)]}
    pages={({ trpc, mode, params }) =>
      trpc.listPods.infiniteQueryOptions(
        { mode, status: chosenIn(params, "status", POD_STATUSES) },
        pagesWhile(isChanging, CHANGING_MS, REFRESH_MS),
      )
    }
    columns={COLUMNS}
    menu={(pod) => <PodMenu pod={pod} />}
    dialog={(state) => <CreatePodDialog {...state} {...props} />}
  />
);

const Gpus = ({ pod }: { pod: Pod }) => (
  <>
    {pod.gpu === null ? <span className="text-muted-foreground">none</span> : gpuText(pod)}
    <Below>{pod.simulated && `${purchaseText(pod)}, simulated`}</Below>
  </>
);
