import { randomBytes } from "node:crypto";
import { copyFile, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import { testClickHouse } from "../../../test/factories/clickhouse";
import { fileFolder } from "../../../test/factories/file-folder";
import { openForFile } from "../../../test/factories/open-for-file";
import type { WalSlice } from "./deliveries";
import type { Damage } from "./log-lines";
import { Wal } from "./wal";

const root = fileFolder("svc-checkpoint-");
let folders = 0;
const database = await openForFile(testClickHouse());

/** What happens to the checkpoint while svc is stopped; `older` is a copy from some deliveries before. */
const LOSSES: Record<string, (file: string, older: string) => Promise<void>> = {
  "is deleted": (file) => rm(file),
  "is emptied": (file) => truncate(file),
  "loses its second slot and half of the first": (file) => truncate(file, 60),
  "loses its second slot": (file) => truncate(file, 4096),
  "is overwritten with zeros": (file) => writeFile(file, Buffer.alloc(8192)),
  "is overwritten with noise": (file) => writeFile(file, randomBytes(8192)),
  "is replaced by an older one": (file, older) => copyFile(older, file),
};

/** A log with a table that its slices are inserted into, in the same way as facts. */
async function scene() {
  const [dir, table] = [path.join(root, `${folders}`), `lines_${folders++}`];
  await database.client.command({
    query: `CREATE TABLE ${table} (line String) ENGINE = MergeTree ORDER BY line SETTINGS non_replicated_deduplication_window = 10000`,
  });
  let appended = 0;
  return {
    dir,
    checkpoint: path.join(dir, "checkpoint"),
    appended: () => appended,
    append: async (wal: Wal, count: number) => {
      await Promise.all(Array.from({ length: count }, () => wal.append(`line ${appended++}`)));
    },
    insert: ({ lines, token }: WalSlice) =>
      database.client.insert({
        table,
        values: lines.map((line) => ({ line })),
        format: "JSONEachRow",
        clickhouse_settings: { insert_deduplication_token: token },
      }),
    stored: async () => {
      const query = `SELECT toUInt32(count()) AS lines, toUInt32(uniqExact(line)) AS distinct FROM ${table}`;
      return (await (await database.client.query({ query, format: "JSONEachRow" })).json())[0];
    },
  };
}

const OPTIONS = { segmentBytesMax: 600 };
const SLICE_BYTES = 100;

it.each(Object.entries(LOSSES))(
  "a checkpoint that %s at any moment of a delivery neither loses nor doubles a line",
  async (_, lose) => {
    const { dir, checkpoint, append, insert, stored, appended } = await scene();
    const older = path.join(root, `older-${folders}`);
    let wal = await Wal.open(dir, OPTIONS);
    await copyFile(checkpoint, older);
    // A round delivers this many slices; the last one is only cut, or inserted and not acknowledged, or acknowledged.
    for (let round = 0; round < 9; round++) {
      await append(wal, 7 + round * 3);
      for (let i = 0; i <= round % 4; i++) {
        const slice = await wal.take(SLICE_BYTES + round * 17);
        const isLast = i === round % 4;
        if (slice && !(isLast && round % 3 === 0)) await insert(slice);
        if (slice && !(isLast && round % 3 <= 1)) await slice.ack();
        if (i === 0 && round % 2 === 0) await copyFile(checkpoint, older);
      }
      await wal.close();
      await lose(checkpoint, older);
      wal = await Wal.open(dir, OPTIONS);
    }
    // The waiting lines are sent in slices of another size than before.
    for (let slice = await wal.take(1000); slice; slice = await wal.take(1000)) {
      await insert(slice);
      await slice.ack();
    }
    expect(wal.waitingBytes).toBe(0);
    await wal.close();
    expect(await stored()).toEqual({ lines: appended(), distinct: appended() });
  },
  60_000,
);

it("reuses a slice's token if the checkpoint was written and the journal was not", async () => {
  const { dir, append } = await scene();
  let wal = await Wal.open(dir);
  await append(wal, 5);
  const token = (await wal.take())?.token;
  await wal.close();
  for (const name of await readdir(dir)) if (name.endsWith(".deliveries")) await truncate(path.join(dir, name));
  wal = await Wal.open(dir);
  expect((await wal.take())?.token).toBe(token);
  await wal.close();
});

it("reports once that the checkpoint is missing, and does not send delivered lines again", async () => {
  const { dir, checkpoint, append, insert, stored, appended } = await scene();
  let wal = await Wal.open(dir);
  await append(wal, 60);
  for (let i = 0; i < 5; i++) {
    const slice = await wal.take(SLICE_BYTES);
    if (slice) await insert(slice);
    await slice?.ack();
  }
  const waiting = wal.waitingBytes;
  await wal.close();
  await rm(checkpoint);
  const damage: Damage[] = [];
  wal = await Wal.open(dir, { onDamage: (one) => damage.push(one) });
  expect(damage.map(({ reason }) => reason)).toEqual(["checkpoint"]);
  expect(wal.waitingBytes).toBe(waiting);
  for (let slice = await wal.take(); slice; slice = await wal.take()) {
    await insert(slice);
    await slice.ack();
  }
  await wal.close();
  expect(await stored()).toEqual({ lines: appended(), distinct: appended() });
});

it("removes the journals of removed segments, and corrupts none with the torn end of a write", async () => {
  const { dir, append } = await scene();
  let wal = await Wal.open(dir, { segmentBytesMax: 1 });
  await append(wal, 2);
  const first = await wal.take();
  const journals = async () => (await readdir(dir)).filter((name) => name.endsWith(".deliveries")).sort();
  const [name = ""] = await journals();
  await wal.close();
  await writeFile(
    path.join(dir, name),
    Buffer.concat([await readFile(path.join(dir, name)), Buffer.from("0badc0de ack")]),
  );
  await rm(path.join(dir, "checkpoint"));
  wal = await Wal.open(dir, { segmentBytesMax: 1 });
  const again = await wal.take();
  expect(again?.token).toBe(first?.token);
  await again?.ack();
  expect(await journals()).toEqual([]);
  await wal.close();
  await writeFile(path.join(dir, name), "left by a crash");
  wal = await Wal.open(dir);
  expect(await journals()).toEqual([]);
  await wal.close();
});

it("keeps the journal of a long-lived segment short", async () => {
  const { dir, checkpoint, append } = await scene();
  let wal = await Wal.open(dir);
  await append(wal, 1700);
  for (let slice = await wal.take(1); slice; slice = await wal.take(1)) await slice.ack();
  const [name = ""] = (await readdir(dir)).filter((each) => each.endsWith(".deliveries"));
  await append(wal, 2);
  expect(await (await wal.take())?.ack()).toBeUndefined();
  expect((await readFile(path.join(dir, name))).length).toBeLessThan(65_536);
  await append(wal, 1);
  const token = (await wal.take())?.token;
  await wal.close();
  await rm(checkpoint);
  wal = await Wal.open(dir);
  expect(await wal.take()).toMatchObject({ token, lines: ["line 1702"] });
  await wal.close();
});
