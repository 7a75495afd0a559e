"use client";

import { formatDateTime } from "../../../format/dates";
import { formatAge } from "../../../format/durations";
import { type NounColumn, NounTable } from "../../components/noun-table";
import { useHasScope } from "../../components/shell/access";
import { ImageName } from "./image-name";
import { costText, gpuText, type Pod, purchaseText } from "./pod";
import { PodMenu } from "./pod-menu";
import { PodStatusBadge } from "./pod-status";

const COLUMNS: NounColumn<Pod>[] = [
  { label: "Status", cell: ({ status }) => <PodStatusBadge status={status} /> },
  { label: "Image", className: "min-w-36 max-w-64", cell: ({ image }) => <ImageName image={image} /> },
  { label: "GPUs", className: "whitespace-nowrap", cell: (pod) => <Gpus pod={pod} /> },
  {
    label: "Metered",
    numeric: true,
    title: "How long its process ran, over all runs",
    className: "whitespace-nowrap",
    cell: ({ metered_seconds }) => formatAge(metered_seconds),
  },
  { label: "Cost", numeric: true, title: "Of the metered time", className: "whitespace-nowrap", cell: costText },
  {
    label: "Created",
    className: "min-w-28 text-muted-foreground",
    cell: ({ created_at }) => formatDateTime(created_at),
  },
];

export function PodTable({ pods }: { pods: Pod[] }) {
  const canWrite = useHasScope("pods:write");
  return (
    <NounTable
      caption="Pods"
      rows={pods}
      href={({ id }) => `/cloud/pods/${id}`}
      columns={COLUMNS}
      showsId
      showsProject
      menu={canWrite ? (pod) => <PodMenu pod={pod} /> : undefined}
    />
  );
}

const Gpus = ({ pod }: { pod: Pod }) => (
  <>
    {pod.gpu === null ? <span className="text-muted-foreground">none</span> : gpuText(pod)}
    {pod.simulated && <span className="block text-muted-foreground text-xs">{purchaseText(pod)}, simulated</span>}
  </>
);
