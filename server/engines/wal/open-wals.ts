import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import { Wal, type WalOptions } from "./wal";

export interface OpenWals {
  /** The folder of the write-ahead files of a data directory, which a backup contains. */
  folder: string;
  /** Distinguishes the files of one purpose from others in the folder: `telemetry-`; "" for those of events. */
  prefix: string;
  /** This process among those of the data directory; undefined: it is the only one. */
  member: { slot: number; of: number } | undefined;
  optionsOf: (dir: string) => Promise<WalOptions> | WalOptions;
}

export interface OpenedWals {
  /** To which this process appends. */
  own: Wal;
  /** Those that an earlier start with more processes has left, in the first process. */
  left: readonly Wal[];
}

/** Opens the write-ahead file of this process; the first process also opens those that no process of this start writes. */
export async function openWals({ folder, prefix, member, optionsOf }: OpenWals): Promise<OpenedWals> {
  const { slot, of } = member ?? { slot: 0, of: 1 };
  const open = async (name: string): Promise<Wal> => {
    const dir = path.join(folder, name);
    return Wal.open(dir, await optionsOf(dir));
  };
  await mkdir(folder, { recursive: true });
  const own = await open(`${prefix}${slot}`);
  const left: Wal[] = [];
  if (slot === 0)
    for (const number of await numbersFrom(folder, prefix, of)) left.push(await open(`${prefix}${number}`));
  return { own, left };
}

async function numbersFrom(folder: string, prefix: string, first: number): Promise<number[]> {
  const names = await readdir(folder);
  return names
    .filter((name) => name.startsWith(prefix) && /^\d{1,3}$/.test(name.slice(prefix.length)))
    .map((name) => Number(name.slice(prefix.length)))
    .filter((number) => number >= first);
}
