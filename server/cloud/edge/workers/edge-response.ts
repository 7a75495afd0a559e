import { z } from "zod";
import type { EdgeReceiver } from "./edge-runner";
import { FRAME_KINDS, type Frame, FrameReader } from "./frames";

/** The code of the tenant can write all of it. */
const Head = z.object({
  status: z.int().min(200).max(599),
  headers: z.array(z.tuple([z.string(), z.string()])).max(1000),
});
const Line = z.object({ at: z.coerce.date(), level: z.enum(["debug", "info", "warn", "error"]), text: z.string() });
const Failure = z.object({ message: z.string(), stack: z.string().nullable(), hasSent: z.boolean() });

export interface EdgeFailure {
  reason: string;
  message: string;
  stack: string | null;
  /** It tried to send a request in a smoke run. */
  hasSent: boolean;
}

/** Reads what the worker of an edge function sends, and passes it on. */
export class EdgeResponse {
  readonly #reader = new FrameReader();
  readonly #receiver: EdgeReceiver;
  readonly #log: (line: z.output<typeof Line>) => void;
  #state: "waiting" | "begun" | "ended" = "waiting";
  #failure: EdgeFailure | undefined;

  constructor(receiver: EdgeReceiver, log: (line: z.output<typeof Line>) => void) {
    this.#receiver = receiver;
    this.#log = log;
  }

  /** Why there is no complete response, once the worker has ended. */
  get failure(): EdgeFailure | undefined {
    if (this.#state === "ended") return undefined;
    return this.#failure ?? invalid("The code ended without a response.");
  }

  async receive(part: Buffer): Promise<void> {
    for (const frame of this.#framesOf(part)) await this.#take(frame);
  }

  #framesOf(part: Buffer): Frame[] {
    try {
      return this.#reader.read(part);
    } catch {
      this.#failure ??= invalid("The code replaced the response of its function.");
      return [];
    }
  }

  async #take({ kind, content }: Frame): Promise<void> {
    if (kind === FRAME_KINDS.log) return this.#takeLine(content);
    if (this.#failure || this.#state === "ended") return;
    if (kind === FRAME_KINDS.failure) this.#fail(content);
    else if (kind === FRAME_KINDS.head && this.#state === "waiting") this.#begin(content);
    else if (kind === FRAME_KINDS.body && this.#state === "begun") await this.#receiver.body(content);
    else if (kind === FRAME_KINDS.end && this.#state === "begun") {
      this.#state = "ended";
      this.#receiver.end();
    } else this.#failure = invalid("The code replaced the response of its function.");
  }

  #begin(content: Buffer): void {
    try {
      const { status, headers } = Head.parse(parsed(content));
      this.#receiver.head(status, headers);
      this.#state = "begun";
    } catch {
      this.#failure = invalid("The response has an invalid status or invalid headers.");
    }
  }

  #takeLine(content: Buffer): void {
    const line = Line.safeParse(parsed(content));
    if (line.success) this.#log(line.data);
  }

  #fail(content: Buffer): void {
    const failure = Failure.safeParse(parsed(content));
    this.#failure = failure.success ? { reason: "threw", ...failure.data } : invalid("The code failed.");
  }
}

function parsed(content: Buffer): unknown {
  try {
    return JSON.parse(content.toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}

const invalid = (message: string): EdgeFailure => ({
  reason: "invalid_response",
  message,
  stack: null,
  hasSent: false,
});
