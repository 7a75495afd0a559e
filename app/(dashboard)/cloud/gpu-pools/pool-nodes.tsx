import { Badge } from "../../../components/ui/badge";
import { Section } from "../../../components/ui/card";
import { cn } from "../../../components/ui/cn";
import { Link } from "../../../components/ui/link";
import { formatCount, formatShare } from "../../../format/numbers";
import { FigureList } from "../../components/figures";
import {
  fragmentation,
  gangKeepText,
  nodeText,
  type PoolDevice,
  type PoolNode,
  type PoolPicture,
  poolName,
  racksOf,
  upgradeText,
  usedShare,
} from "./gpu-pool";

/** The nodes of a pool with a square per GPU. */
export const PoolNodes = ({ pool }: { pool: PoolPicture }) => (
  <Section
    title={poolName(pool)}
    description="A square is a GPU, a box is a node. GPUs of one pod are on one node."
    actions={pool.simulated && <Badge tone="warn">simulated</Badge>}
  >
    <div className="space-y-6">
      {pool.gang_keep && <p className="text-sm">{gangKeepText(pool.gang_keep)}</p>}
      {pool.upgrade && <p className="text-sm">{upgradeText(pool.upgrade)}</p>}
      <FigureList figures={figuresOf(pool)} />
      {racksOf(pool.node_list).map(({ domain, nodes }) => (
        <div key={domain ?? ""} className="space-y-2">
          {domain !== null && <h3 className="font-medium text-sm">{domain}, one NVLink domain</h3>}
          <ul className="flex flex-wrap gap-2">
            {nodes.map((node) => (
              <NodeBox key={node.name} node={node} />
            ))}
          </ul>
        </div>
      ))}
      <Legend />
    </div>
  </Section>
);

const figuresOf = (pool: PoolPicture) => [
  { label: "In use", value: formatShare(usedShare(pool)), note: `${formatCount(pool.used_gpus)} of ${pool.gpus} GPUs` },
  { label: "Free", value: formatCount(pool.free_gpus) },
  { label: "Largest pod that fits", value: pool.largest_free === 0 ? "none" : `${pool.largest_free} GPUs` },
  {
    label: "Fragmentation",
    value: formatShare(fragmentation(pool)),
    note: "free GPUs on nodes that are partly in use",
  },
  { label: "Spot", value: formatCount(pool.spot_gpus), note: "can be reclaimed" },
];

const NodeBox = ({ node }: { node: PoolNode }) => (
  <li className={cn("rounded-lg border p-2", !node.accepts_pods && "border-dashed opacity-70")}>
    <p className="mb-1.5 flex items-center gap-2 text-muted-foreground text-xs">
      {node.name.replace(`${node.domain}-`, "")}
      {!node.accepts_pods && <Badge tone="warn">{node.draining ? "draining" : "cordoned"}</Badge>}
    </p>
    <span className="sr-only">{nodeText(node)}</span>
    <div className="grid grid-cols-4 gap-1">
      {node.devices.map((device, number) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the number of a device is its identity.
        <Device key={number} device={device} number={number} />
      ))}
    </div>
  </li>
);

const SQUARE = "block size-4 rounded-sm";

function Device({ device, number }: { device: PoolDevice; number: number }) {
  const className = cn(SQUARE, styleOf(device));
  if (device.pod_id === null)
    return <span aria-hidden className={className} title={`GPU ${number}: ${deviceText(device)}`} />;
  return (
    <Link
      href={`/cloud/pods/${device.pod_id}`}
      className={className}
      title={`GPU ${number}: ${deviceText(device)}`}
      aria-label={`GPU ${number}, your pod ${device.pod_id}`}
    />
  );
}

const deviceText = ({ use, spot }: PoolDevice): string =>
  use === "free" || use === "unavailable" ? use : `${use === "own" ? "your pod" : "in use"}${spot ? ", spot" : ""}`;

/** Spot is striped as well, so that it does not rely on colour alone. */
const STRIPES =
  "bg-[repeating-linear-gradient(45deg,var(--stripe)_0_3px,transparent_3px_6px)] border border-[var(--stripe)]";

function styleOf({ use, spot }: Pick<PoolDevice, "use" | "spot">): string {
  if (use === "free") return "border border-input/60";
  if (use === "unavailable") return "border border-destructive border-dashed";
  if (use === "own") return spot ? cn("[--stripe:var(--chart-1)]", STRIPES) : "bg-chart-1";
  return spot ? cn("[--stripe:var(--muted-foreground)]", STRIPES) : "bg-muted-foreground/70";
}

const KINDS = [
  { use: "free", spot: false, text: "free" },
  { use: "own", spot: false, text: "your pods" },
  { use: "own", spot: true, text: "your spot pods" },
  { use: "other", spot: false, text: "others" },
  { use: "other", spot: true, text: "others, spot" },
] as const;

const Legend = () => (
  <ul aria-label="Legend" className="flex flex-wrap gap-x-5 gap-y-1.5 text-muted-foreground text-xs">
    {KINDS.map(({ text, ...device }) => (
      <li key={text} className="flex items-center gap-1.5">
        <span aria-hidden className={cn(SQUARE, styleOf(device))} />
        {text}
      </li>
    ))}
  </ul>
);
