import { mkdirSync, readFileSync, renameSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { z } from "zod";
import { NodeMembership } from "../cloud/compute/nodes/join-node";

const Joined = NodeMembership.extend({ url: z.string(), address: z.string() });
export type Joined = z.infer<typeof Joined>;

const NOTE_MS = 5000;

/** What an agent keeps in its data directory: its membership, and when and by which claim it was driven last. */
export class AgentState {
  readonly #joinedFile: string;
  readonly #claimFile: string;
  #notedAt = 0;

  constructor(dataDir: string) {
    const dir = path.join(dataDir, "runtime");
    mkdirSync(dir, { recursive: true, mode: 0o700 });
    this.#joinedFile = path.join(dir, "node.json");
    this.#claimFile = path.join(dir, "node-claim");
  }

  /** undefined: it has not joined. Throws an Error for a file that was damaged. */
  joined(): Joined | undefined {
    const text = readIfPresent(this.#joinedFile);
    if (text === undefined) return undefined;
    const parsed = Joined.safeParse(parseJson(text));
    if (parsed.success) return parsed.data;
    throw new Error(`${this.#joinedFile} is damaged: delete it, and join again with --token.`);
  }

  /** `joined`, or undefined if its file was damaged. */
  lastKeys(): Joined | undefined {
    try {
      return this.joined();
    } catch {
      return undefined;
    }
  }

  keep(joined: Joined): void {
    replaceFile(this.#joinedFile, JSON.stringify(joined));
    replaceFile(this.#claimFile, "0");
  }

  /** The newest epoch, and when it drove this node last; undefined: never. */
  claim(): { epoch: number; drivenAt: number } | undefined {
    const text = readIfPresent(this.#claimFile);
    return text === undefined ? undefined : { epoch: Number(text), drivenAt: statSync(this.#claimFile).mtimeMs };
  }

  recordDriver(epoch: number): void {
    if (this.claim()?.epoch !== epoch) replaceFile(this.#claimFile, String(epoch));
    else if (Date.now() - this.#notedAt >= NOTE_MS) utimesSync(this.#claimFile, new Date(), new Date());
    else return;
    this.#notedAt = Date.now();
  }
}

function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw cause;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
