import type { EdgeFailure } from "./edge-response";
import type { EdgeReceiver } from "./edge-runner";
import { SMOKE_LINE_CHARACTERS_MAX, SMOKE_LINES_MAX, type SmokeRun } from "./smoke-run";

/** Collects what a draft responds when it is tried. */
export class SmokeResult implements EdgeReceiver {
  #status: number | null = null;
  readonly #logs: SmokeRun["logs"] = [];

  head(status: number): void {
    this.#status = status;
  }

  async body(): Promise<void> {}

  end(): void {}

  log({ level, text }: { level: string; text: string }): void {
    // JSONB stores no NUL.
    const kept = text.slice(0, SMOKE_LINE_CHARACTERS_MAX).replaceAll("\0", "\uFFFD");
    if (this.#logs.length < SMOKE_LINES_MAX) this.#logs.push({ level, text: kept });
  }

  ended(failure: EdgeFailure | undefined, ms: number): SmokeRun {
    const { reason, message, stack } = failure ?? {};
    return {
      outcome: failure === undefined ? "passed" : failure.hasSent ? "inconclusive" : "failed",
      status: failure ? null : this.#status,
      error: failure
        ? { reason: reason ?? "", message: withoutNul(message ?? ""), stack: stack ? withoutNul(stack) : null }
        : null,
      logs: this.#logs,
      duration_ms: Math.round(ms),
    };
  }
}

const withoutNul = (text: string): string => text.replaceAll("\0", "\uFFFD");
