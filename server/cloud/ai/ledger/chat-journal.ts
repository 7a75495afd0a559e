import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, unlinkSync, writeSync } from "node:fs";
import path from "node:path";
import { isAlive, processMark } from "../../../engines/file-lock.mjs";
import { decodeLines, encodeLines, frame } from "../../../engines/wal/log-lines";
import type { AbandonedRequest } from "./abandoned-row";
import type { FinishedRow, ProgressRow } from "./chat-requests.sql";

/** A file that has grown beyond this, or twice what is still needed of it, is replaced by what is needed. */
const FILE_BYTES_MAX = 4 * 1024 * 1024;
const NAME = /^(\d+)\.([^.]*)\.(\d+)\.journal$/;

/** What is known of a request; later lines replace earlier ones of the same kind. */
export interface JournalEntry {
  begun?: AbandonedRequest;
  progress?: ProgressRow;
  /** Without bodies. */
  finished?: FinishedRow;
}

/** The process that writes a journal; the mark tells apart processes with the same id. */
interface Owner {
  pid: number;
  mark: string;
}

/**
 * A file with the chat requests whose bills are not on Postgres' disk yet. A line is written in about 10 µs, by the time
 * `record` returns, to the memory of the operating system: it outlives this process and Postgres, however they end, but
 * not a power failure.
 */
export class ChatJournal {
  readonly #dir: string;
  readonly #owner: Owner;
  /** The encoded texts of what is not in Postgres for certain. */
  readonly #needed = new Map<string, Map<string, string>>();
  #file: { fd: number; name: string; number: number; bytes: number; bytesMax: number } | undefined;
  #number = 0;

  constructor(dir: string, owner: Owner = { pid: process.pid, mark: processMark(process.pid) ?? "" }) {
    this.#dir = dir;
    this.#owner = owner;
  }

  /** Returns false if the disk does not accept it; then only Postgres records the request. */
  record(id: string, entry: JournalEntry): boolean {
    const texts = this.#needed.get(id) ?? new Map<string, string>();
    this.#needed.set(id, texts);
    let added = "";
    for (const [kind, row] of Object.entries(entry)) {
      added = JSON.stringify({ id, [kind]: row });
      texts.set(kind, added);
    }
    try {
      const file = this.#file;
      if (file && file.bytes < file.bytesMax) this.#append(file, [added]);
      else this.#replace();
      return true;
    } catch {
      // The next record begins another file, with everything that is needed.
      if (this.#file) this.#file.bytesMax = 0;
      return false;
    }
  }

  /** The request is on Postgres' disk. */
  forget(id: string): void {
    this.#needed.delete(id);
  }

  /** Removes the file if nothing in it is needed. */
  close(): void {
    const file = this.#file;
    this.#file = undefined;
    if (!file) return;
    closeSync(file.fd);
    if (this.#needed.size === 0) unlinkSync(path.join(this.#dir, file.name));
  }

  #append(file: { fd: number; number: number; bytes: number }, texts: readonly string[]): void {
    const bytes = encodeLines(texts.map(frame), { segment: file.number, offset: file.bytes });
    if (writeSync(file.fd, bytes) < bytes.length) throw new Error("The disk accepted a part of a line.");
    file.bytes += bytes.length;
  }

  #replace(): void {
    const before = this.#file;
    mkdirSync(this.#dir, { recursive: true, mode: 0o700 });
    const number = ++this.#number;
    const name = `${this.#owner.pid}.${this.#owner.mark}.${number}.journal`;
    const file = { fd: openSync(path.join(this.#dir, name), "wx", 0o600), name, number, bytes: 0, bytesMax: 0 };
    try {
      this.#append(
        file,
        [...this.#needed.values()].flatMap((texts) => [...texts.values()]),
      );
    } catch (cause) {
      closeSync(file.fd);
      unlinkSync(path.join(this.#dir, name));
      throw cause;
    }
    file.bytesMax = Math.max(FILE_BYTES_MAX, 2 * file.bytes);
    this.#file = file;
    if (!before) return;
    closeSync(before.fd);
    unlinkSync(path.join(this.#dir, before.name));
  }
}

export interface AbandonedJournal {
  entries: Map<string, JournalEntry>;
  /** Call it when everything in it is on Postgres' disk. */
  remove(): void;
}

/** The journals of processes that have ended without emptying them. Several processes may recover the same ones. */
export function abandonedJournals(dir: string): AbandonedJournal[] {
  return (unlessMissing(() => readdirSync(dir)) ?? []).flatMap((name) => {
    const [, pid, mark = "", number] = NAME.exec(name) ?? [];
    if (pid === undefined || isAlive({ pid: Number(pid), mark })) return [];
    const file = path.join(dir, name);
    const bytes = unlessMissing(() => readFileSync(file));
    if (!bytes) return [];
    const { lines } = decodeLines(bytes, { segment: Number(number), offset: 0 });
    const entries = new Map<string, JournalEntry>();
    for (const line of lines) {
      const { id, ...entry } = JSON.parse(line) as JournalEntry & { id: string };
      entries.set(id, { ...entries.get(id), ...entry });
    }
    return [{ entries, remove: () => rmSync(file, { force: true }) }];
  });
}

function unlessMissing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw cause;
  }
}
