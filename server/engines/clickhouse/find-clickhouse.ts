import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { type EngineAccess, isServedBy, urlOf } from "./engine-access";

type Note = EngineAccess & { port: number };

/** The file in which a running engine records how other processes of the same user can reach it. */
const noteFile = (dir: string): string => path.join(dir, "svc-access.json");

/** Also replaces the file of an engine that was killed. */
export async function writeNote(dir: string, note: Note): Promise<void> {
  await removeNote(dir);
  await writeFile(noteFile(dir), JSON.stringify(note), { mode: 0o600, flag: "wx" });
}

export const removeNote = (dir: string): Promise<void> => rm(noteFile(dir), { force: true });

/** The URL of the embedded engine that another process runs on a directory; undefined if there is none. */
export async function findClickHouse(dir: string): Promise<string | undefined> {
  const note = await readNote(dir);
  // The file of a killed process may name a port that another program uses now.
  if (note === undefined || !(await isServedBy(note.port, note))) return undefined;
  return urlOf(note.port, note);
}

async function readNote(dir: string): Promise<Note | undefined> {
  try {
    return JSON.parse(await readFile(noteFile(dir), "utf8")) as Note;
  } catch {
    return undefined;
  }
}
