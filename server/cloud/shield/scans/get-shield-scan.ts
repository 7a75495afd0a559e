import { z } from "zod";
import { integerInQuery } from "../../../kernel/integer-in-query";
import { pause } from "../../../kernel/pause";
import { operation } from "../../cloud-operation";
import { findScan, scanChoice } from "./find-scan";
import type { ScanCtx } from "./scan-ctx";
import { scanExample } from "./shield.example";
import { ShieldScan, toShieldScan } from "./shield-scan";

const WAIT_MAX = 20;
const LOOK_MS = 500;

/** Throws `not_found`. The wait ends when the client disconnects, and when the process begins to stop. */
export const getShieldScan = operation({
  id: "getShieldScan",
  summary: "Get a scan of a bucket",
  access: "shield:read",
  takesLong: true,
  input: z.strictObject({
    ...scanChoice,
    wait_seconds: integerInQuery(0, WAIT_MAX)
      .default(0)
      .describe("Responds when the scan has ended, at the latest after this many seconds, 0 to 20"),
  }),
  output: ShieldScan,
  example: { input: { scan_id: scanExample.id }, output: scanExample },
  run: async (ctx: ScanCtx, { scan_id: id, wait_seconds: waitSeconds }, options) => {
    const until = performance.now() + waitSeconds * 1000;
    const isOver = () => performance.now() >= until || ctx.stopping.aborted || options?.signal?.aborted === true;
    for (;;) {
      const row = await findScan(ctx, id);
      if (row.finishedAt || isOver()) return toShieldScan(row);
      await pause(LOOK_MS, options?.signal ?? ctx.stopping);
    }
  },
});
