import { byteAmount } from "../byte-amount";
import type { Io } from "../io";
import { cellText, fitText } from "../terminal-text";
import { failureLine, type Meter, type Transfer, type TransferResult } from "./transfer";

const SHOW_EVERY_MS = 100;
const BAR_WIDTH = 20;
const NAME_WIDTH_MIN = 10;
/** The width of everything but the name in a line. */
const FIGURES_WIDTH = 76;

/** Shows what becomes of transfers. */
export interface ProgressDisplay {
  begin(transfers: readonly Transfer[]): void;
  start(transfer: Transfer): Meter;
  end(transfer: Transfer, result: TransferResult): void;
  /** Removes the bars. */
  close(): void;
}

export interface DisplayOptions {
  quiet: boolean;
  json: boolean;
  /** Standard output is the object itself. */
  isPiped?: boolean;
}

/** Bars on a terminal, and a line for each finished file: in JSON with `json`, and none with `quiet`. */
export function progressDisplay(io: Io, options: DisplayOptions): ProgressDisplay {
  const bars = io.stderr.isTTY && !options.quiet ? new Bars(io) : undefined;
  const lines = options.isPiped ? io.stderr : io.stdout;
  return {
    begin: (transfers) => bars?.begin(transfers),
    start: (transfer) => bars?.start(transfer) ?? NO_METER,
    end(transfer, result) {
      bars?.end(transfer);
      if (options.json) lines.write(`${JSON.stringify(result)}\n`);
      else if (result.status === "done" && !options.quiet) lines.write(resultLine(result));
      if (result.status === "failed") io.stderr.write(failureLine(result));
      bars?.show();
    },
    close: () => bars?.clear(),
  };
}

const NO_METER: Meter = { add: () => undefined, skip: () => undefined, restart: () => undefined };

export function resultLine({ action, from, to, size }: TransferResult, prefix = ""): string {
  const amount = size === undefined ? "" : `  ${byteAmount(size)}`;
  return `${prefix}${action} ${cellText(from)}${to === undefined ? "" : ` -> ${cellText(to)}`}${amount}\n`;
}

interface Counted {
  bytes: number;
  skipped: number;
}

/** One line per running file and one for the total, at the bottom of the terminal. */
class Bars {
  readonly #io: Io;
  readonly #now: () => number;
  readonly #running = new Map<Transfer, Counted>();
  readonly #total = { files: 0, filesDone: 0, bytes: 0, bytesDone: 0, bytesNow: 0 };
  #startedAt = 0;
  #shownAt = Number.NEGATIVE_INFINITY;
  #lines = 0;

  constructor(io: Io) {
    this.#io = io;
    this.#now = io.timing?.now ?? (() => performance.now());
  }

  begin(transfers: readonly Transfer[]): void {
    this.#startedAt = this.#now();
    this.#total.files = transfers.length;
    this.#total.bytes = transfers.reduce((sum, { size = 0 }) => sum + size, 0);
  }

  start(transfer: Transfer): Meter {
    const counted = { bytes: 0, skipped: 0 };
    this.#running.set(transfer, counted);
    const add = (bytes: number): void => {
      counted.bytes += bytes;
      this.#total.bytesDone += bytes;
      this.#total.bytesNow += bytes;
      if (this.#now() - this.#shownAt >= SHOW_EVERY_MS) this.show();
    };
    const skip = (bytes: number): void => {
      counted.bytes += bytes;
      counted.skipped += bytes;
      this.#total.bytesDone += bytes;
    };
    const restart = (): void => {
      this.#total.bytesDone -= counted.bytes;
      this.#total.bytesNow -= counted.bytes - counted.skipped;
      Object.assign(counted, { bytes: 0, skipped: 0 });
    };
    return { add, skip, restart };
  }

  end(transfer: Transfer): void {
    this.clear();
    this.#running.delete(transfer);
    this.#total.filesDone++;
  }

  clear(): void {
    if (this.#lines > 0) this.#io.stderr.write(`\u001b[${this.#lines}A\u001b[J`);
    this.#lines = 0;
  }

  show(): void {
    this.clear();
    this.#shownAt = this.#now();
    const seconds = Math.max(0.001, (this.#shownAt - this.#startedAt) / 1000);
    const lines = [...this.#running].map(([{ from, size = 0 }, { bytes }]) =>
      this.#line(from, { bytes, size, more: "" }),
    );
    const { files, filesDone, bytes: size, bytesDone, bytesNow } = this.#total;
    const rate = Math.max(0, bytesNow) / seconds;
    const left = rate > 0 ? `, ${timeText((size - bytesDone) / rate)} left` : "";
    const more = `  ${byteAmount(rate)}/s${left}`;
    const all = [...lines, this.#line(`${filesDone} of ${files} files`, { bytes: bytesDone, size, more })];
    this.#io.stderr.write(all.map((line) => `${line}\n`).join(""));
    this.#lines = all.length;
  }

  /** Never longer than the terminal is wide: a wrapped line could not be removed. */
  #line(name: string, { bytes, size, more }: { bytes: number; size: number; more: string }): string {
    const width = (this.#io.stderr.columns ?? 80) - 1;
    const share = size > 0 ? Math.min(1, Math.max(0, bytes / size)) : 0;
    const full = Math.round(share * BAR_WIDTH);
    const bar = "#".repeat(full) + "-".repeat(BAR_WIDTH - full);
    const figures = `[${bar}] ${String(Math.floor(share * 100)).padStart(3)} %  ${byteAmount(bytes)} of ${byteAmount(size)}${more}`;
    const room = Math.max(NAME_WIDTH_MIN, width - FIGURES_WIDTH);
    return fitText(`${fitText(lastOf(cellText(name), room), room)}  ${figures}`, width).trimEnd();
  }
}

/** The end of a path tells more than its beginning. */
const lastOf = (text: string, width: number): string =>
  text.length <= width ? text : `…${text.slice(text.length - width + 1)}`;

function timeText(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  return whole < 3600
    ? `${Math.floor(whole / 60)} min ${whole % 60} s`
    : `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
