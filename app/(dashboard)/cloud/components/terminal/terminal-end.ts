/** What svc sends as text when a terminal ends. */
export type EndMessage =
  | { type: "exit"; code: number | null; signal: string | null }
  | { type: "error"; error: { message: string } };

interface Closed {
  /** The last text message. */
  message: EndMessage | undefined;
  /** Of the WebSocket protocol. */
  code: number;
  /** Whether the terminal was open before. */
  wasOpen: boolean;
}

const GOING_AWAY = 1001;

/** The sentence for the reader. Browsers do not tell a page why a WebSocket was refused. */
export function endText({ message, code, wasOpen }: Closed): string {
  if (message?.type === "error") return message.error.message;
  if (message?.signal) return `The shell was ended by ${message.signal}.`;
  if (message) return `The shell ended with exit code ${message.code}.`;
  if (!wasOpen) return "The terminal could not be opened: the pod has ended, or too many terminals are open already.";
  return code === GOING_AWAY ? "svc is restarting; open the terminal again shortly." : "The connection was lost.";
}
