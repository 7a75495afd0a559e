import { z } from "zod";

/** How a draft responded to a first request, `GET /`, in which writes to bindings have no effect. */
export const SmokeRun = z
  .object({
    outcome: z
      .enum(["passed", "inconclusive", "failed"])
      .describe(
        "`passed`: it returned a response of any status; `inconclusive`: it failed after it tried to send a request, which a smoke run does not do, or used an SQL database, on which its changes have no effect; `failed`: it cannot be published",
      ),
    status: z.int().nullable().describe("The status of its response"),
    error: z
      .object({
        reason: z
          .string()
          .describe("`threw`, `timed_out`, `blocked`, `out_of_memory`, `invalid_response` or `no_such_secret`"),
        message: z.string(),
        stack: z.string().nullable(),
      })
      .nullable(),
    logs: z
      .array(z.object({ level: z.string(), text: z.string() }))
      .describe("What it printed, at most 50 lines of 1,000 characters"),
    duration_ms: z.int(),
  })
  .describe("How the draft responded when it was tried with `GET /`; writes to its bindings had no effect");
export type SmokeRun = z.infer<typeof SmokeRun>;

export const SMOKE_LINES_MAX = 50;
export const SMOKE_LINE_CHARACTERS_MAX = 1000;
