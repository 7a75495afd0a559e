import { z } from "zod";
import type { EdgeFunction as EdgeRow } from "../../../engines/postgres/generated/client";
import { targetOf } from "../../../identity/audit/record-audit";
import { ModeName } from "../../../identity/wire-text";
import { ServiceError } from "../../../kernel/errors";
import { toWire } from "../../../kernel/to-wire";
import { CodeEnv } from "../../compute/workers/code-env";
import { type Binding, Bindings } from "./edge-fields";
import type { EdgeRunner } from "./edge-runner";
import { SmokeRun } from "./smoke-run";

export const EDGE_ID_PREFIX = "edg";

/** An edge function without its code. */
export const EdgeFunction = z
  .object({
    id: z.string().meta({ examples: ["edg_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    project_id: z.string(),
    mode: ModeName,
    name: z.string(),
    url: z
      .string()
      .nullable()
      .describe(
        "Where the published version responds; the host never changes. null: the installation has no domain for edge functions",
      ),
    version: z.int().describe("The number of the newest version, the draft"),
    published_version: z.int().nullable().describe("The number of the version that serves; null: none does"),
    published_at: z.iso.datetime().nullable(),
    bindings: Bindings.describe("The bindings of the draft"),
    env: CodeEnv.describe("The variables of the draft: texts, and references to secrets"),
    smoke: SmokeRun,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: "EdgeFunction" });
export type EdgeFunction = z.infer<typeof EdgeFunction>;

export const toEdgeFunction = ({ edge }: { edge: Pick<EdgeRunner, "urlOf"> }, row: EdgeRow): EdgeFunction =>
  toWire(EdgeFunction, row, {
    url: edge.urlOf(row.slug),
    bindings: row.bindings as Binding[],
    env: row.env as CodeEnv,
    smoke: row.smoke as SmokeRun,
  });

export const edgeTarget = targetOf("edge_function");

/** The same error for an edge function that does not exist and for one that the caller may not see. */
export const noSuchEdgeFunction = (asked: string): ServiceError =>
  new ServiceError("not_found", `No edge function has the id or name "${asked.slice(0, 80)}".`);
