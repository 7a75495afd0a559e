import { once } from "node:events";
import { WebSocket } from "ws";
import { waitFor } from "./wait-for";

export interface TerminalEnd {
  type: "exit" | "error";
  code?: number | null;
  signal?: string | null;
  error?: { code: string; message: string };
}

/** A terminal of a pod, as a program of a person uses it. */
export class TerminalClient {
  shown = "";
  /** The bytes of the terminal, as they arrived. */
  readonly received: Buffer[] = [];
  /** The text messages. */
  readonly messages: TerminalEnd[] = [];
  /** Resolves to the code with which the connection was closed. */
  readonly closed: Promise<number>;

  private constructor(readonly socket: WebSocket) {
    socket.on("message", (bytes: Buffer, isBinary) => {
      if (isBinary) {
        this.received.push(bytes);
        this.shown += bytes.toString("utf8");
      } else this.messages.push(JSON.parse(bytes.toString("utf8")));
    });
    this.closed = once(socket, "close").then(([code]) => code as number);
  }

  /** `url` is the whole one with its query. */
  static async open(url: string, headers: Record<string, string>): Promise<TerminalClient> {
    const socket = new WebSocket(url.replace(/^http/, "ws"), "terminal.svc.v1", { headers });
    const client = new TerminalClient(socket);
    await once(socket, "open");
    return client;
  }

  type(text: string): void {
    this.socket.send(Buffer.from(text));
  }

  resize(columns: number, rows: number): void {
    this.socket.send(JSON.stringify({ type: "resize", columns, rows }));
  }

  async until(text: string): Promise<void> {
    await waitFor(
      () => {
        if (!this.shown.includes(text))
          throw new Error(`${JSON.stringify(text)} is not in: ${this.shown.slice(-2000)}`);
      },
      { interval: 10 },
    );
  }
}
