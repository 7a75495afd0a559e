import { once } from "node:events";
import type { ServerResponse } from "node:http";
import type { EdgeReceiver } from "../../cloud/edge/workers/edge-runner";
import { headersFromFunction } from "./edge-headers";

/** How long the beginning of a response waits for its end. */
const HOLD_MS = 5;
const NOT_MODIFIED = 304;
/** Statuses of responses without a body. */
const NO_BODY: ReadonlySet<number> = new Set([204, 205, NOT_MODIFIED]);

/** Sends the response of a function as it arrives. One that is complete at once gets a Content-Length from Node. */
export class ResponseWriter implements EdgeReceiver {
  readonly #outgoing: ServerResponse;
  #held: Buffer | undefined;
  #hasEnded = false;
  #timer: NodeJS.Timeout | undefined;
  /** What the code says of a body that is not sent. */
  #lengthWithoutBody: string | undefined;

  constructor(outgoing: ServerResponse) {
    this.#outgoing = outgoing;
  }

  /** The response is complete. */
  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  head(status: number, headers: readonly (readonly [name: string, value: string])[]): void {
    const sent = headersFromFunction(headers);
    this.#lengthWithoutBody = this.#sendsNoBody(status) ? lengthOf(headers) : undefined;
    try {
      for (const [name, value] of sent) this.#outgoing.appendHeader(name, value);
    } catch (cause) {
      for (const [name] of sent) this.#outgoing.removeHeader(name);
      throw cause;
    }
    if (this.#lengthWithoutBody !== undefined) this.#outgoing.setHeader("content-length", this.#lengthWithoutBody);
    this.#outgoing.statusCode = status;
    this.#timer = setTimeout(() => this.#release(), HOLD_MS);
  }

  async body(part: Buffer): Promise<void> {
    const outgoing = this.#outgoing;
    if (outgoing.destroyed) return;
    if (!outgoing.headersSent && this.#held === undefined) {
      this.#held = part;
      return;
    }
    this.#release();
    if (outgoing.write(part)) return;
    await Promise.race([once(outgoing, "drain"), once(outgoing, "close")]);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#hasEnded = true;
    const { headersSent, req, statusCode } = this.#outgoing;
    // Node leaves it out of a response to HEAD, which has no body that it could measure.
    if (!headersSent && req.method === "HEAD" && this.#lengthWithoutBody === undefined && !NO_BODY.has(statusCode))
      this.#outgoing.setHeader("content-length", this.#held?.length ?? 0);
    this.#outgoing.end(this.#held);
    this.#held = undefined;
  }

  #sendsNoBody = (status: number): boolean => this.#outgoing.req.method === "HEAD" || status === NOT_MODIFIED;

  /** Sends what there is so far: events may come one by one. */
  #release(): void {
    const outgoing = this.#outgoing;
    if (outgoing.destroyed || outgoing.writableEnded) return;
    if (!outgoing.headersSent) outgoing.flushHeaders();
    if (this.#held) outgoing.write(this.#held);
    this.#held = undefined;
  }
}

function lengthOf(headers: readonly (readonly [name: string, value: string])[]): string | undefined {
  const value = headers.find(([name]) => name.toLowerCase() === "content-length")?.[1];
  return value !== undefined && /^\d{1,15}$/.test(value) ? value : undefined;
}
