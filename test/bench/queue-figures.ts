import { readdirSync, readFileSync } from "node:fs";

/** Messages of one call. */
export const BATCH = 100;

export interface Figure {
  count: number;
  ms: number;
  /** Processor time of this process and its engines. */
  cpuMs: number;
}

/** Microseconds of processor time per message, which other load of the machine hardly changes. */
export const cpuOf = ({ count, cpuMs }: Figure): string =>
  `${Math.round((cpuMs * 1000) / Math.max(1, count))}`.padStart(6);

/** Runs `work`, which returns how many messages it dealt with. */
export async function timed(work: () => Promise<number>): Promise<Figure> {
  const [start, cpu] = [performance.now(), engineCpuMs() + ownCpuMs()];
  const count = await work();
  return { count, ms: performance.now() - start, cpuMs: engineCpuMs() + ownCpuMs() - cpu };
}

const ownCpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Of all postgres and redis processes that this one has started; a tick of Linux is 10 ms. */
function engineCpuMs(): number {
  const all = readdirSync("/proc").flatMap((pid) => (/^\d+$/.test(pid) ? statOf(pid) : []));
  const family = new Set([process.pid]);
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  return all
    .filter(({ pid }) => pid !== process.pid && family.has(pid))
    .reduce((sum, { ticks }) => sum + ticks * 10, 0);
}

function statOf(pid: string): { pid: number; parent: number; ticks: number }[] {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /, "")
      .split(" ");
    const [, parent = "0"] = fields;
    // utime, stime and those of ended children.
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return [{ pid: Number(pid), parent: Number(parent), ticks }];
  } catch {
    return [];
  }
}

export const perSecond = ({ count, ms }: Figure): string =>
  Math.round((count / ms) * 1000)
    .toLocaleString("en")
    .padStart(11);

/** Calls `step` from so many loops for `ms`; `step` returns how many messages it sent. */
export function measure(loops: number, ms: number, step: (n: number) => Promise<number>): Promise<Figure> {
  return timed(async () => {
    let [count, next] = [0, 0];
    const end = performance.now() + ms;
    await Promise.all(
      Array.from({ length: loops }, async () => {
        while (performance.now() < end) {
          // `count += await` would add to what the count was before.
          const done = await step(next++);
          count += done;
        }
      }),
    );
    return count;
  });
}

const ROUNDS = 3;

/** Measures several things in turns, so that other load of the machine affects all of them alike. */
export async function sideBySide<N extends string>(
  rows: Record<N, (() => Promise<Figure>) | undefined>,
): Promise<Partial<Record<N, Figure>>> {
  const sums: Partial<Record<N, Figure>> = {};
  // The first round only warms up.
  for (let round = 0; round <= ROUNDS; round++) {
    for (const [name, row] of Object.entries(rows) as [N, (() => Promise<Figure>) | undefined][]) {
      if (!row) continue;
      const figure = await row();
      if (round > 0) sums[name] = added(sums[name], figure);
    }
  }
  return sums;
}

export const added = (a: Figure | undefined, b: Figure): Figure => ({
  count: (a?.count ?? 0) + b.count,
  ms: (a?.ms ?? 0) + b.ms,
  cpuMs: (a?.cpuMs ?? 0) + b.cpuMs,
});
