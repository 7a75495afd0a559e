import type { Io } from "../io";

export interface ShellSize {
  columns: number;
  rows: number;
}

/** What svc accepts. */
const SIDE_MAX = 1000;

/** The size of the local terminal; undefined if there is none, or if it does not know its size. */
export function shellSize({ terminal }: Io): ShellSize | undefined {
  const { columns = 0, rows = 0 } = terminal?.size() ?? {};
  if (!(columns > 0 && rows > 0)) return undefined;
  return { columns: Math.min(columns, SIDE_MAX), rows: Math.min(rows, SIDE_MAX) };
}
