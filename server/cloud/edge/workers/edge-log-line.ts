import { z } from "zod";
import type { LogLineRow } from "./edge-logs.sql";

export const EdgeLogLine = z
  .object({
    at: z.iso.datetime(),
    level: z
      .enum(["request", "debug", "info", "warn", "error"])
      .describe("`request`: a request and how it ended; the others are what the code printed"),
    text: z.string(),
    version: z.int(),
    request_id: z.string(),
  })
  .meta({ id: "EdgeLogLine" });
export type EdgeLogLine = z.infer<typeof EdgeLogLine>;

export const toLogLine = ({ at, level, text, version, requestId }: LogLineRow): EdgeLogLine => ({
  at: at.toISOString(),
  level: level as EdgeLogLine["level"],
  text,
  version,
  request_id: requestId,
});
