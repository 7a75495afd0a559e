import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { undefinedIfMissing } from "../../file-failures";
import { isAlive } from "../../file-lock.mjs";
import type { Allocation } from "../runtime";
import type { EndMarks } from "./container-state";

/** The files of svc for one container; `keep-container.pl` writes `keeper` and `ended`. */
export class ContainerFolder {
  constructor(
    /** Absolute. */
    readonly dir: string,
  ) {}

  file(name: "log" | "notices" | "hosts" | "inbound" | "keeper.log"): string {
    return path.join(this.dir, name);
  }

  /** Makes what the container needs before its creation. */
  async make(hostname: string): Promise<void> {
    await mkdir(this.file("log"), { recursive: true, mode: 0o700 });
    await mkdir(this.file("notices"), { recursive: true });
    // The users of the workload read them.
    await chmod(this.file("notices"), 0o755);
    await writeFile(this.file("hosts"), `127.0.0.1 localhost ${hostname}\n::1 localhost\n`);
    await chmod(this.file("hosts"), 0o644);
  }

  /** What the keeper needs to go on after it was killed, and `terminate` to begin. */
  async writeNotes(notes: ContainerNotes): Promise<void> {
    await writeFile(path.join(this.dir, "notes.json"), JSON.stringify(notes), { mode: 0o600 });
  }

  /** Undefined without a start that got so far. */
  async notes(): Promise<ContainerNotes | undefined> {
    const text = await this.#read("notes.json");
    return text === undefined ? undefined : (JSON.parse(text) as ContainerNotes);
  }

  async isKept(): Promise<boolean> {
    const [pid, mark] = (await this.#read("keeper"))?.trim().split(" ") ?? [];
    return pid !== undefined && mark !== undefined && isAlive({ pid: Number(pid), mark });
  }

  async endMarks(): Promise<EndMarks> {
    const [keeper, ended, boot] = [await this.#read("keeper"), await this.#read("ended"), await bootId()];
    return { isEndSeen: ended !== undefined, isOtherBoot: keeper?.trim().split(" ")[2] !== boot };
  }

  #read(name: string): Promise<string | undefined> {
    return undefinedIfMissing(readFile(path.join(this.dir, name), "utf8"));
  }
}

export interface ContainerNotes {
  container: string;
  stopSignal: NodeJS.Signals;
  logBytesMax: number;
  /** Absent of one that an earlier version started: it has none. */
  network?: Allocation["network"];
}

const bootId = async (): Promise<string> => (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
