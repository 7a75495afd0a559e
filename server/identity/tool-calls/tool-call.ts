import { z } from "zod";
import type { Mode } from "../../operation/actor";
import { ModeName } from "../wire-text";

export const TOOL_CALL_ID_PREFIX = "tlc";

/** A call of a tool as it is recorded. */
export interface CalledTool {
  tenantId: string;
  mode: Mode;
  projectId: string;
  keyId: string;
  id: string;
  at: Date;
  tool: string;
  /** The code of its error; undefined: it succeeded. */
  error: string | undefined;
  durationMs: number;
  requestId: string;
}

export const ToolCall = z
  .object({
    id: z.string().meta({ examples: ["tlc_01jd0z3k5q8v6w2x4y7a9b1c3d"] }),
    at: z.iso.datetime().describe("When it began"),
    tool: z.string(),
    mode: ModeName,
    project_id: z.string(),
    key_id: z.string(),
    key_name: z.string().nullable().describe("null if the key no longer exists"),
    error: z.string().nullable().describe("The code of the error, such as `invalid_request`; null: it succeeded"),
    duration_ms: z.int(),
    request_id: z.string(),
  })
  .meta({ id: "ToolCall" });
export type ToolCall = z.output<typeof ToolCall>;
