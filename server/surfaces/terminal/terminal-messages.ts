import { z } from "zod";
import { terminalSide } from "../../cloud/compute/pods/terminal-of-run";
import type { ErrorBody } from "../http/error-response";

/** The protocol of messages: binary ones are bytes of the terminal, text ones are JSON. */
export const TERMINAL_PROTOCOL = "terminal.svc.v1";

/** What a client sends as text. */
export const ClientMessage = z.strictObject({
  type: z.literal("resize"),
  columns: terminalSide,
  rows: terminalSide,
});

/** What a client receives as text, at the end. */
export type ServerMessage =
  | { type: "exit"; code: number | null; signal: string | null }
  | ({ type: "error" } & ErrorBody);

/** Undefined for anything else. */
export function readMessage(text: string): z.output<typeof ClientMessage> | undefined {
  try {
    return ClientMessage.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
