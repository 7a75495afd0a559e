import type { Part } from "../part";
import { startToolCallLog, type ToolCallLogParts } from "./start-tool-call-log";
import type { ToolCallLog } from "./tool-call-log";

/** Calls of tools by agents; its operation is a row of the request counts. */
export const toolCallsPart: Part<ToolCallLogParts, { toolCalls: ToolCallLog }> = {
  name: "calls of tools",
  start: ({ clickhouse, log }) => {
    const { calls, stop } = startToolCallLog({ clickhouse, log });
    return { gives: { toolCalls: calls }, stop };
  },
};
