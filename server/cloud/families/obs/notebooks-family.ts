import { z } from "zod";
import { assertScope } from "../../../operation/authorize";
import type { Family } from "../../core/kinds/family";
import type { DesiredResource, Kind } from "../../core/kinds/kind";
import { runAsCreator } from "../../core/kinds/run-as-creator";
import { refersTo } from "../../core/references/reference-fields";
import { type HostParts, hostedKind } from "../../edge/workers/hosted-kind";
import { listTelemetryRecords } from "../../obs/ingest/list-telemetry-records";
import type { TelemetryParts } from "../../obs/ingest/telemetry-ctx";

type NotebookParts = HostParts & TelemetryParts;

const CELLS_MAX = 50;
const TEXT_LENGTH_MAX = 20_000;
const RECORDS_MAX = 100;

const Cell = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("markdown"), text: z.string().max(TEXT_LENGTH_MAX) }),
  z.strictObject({
    type: z.literal("records"),
    store: z.string().meta({
      ...refersTo([{ plane: "gpuc", service: "observe" }], { onDelete: "none" }),
      description: "The id of a store: a resource of observe of gpuc",
    }),
    from: z.iso.datetime().describe("Records of this time and later"),
    to: z.iso.datetime().describe("Records before this time, so that the same cell has the same records"),
    contains: z.string().max(200).default("").describe("Only records with this text"),
    limit: z.int().min(1).max(RECORDS_MAX).default(RECORDS_MAX),
  }),
]);
type Cell = z.output<typeof Cell>;

const NotebookSpec = z.strictObject({
  cells: z.array(Cell).max(CELLS_MAX).default([]).describe("Texts in Markdown, and queries of telemetry stores"),
});
type NotebookSpec = z.output<typeof NotebookSpec>;

const notebookKind = (parts: () => NotebookParts): Kind<NotebookSpec> => ({
  spec: NotebookSpec,
  // Who has the link sees the records: only who can read them shares them.
  authorizeSpec: async ({ actor }, { cells }) => {
    if (cells.some(({ type }) => type === "records")) assertScope(actor, listTelemetryRecords.access);
  },
  plan: ({ cells }, name) => [
    { step: "query", what: `The queries of ${cells.length} cells run once`, proof: "observed.sha256" },
    { step: "share", what: `"${name}" as a Markdown document at a secret URL`, proof: "curl shows it without a key" },
  ],
  ...hostedKind<NotebookSpec>(parts, {
    proof: "Read it",
    responseOf: async (desired) => {
      const parted = await Promise.all(desired.spec.cells.map((cell) => textOf(parts(), desired, cell)));
      const text = [`# ${desired.name}`, ...parted].join("\n\n");
      return { type: "document", contentType: "text/markdown; charset=utf-8", text: `${text}\n` };
    },
  }),
});

/** A cell as Markdown; that of a query has a line of JSON per record, oldest first. */
async function textOf(parts: NotebookParts, desired: DesiredResource, cell: Cell): Promise<string> {
  if (cell.type === "markdown") return cell.text;
  const { store: rid, from, to, contains, limit } = cell;
  const sent = { rid, from, to, contains, limit };
  const { data } = await runAsCreator(parts, desired, { operation: listTelemetryRecords, sent });
  const lines = data.map((record) => JSON.stringify(record)).reverse();
  // A fence that no record can end: JSON has no line breaks.
  return [`Records of ${rid} from ${from} to ${to}:`, "", "```json", ...lines, "```"].join("\n");
}

/** Documents with texts and queries. */
export const notebooksFamily = (parts: () => NotebookParts): Family => ({
  plane: "obs",
  service: "notebooks",
  label: "Notebooks",
  summary: "Documents with texts and queries of telemetry, which a link shares (kind notebook).",
  meters: [],
  skus: [],
  kinds: { notebook: notebookKind(parts) as Kind },
});
