import { setTimeout as sleep } from "node:timers/promises";
import { FileBlobStore } from "../../../server/engines/objects/file-blob-store";

/** Bundled and started by blob-store.test.ts: `<what> <root>`. */
const [what, root = ""] = process.argv.slice(2);
const store = await FileBlobStore.open({ root, diskShare: 1 });
const MIB = 2 ** 20;

async function* filled(size: number, byte: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < size; at += 65_536) {
    yield Buffer.alloc(Math.min(65_536, size - at), byte);
    // A client's bytes come over time.
    if (at % (4 * 65_536) === 0) await sleep(0);
  }
}

/** Stores blobs of 1 to 1,000,000 bytes for ever, and prints the name and size of each that is stored. */
async function putForEver(): Promise<void> {
  const line = async (lane: number) => {
    for (let count = 0; ; count++) {
      const size = 1 + ((count * 7919 * (lane + 1)) % 1_000_000);
      const name = `ten_1/bkt_${lane % 2}/obj_${process.pid}_${lane}_${count}`;
      await store.put(name, filled(size, lane));
      process.stdout.write(`${name} ${size}\n`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, lane) => line(lane)));
}

/** Stores and reads 256 MiB, four at once, and prints by how many MiB the memory grew. */
async function measureMemory(): Promise<void> {
  const size = 256 * MIB;
  await store.put("ten_1/bkt_1/warm", filled(8 * MIB, 1));
  for await (const _chunk of store.read("ten_1/bkt_1/warm", { size: 8 * MIB }));
  const before = process.memoryUsage.rss();
  let most = before;
  const sample = () => {
    most = Math.max(most, process.memoryUsage.rss());
  };
  const timer = setInterval(sample, 10);
  const one = async (name: string) => {
    await store.put(name, filled(size / 4, 1));
    for await (const _chunk of store.read(name, { size: size / 4 })) sample();
  };
  await Promise.all([1, 2, 3, 4].map((number) => one(`ten_1/bkt_1/large_${number}`)));
  clearInterval(timer);
  process.stdout.write(`${Math.ceil((most - before) / MIB)}\n`);
}

await (what === "put" ? putForEver() : measureMemory());
