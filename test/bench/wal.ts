import { mkdtemp, open, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import path from "node:path";
import { Wal } from "../../server/engines/wal/wal";

const RUN_MS = 3000;
const LINE = JSON.stringify({ id: "019aa0d4-3a1c-7b7e-9f43-0d1c8a4f6a11", pad: "x".repeat(165) });

/** How many durable lines a second the write-ahead log takes and gives back, beside one fdatasync a line. */
export async function run(print: (line: string) => void): Promise<void> {
  print(
    `write-ahead log: ${LINE.length}-byte lines, ${RUN_MS / 1000} s a row, load and log in one Node ${process.version}`,
  );
  print(`process on ${cpus().length} cores, folder in ${tmpdir()}; each line is acknowledged after its fdatasync`);
  print("");
  print("what                          | writers |  lines/s |  p50 ms |  p99 ms | ratio to one sync a line");
  const single = await oneSyncALine();
  print(row("peer: write + fdatasync, alone", 1, [single, single]));
  for (const writers of [1, 50, 500]) print(row("append", writers, [await appends(writers), single]));
  print("");
  print(await drained());
}

interface Figures {
  perSecond: number;
  p50: number;
  p99: number;
}

/** Runs `step` from `writers` loops for the time of one row. */
async function measure(writers: number, step: () => Promise<void>): Promise<Figures> {
  const latencies: number[] = [];
  const start = performance.now();
  await Promise.all(
    Array.from({ length: writers }, async () => {
      for (let now = performance.now(); now < start + RUN_MS; ) {
        await step();
        const end = performance.now();
        latencies.push(end - now);
        now = end;
      }
    }),
  );
  const seconds = (performance.now() - start) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.floor((latencies.length - 1) * share)] ?? 0;
  return { perSecond: latencies.length / seconds, p50: at(0.5), p99: at(0.99) };
}

async function appends(writers: number): Promise<Figures> {
  return inFolder(async (dir) => {
    const wal = await Wal.open(dir, { waitingBytesMax: 64 * 2 ** 30 });
    const figures = await measure(writers, () => wal.append(LINE));
    await wal.close();
    return figures;
  });
}

async function oneSyncALine(): Promise<Figures> {
  return inFolder(async (dir) => {
    const file = await open(path.join(dir, "peer.log"), "a");
    const figures = await measure(1, async () => {
      await file.write(`${LINE}\n`);
      await file.datasync();
    });
    await file.close();
    return figures;
  });
}

async function drained(): Promise<string> {
  return inFolder(async (dir) => {
    const wal = await Wal.open(dir);
    const lines = 250_000;
    await Promise.all(Array.from({ length: lines }, () => wal.append(LINE)));
    const bytes = wal.waitingBytes;
    const start = performance.now();
    let slices = 0;
    let taken = 0;
    for (let slice = await wal.take(); slice; slice = await wal.take()) {
      slices++;
      taken += slice.lines.length;
      await slice.ack();
    }
    const seconds = (performance.now() - start) / 1000;
    await wal.close();
    const rates = `${Math.round(taken / seconds).toLocaleString("en")} lines/s, ${(bytes / 2 ** 20 / seconds).toFixed(0)} MiB/s`;
    return `take + ack, slices of 1 MiB: ${taken.toLocaleString("en")} lines in ${slices} slices, ${rates}`;
  });
}

async function inFolder<T>(measureIn: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(path.join(tmpdir(), "svc-bench-wal-"));
  try {
    return await measureIn(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

function row(what: string, writers: number, [{ perSecond, p50, p99 }, peer]: [Figures, Figures]): string {
  const rate = Math.round(perSecond).toLocaleString("en").padStart(8);
  const times = [p50, p99].map((ms) => ms.toFixed(2).padStart(7)).join(" | ");
  return `${what.padEnd(29)} | ${String(writers).padStart(7)} | ${rate} | ${times} | ${(perSecond / peer.perSecond).toFixed(1)}`;
}
