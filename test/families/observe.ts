import type { FamilyProof, Listed, World } from "./family-proof";

/** The path of OTLP, and a record with a name. */
const RECORDS = {
  metric: (name: string) => [
    "metrics",
    { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name, gauge: { dataPoints: [{ asInt: "1" }] } }] }] }] },
  ],
  log: (stringValue: string) => [
    "logs",
    { resourceLogs: [{ scopeLogs: [{ logRecords: [{ body: { stringValue } }] }] }] },
  ],
  trace: (name: string) => {
    const [traceId, spanId, startTimeUnixNano] = ["a".repeat(32), "b".repeat(16), `${Date.now()}000000`];
    const span = { name, traceId, spanId, startTimeUnixNano, endTimeUnixNano: startTimeUnixNano };
    return ["traces", { resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] }];
  },
} as const satisfies Record<string, (name: string) => readonly [string, object]>;

/** What is sent to a store is returned by it. */
async function effects(world: World, { rid, kind }: { rid: string; kind: keyof typeof RECORDS }): Promise<number> {
  const name = `proof-${Date.now()}`;
  const [path, body] = RECORDS[kind](name);
  const sent = await world.call(`/v1/observe/${rid}/otlp/v1/${path}`, { body });
  if (sent.status !== 200) return 0;
  const found = await world.call<Listed<object>>(`/v1/observe/${rid}/records?contains=${name}`);
  return found.body.data.length;
}

export const storeProofs: readonly FamilyProof[] = (["metric", "log", "trace"] as const).map((kind) => ({
  service: "observe",
  kind,
  spec: () => ({}),
  changed: () => ({ retention_days: 7 }),
  wrong: { spec: { retention_days: 401 }, param: "spec.retention_days" },
  effects: (world, { rid }) => effects(world, { rid, kind }),
}));
