import { randomUUID } from "node:crypto";
import { EventEmitter, once } from "node:events";
import { connect, type Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { finished } from "node:stream/promises";
import { exitOf, type ProgramExit } from "./exit-of";

/** What a program has as a descriptor: a connection that it reads or writes, /dev/null, or a file of the machine. */
export type Descriptor = "input" | "output" | "none" | { read: string } | { append: string };

/** What a helper does for its programs. */
export interface ProgramControl {
  /** The name of its socket. */
  socket: string;
  kill(program: Program, signal: NodeJS.Signals): void;
  unref(program: Program): void;
}

/** A program of a helper, which leads a session of its own and survives this process. */
export class Program {
  readonly id = randomUUID();
  /** Resolves to its process id. Rejects if no process could be made for it. */
  readonly started: Promise<number>;
  /** Rejects if it could not be run or nothing can report its end, when its outputs have ended. */
  readonly exited: Promise<ProgramExit>;
  readonly #events = new EventEmitter();
  readonly #streams: readonly (Socket | undefined)[];
  readonly #descriptors: readonly Descriptor[];
  readonly #control: ProgramControl;
  #isStarted = false;
  /** Why it could not be run. */
  #failure: string | undefined;

  constructor(descriptors: readonly Descriptor[], control: ProgramControl) {
    this.#descriptors = descriptors;
    this.#control = control;
    this.#streams = descriptors.map((kind, number) => this.#connect(kind, number));
    this.started = once(this.#events, "started").then(([pid]) => Number(pid));
    this.exited = once(this.#events, "exited").then(([status]) => exitOf(Number(status)));
    for (const promise of [this.started, this.exited]) promise.catch(() => undefined);
  }

  /** Resolves when its descriptors are connected. */
  async connected(): Promise<void> {
    await Promise.all(this.#streams.map((stream) => stream && once(stream, "connect")));
  }

  /** What it reads as a descriptor. */
  input(descriptor: number): Writable {
    return this.#stream(descriptor, "input");
  }

  /** What it writes as a descriptor; it is to be read or destroyed. */
  output(descriptor: number): Readable {
    return this.#stream(descriptor, "output");
  }

  kill(signal: NodeJS.Signals): void {
    this.#control.kill(this, signal);
  }

  /** Its end no longer keeps this process from ending. */
  unref(): void {
    this.#control.unref(this);
  }

  /** Takes a report of the helper; true for the last one. */
  take(report: string, text: string): boolean {
    if (report === "started") {
      this.#isStarted = true;
      this.#events.emit("started", text);
    } else if (report === "failed") this.#failure = text;
    else if (report === "exited" && this.#failure === undefined) this.#events.emit("exited", text);
    else this.#events.emit("error", new Error(this.#failure ?? text));
    if (report === "unstarted") this.destroy();
    if (report === "exited") for (const stream of this.#of("input")) stream.destroy();
    return report === "exited" || report === "unstarted";
  }

  /** The helper reports nothing more. A program that runs goes on, and still has its streams. */
  async lose(cause: Error): Promise<void> {
    if (this.#isStarted) await Promise.all(this.#of("output").map((stream) => finished(stream).catch(() => undefined)));
    else this.destroy();
    this.#events.emit("error", cause);
  }

  /** Closes its streams. */
  destroy(): void {
    for (const stream of this.#streams) stream?.destroy();
  }

  #connect(kind: Descriptor, number: number): Socket | undefined {
    if (kind !== "input" && kind !== "output") return undefined;
    const stream = connect({ path: this.#control.socket, readable: kind === "output" });
    // The stream is paused until it is read, and its end is not seen before.
    stream.pause();
    // A program need not read, and its end is reported.
    stream.on("error", () => {});
    stream.write(`${this.id} ${String(number).padStart(2, "0")}\n`);
    return stream;
  }

  #stream(descriptor: number, kind: Descriptor): Socket {
    const stream = this.#descriptors[descriptor] === kind ? this.#streams[descriptor] : undefined;
    if (!stream) throw new Error(`The descriptor ${descriptor} is no ${String(kind)} of the program.`);
    return stream;
  }

  #of(kind: Descriptor): Socket[] {
    return this.#streams.filter((stream, number) => stream && this.#descriptors[number] === kind) as Socket[];
  }
}
