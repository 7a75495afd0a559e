import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import type { CallOptions } from "../../../operation/operation";
import { Reply } from "../../../operation/reply";
import { operation } from "../../cloud-operation";
import type { EdgeCtx } from "./edge-ctx";
import { edgeChoice } from "./edge-fields";
import { edgeExample, logLineExample } from "./edge-function.example";
import { EdgeLogLine, toLogLine } from "./edge-log-line";
import { lastLogLines } from "./edge-logs.sql";
import { findEdgeFunction } from "./find-edge-function";
import { replyWithLines } from "./reply-with-lines";

const LINES_MAX = 1000;

const lines = z.coerce
  .number()
  .int()
  .min(1)
  .max(LINES_MAX)
  .default(200)
  .describe("How many of the newest lines to return: 1 to 1,000, default 200");
const follow = z
  .preprocess((value: unknown) => (value === "true" ? true : value === "false" ? false : value), z.boolean())
  .optional()
  .describe("true: respond with server-sent events until the client disconnects");

const EdgeLogs = z.object({ data: z.array(EdgeLogLine) });
const example = { input: { id: edgeExample.id }, output: { data: [logLineExample] } };

/** Returns the newest log lines of an edge function, or follows them. Throws `not_found`, and `rate_limited` for too many readers. */
export const getEdgeLogs = operation({
  id: "getEdgeLogs",
  summary: "Get the logs of an edge function",
  description:
    "Its requests and what its code printed, the oldest first, about half a second after it happened. Lines are kept for a day, at most the last 1,000; of more than 1,000 lines in a minute the others are left out. With `follow` each event is one line.",
  access: "edge:read",
  mayStream: `data: ${JSON.stringify(logLineExample)}\n\n`,
  input: z.strictObject({ ...edgeChoice, lines, follow }),
  output: EdgeLogs,
  example,
  run: async (
    ctx: ActorCtx & Pick<EdgeCtx, "podRuns" | "sql" | "stopping">,
    { id, lines: max, follow: follows },
    options: CallOptions = {},
  ) => {
    const { id: edgeId } = await findEdgeFunction(ctx, id);
    const kept = await lastLogLines(ctx.sql, { edgeId, max });
    if (!follows) return { data: kept.map(toLogLine) };
    const release = ctx.podRuns.follow(ctx.actor.tenantId);
    return new Reply(
      replyWithLines(ctx.sql, { edgeId, kept, onEnd: release, signals: [ctx.stopping, options.signal] }),
    );
  },
});

/** The same without `follow`, for the dashboard, whose queries return JSON. */
export const readEdgeLogs = operation({
  id: "readEdgeLogs",
  summary: "Get the logs of an edge function so far",
  access: "edge:read",
  input: z.strictObject({ ...edgeChoice, lines }),
  output: EdgeLogs,
  example,
  run: async (ctx: ActorCtx & Pick<EdgeCtx, "sql">, { id, lines: max }) => {
    const { id: edgeId } = await findEdgeFunction(ctx, id);
    return { data: (await lastLogLines(ctx.sql, { edgeId, max })).map(toLogLine) };
  },
});
