import type { FamilyProof, World } from "./family-proof";
import { deleted } from "./made-resources";

const HOUR_MS = 3_600_000;
const STORE = "logs-of-a-notebook";
const RECORD = "a record of a notebook";

/** A store of logs with a record of now, which a cell shows. */
async function withRecord(world: World, text: string) {
  const made = await world.call<{ rid: string }>("/v1/resources", {
    body: { service: "observe", kind: "log", name: STORE },
  });
  const { rid } = made.body;
  const log = { timeUnixNano: `${Date.now()}000000`, body: { stringValue: RECORD } };
  const body = { resourceLogs: [{ scopeLogs: [{ logRecords: [log] }] }] };
  await world.call(`/v1/observe/${rid}/otlp/v1/logs`, { body });
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const cell = { type: "records", store: rid, from: at(-HOUR_MS), to: at(HOUR_MS), contains: RECORD };
  return { cells: [{ type: "markdown", text }, cell] };
}

export const notebookProof: FamilyProof = {
  plane: "obs",
  service: "notebooks",
  kind: "notebook",
  needs: ["observe"],
  tidy: (world) => deleted(world, STORE),
  spec: (world) => withRecord(world, "What happened on Monday"),
  changed: () => ({ cells: [{ type: "markdown", text: "What happened on Tuesday" }] }),
  wrong: { spec: { cells: [{ type: "chart" }] }, param: "spec.cells[0].type" },
  effects: async (world, { name, spec, observed }) => {
    if (typeof observed?.url !== "string") return 0;
    const { status, body } = await world.visit(observed.url);
    const cells = spec.cells as { type: string; text?: string }[];
    const has = cells.every(({ type, text = RECORD }) => type === "records" || body.includes(text));
    const hasRecords = cells.some(({ type }) => type === "records") === body.includes(RECORD);
    return status === 200 && body.startsWith(`# ${name}`) && has && hasRecords ? 1 : 0;
  },
};
