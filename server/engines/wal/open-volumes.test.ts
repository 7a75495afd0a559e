import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openWal, type WalVolumes } from "./open-volumes";
import { lockVolume } from "./volume-lock";
import { Wal } from "./wal";

/** Opens a volume, appends some lines, prints the volume's folder and holds it until it is killed. Arguments: folder, lines. */
const HOLDER = `
import { writeSync } from "node:fs";
import { openWal } from "./open-volumes";

const [walRoot = "", lines = "0"] = process.argv.slice(2);
const { own } = await openWal(walRoot);
for (let i = 0; i < Number(lines); i++) await own.append("line " + i);
writeSync(1, own.dir + "\\n");
setInterval(() => {}, 60_000);
`;

const root = await mkdtemp(path.join(tmpdir(), "svc-volumes-"));
const entry = path.join(root, "holder.mjs");
const opened: { close(): Promise<void> }[] = [];
const children: ReturnType<typeof spawn>[] = [];
let folders = 0;
const newRoot = () => path.join(root, `${folders++}`);

beforeAll(async () => {
  const stdin = { contents: HOLDER, resolveDir: import.meta.dirname, loader: "ts" } as const;
  await build({ stdin, outfile: entry, bundle: true, platform: "node", format: "esm" });
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  for (const child of children.splice(0)) child.kill("SIGKILL");
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function openHere(walRoot: string): Promise<WalVolumes> {
  const volumes = await openWal(walRoot);
  opened.push(volumes);
  return volumes;
}

/** A process of its own that opens a volume, appends `lines` lines and holds it; answers the volume's folder. */
async function startHolder(walRoot: string, lines: number) {
  const child = spawn(process.execPath, [entry, walRoot, `${lines}`], { stdio: ["ignore", "pipe", "inherit"] });
  children.push(child);
  const [chunk] = (await once(child.stdout, "data")) as [Buffer];
  const kill = async () => {
    child.kill("SIGKILL");
    await once(child, "exit");
  };
  return { dir: chunk.toString().trim(), kill };
}

describe("openWal", () => {
  it("gives each living process a volume of its own and adopts what dead ones left", async () => {
    const walRoot = newRoot();
    const [a, b] = [await startHolder(walRoot, 3), await startHolder(walRoot, 5)];
    expect([a.dir, b.dir]).toEqual(["0", "1"].map((name) => path.join(walRoot, name)));
    const volumes = await openHere(walRoot);
    expect(volumes.own.dir).toBe(path.join(walRoot, "2"));
    expect(volumes.leftovers).toEqual([]);

    await b.kill();
    const [left, ...more] = await volumes.adoptLeftovers();
    expect(more).toEqual([]);
    expect(left?.dir).toBe(b.dir);
    const slice = await left?.take();
    expect(slice?.lines).toEqual([0, 1, 2, 3, 4].map((i) => `line ${i}`));
    await expect(left?.remove()).rejects.toMatchObject({ code: "conflict" });
    await slice?.ack();
    await left?.remove();
    expect((await readdir(walRoot)).sort()).toEqual(["0", "2"]);
    expect(await volumes.adoptLeftovers()).toEqual([]);
  });

  it("continues the volume of the process before, and opens the other leftovers beside it", async () => {
    const walRoot = newRoot();
    const holders = [await startHolder(walRoot, 2), await startHolder(walRoot, 3), await startHolder(walRoot, 0)];
    for (const holder of holders) await holder.kill();
    const { own, leftovers } = await openHere(walRoot);
    expect(own.dir).toBe(holders[0]?.dir);
    expect((await own.take())?.lines).toHaveLength(2);
    expect(leftovers.map(({ dir }) => dir)).toEqual([holders[1]?.dir]);
    // The one without lines is gone.
    expect((await readdir(walRoot)).sort()).toEqual(["0", "1"]);
  });

  it("never gives one volume to two openers that come at the same moment", async () => {
    for (let round = 0; round < 5; round++) {
      const walRoot = newRoot();
      const all = await Promise.all(Array.from({ length: 6 }, () => openHere(walRoot)));
      expect(new Set(all.map(({ own }) => own.dir)).size).toBe(6);
    }
  });

  it("finishes a removal that a crash cut short", async () => {
    const walRoot = newRoot();
    await mkdir(path.join(walRoot, "3.removed-x"), { recursive: true });
    await writeFile(path.join(walRoot, "3.removed-x", "checkpoint"), "");
    await openHere(walRoot);
    expect(await readdir(walRoot)).toEqual(["0"]);
  });
});

describe("the lock of a volume", () => {
  it("keeps a second opener out, in another process and in this one, and lets it in afterwards", async () => {
    const walRoot = newRoot();
    const holder = await startHolder(walRoot, 1);
    await expect(Wal.open(holder.dir)).rejects.toMatchObject({ code: "conflict" });
    await holder.kill();
    const wal = await Wal.open(holder.dir);
    opened.push(wal);
    await expect(Wal.open(holder.dir)).rejects.toThrow(/open in another process/);
    await wal.close();
    opened.push(await Wal.open(holder.dir));
  });

  it("is taken over from a process whose id now belongs to another one", async () => {
    const dir = newRoot();
    await mkdir(dir);
    await writeFile(path.join(dir, `lock.${process.pid}.1x000000000000.abcdef`), "");
    const lock = await lockVolume(dir, 1);
    expect(lock).toBeDefined();
    expect(await readdir(dir)).toHaveLength(1);
    await lock?.release();
    expect(await readdir(dir)).toEqual([]);
  });

  it("never lets two hold it, however many try at once", async () => {
    const dir = newRoot();
    let holding = 0;
    let turns = 0;
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (let i = 0; i < 5; i++) {
          const lock = await lockVolume(dir, 2);
          if (!lock) continue;
          holding++;
          turns++;
          expect(holding).toBe(1);
          await new Promise((resolve) => setImmediate(resolve));
          holding--;
          await lock.release();
        }
      }),
    );
    expect(turns).toBeGreaterThan(0);
  });
});
