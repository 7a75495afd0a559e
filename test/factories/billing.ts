import { newId } from "../../server/kernel/ids";
import type { Mode } from "../../server/operation/actor";
import type { TestApp } from "./app";

export interface MadeRun {
  tenantId: string;
  projectId?: string;
  mode?: Mode;
  gpu?: string | null;
  priceNanosPerHour: bigint;
  from: Date;
  /** Absent: it still runs. */
  to?: Date;
  /** When its node last saw it running. */
  observedAt?: Date;
}

/** Writes a pod with one run, and what the run used if it has ended, as what runs pods does. */
export async function makeMeteredRun({ app }: TestApp, run: MadeRun): Promise<{ podId: string; runId: string }> {
  const { tenantId, projectId = `prj_${tenantId}`, mode = "live", gpu = null, priceNanosPerHour, from, to } = run;
  const { db } = app.cloud;
  const podId = newId("pod", from.getTime());
  const runId = `${podId}-1`;
  const seconds = to ? Math.ceil((to.getTime() - from.getTime()) / 1000) : 0;
  await db.pod.create({
    data: {
      id: podId,
      tenantId,
      projectId,
      mode,
      name: podId,
      image: "alpine:3",
      gpu,
      gpuCount: gpu === null ? 0 : 1,
      cpu: 1,
      memoryMb: 1024,
      env: {},
      labels: {},
      status: to ? "completed" : "ready",
      oomKilled: false,
      runNumber: 1,
      priceNanosPerHour,
      meteredSeconds: seconds,
      createdAt: from,
      startedAt: from,
      expiresAt: new Date("2100-01-01T00:00:00Z"),
      runs: {
        create: {
          id: runId,
          number: 1,
          nodeId: "node",
          devices: [],
          createdAt: from,
          startedAt: from,
          observedAt: run.observedAt ?? null,
          endedAt: to ?? null,
        },
      },
    },
  });
  if (to) {
    const used = { runId, podId, tenantId, projectId, mode, from, to, seconds, priceNanosPerHour };
    await db.podUsage.create({ data: used });
  }
  return { podId, runId };
}

/** Writes an open invoice without lines; returns its id. */
export async function makeInvoice(
  { db, clock }: Pick<TestApp["app"]["cloud"], "db" | "clock">,
  { tenantId, mode, month = "2025-01" }: { tenantId: string; mode: Mode; month?: string },
): Promise<string> {
  const now = clock.now();
  const { id } = await db.invoice.create({
    data: {
      id: newId("ivc", now.getTime()),
      tenantId,
      mode,
      month,
      currency: "USD",
      status: "open",
      simulated: false,
      exactNanos: 1_230_000_000n,
      totalMinor: 123n,
      createdAt: now,
      openedAt: now,
    },
  });
  return id;
}
