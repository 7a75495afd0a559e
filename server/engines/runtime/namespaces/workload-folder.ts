import { existsSync } from "node:fs";
import { readdir, readFile, readlink, rename, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { undefinedIfMissing } from "../../file-failures";
import { isAlive } from "../../file-lock.mjs";
import { exitOf } from "../../programs/exit-of";
import type { Exited } from "../runtime";
import type { WorkloadIds } from "./workload-ids";
import { writeNotice } from "./write-notice";

/** A process, and the time of its start, which tells it from others with the same id. */
export interface ProcessMark {
  pid: number;
  mark: string;
}

export type WorkloadState =
  | { state: "absent" }
  | { state: "starting" }
  | { state: "running"; startedAt: Date; process: ProcessMark; supervisor: ProcessMark }
  | Exited
  /** The supervisor ended before the workload did; `process` may still run. */
  | { state: "lost"; process: ProcessMark | undefined; startedAt: Date | undefined };

/** What is needed of an allocation after its start. */
export interface WorkloadNotes {
  user: string;
  workingDir: string;
  stopSignal: NodeJS.Signals;
  /** The id of its private network. */
  network?: string;
}

/** What `exited` contains in place of a wait status for a workload that ended with its supervisor. */
const LOST = "lost";

type Running = Extract<WorkloadState, { state: "running" }>;

/**
 * By folder. Each workload is looked at every second: while its supervisor lives and has written no end, the other files
 * say what they said.
 */
const running = new Map<string, Running>();

/** The files of one workload; `supervise.pl` writes its state. */
export class WorkloadFolder {
  constructor(
    /** Absolute. */
    readonly dir: string,
  ) {}

  file(
    name:
      | "lower"
      | "data"
      | "data/upper"
      | "data/work"
      | "root"
      | "log"
      | "disk"
      | "notices"
      | "supervisor.log"
      | "inbound",
  ): string {
    return path.join(this.dir, name);
  }

  /** Writes a file that the workload finds in /run/svc; one that does not run yet finds it at its start. */
  async writeNotice(name: string, contents: string): Promise<void> {
    let written: string | undefined;
    // The workload may have begun to run while the file was written.
    for (let dir = await this.#notices(); dir !== written; dir = await this.#notices()) {
      await writeNotice(dir, name, contents);
      written = dir;
    }
  }

  async state(): Promise<WorkloadState> {
    const known = running.get(this.dir);
    if (known && isAlive(known.supervisor) && !existsSync(path.join(this.dir, "exited"))) return known;
    running.delete(this.dir);
    const state = await this.#readState();
    if (state.state === "running") running.set(this.dir, state);
    return state;
  }

  async #readState(): Promise<WorkloadState> {
    const supervisor = await this.#mark("supervisor");
    const isSupervised = supervisor !== undefined && isAlive(supervisor);
    // Read after the supervisor was seen dead: it writes this file before it ends.
    const exited = await this.#exited();
    if (exited) return exited;
    if (supervisor === undefined) return { state: "absent" };
    const [process, startedAt] = await Promise.all([this.#mark("process"), this.#timeOf("running")]);
    if (!isSupervised) return { state: "lost", process, startedAt };
    return process && startedAt ? { state: "running", startedAt, process, supervisor } : { state: "starting" };
  }

  /** Records that the workload has ended with its supervisor. */
  async writeLost(): Promise<void> {
    await this.#write("exited", `${LOST} 0`);
  }

  async writeNotes(notes: WorkloadNotes): Promise<void> {
    await this.#write("notes.json", JSON.stringify(notes));
  }

  async notes(): Promise<WorkloadNotes> {
    return JSON.parse(await readFile(path.join(this.dir, "notes.json"), "utf8"));
  }

  /** The ids of its users while it runs; undefined: they are those of its files. */
  async ids(): Promise<WorkloadIds | undefined> {
    const [first, count] = (await this.#read("ids"))?.trim().split(" ").map(Number) ?? [];
    return first && count ? { first, count, areOwn: true } : undefined;
  }

  /** The folders of the image's layers that it uses. */
  async layers(): Promise<string[]> {
    const lower = this.file("lower");
    const names = await readdir(lower).catch(() => []);
    return Promise.all(names.map((name) => readlink(path.join(lower, name))));
  }

  /** The folder is in a file system of the workload, which its supervisor keeps open. */
  async #notices(): Promise<string> {
    const [fd, supervisor] = await Promise.all([this.#read("notices_fd"), this.#mark("supervisor")]);
    if (fd === undefined || !supervisor || !isAlive(supervisor)) return this.file("notices");
    return `/proc/${supervisor.pid}/fd/${fd.trim()}`;
  }

  async #exited(): Promise<Exited | undefined> {
    const text = await this.#read("exited");
    const exitedAt = await this.#timeOf("exited");
    const startedAt = await this.#timeOf("running");
    if (text === undefined || !exitedAt) return undefined;
    const [status = LOST, kills] = text.trim().split(" ");
    const common = {
      state: "exited",
      oomKilled: Number(kills) > 0,
      startedAt: startedAt ?? exitedAt,
      exitedAt,
    } as const;
    if (status === LOST) return { ...common, exitCode: null, signal: "SIGKILL", cause: "supervisor_lost" };
    return { ...common, ...exitOf(Number(status)), cause: "exit" };
  }

  async #mark(name: string): Promise<ProcessMark | undefined> {
    const [pid, mark] = (await this.#read(name))?.trim().split(" ") ?? [];
    return pid && mark ? { pid: Number(pid), mark } : undefined;
  }

  #read(name: string): Promise<string | undefined> {
    return undefinedIfMissing(readFile(path.join(this.dir, name), "utf8"));
  }

  #timeOf(name: string): Promise<Date | undefined> {
    return undefinedIfMissing(stat(path.join(this.dir, name)).then(({ mtime }) => mtime));
  }

  async #write(name: string, text: string): Promise<void> {
    const file = path.join(this.dir, name);
    await writeFile(`${file}.draft`, text, { mode: 0o600 });
    await rename(`${file}.draft`, file);
  }
}
