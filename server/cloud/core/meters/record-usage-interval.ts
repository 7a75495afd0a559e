import type { Pod, Prisma } from "../../../engines/postgres/generated/client";
import type { Purchase } from "../prices/pod-prices";

interface UsedByRun {
  runId: string;
  from: Date;
  to: Date;
  seconds: number;
  purchase: Purchase;
}

type UsedPod = Pick<Pod, "id" | "kind" | "tenantId" | "projectId" | "mode" | "gpu" | "priceNanosPerHour">;

const SERVICE_OF = {
  pod: "pods",
  sandbox: "sandboxes",
  workspace: "workspaces",
  function: "functions",
} as const;

/** Sends what a run used to ClickHouse, through the outbox: if and only if the transaction that ends the run commits. */
export async function recordUsageInterval(
  tx: Pick<Prisma.TransactionClient, "$executeRaw">,
  pod: UsedPod,
  { runId, from, to, seconds, purchase }: UsedByRun,
): Promise<void> {
  const row = {
    tenant_id: pod.tenantId,
    project_id: pod.projectId,
    mode: pod.mode,
    service: SERVICE_OF[pod.kind],
    sku: pod.gpu ?? "cpu",
    purchase,
    started: clickhouseTime(from),
    ended: clickhouseTime(to),
    seconds,
    price_nanos_per_hour: String(pod.priceNanosPerHour),
    pod_id: pod.id,
    run_id: runId,
  };
  await tx.$executeRaw`INSERT INTO outbox ("table", row) VALUES ('usage_intervals', ${JSON.stringify(row)}::jsonb)`;
}

/** DateTime64(3) expects a space and no zone. */
const clickhouseTime = (at: Date): string => at.toISOString().replace("T", " ").slice(0, 23);
