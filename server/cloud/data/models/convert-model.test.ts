import { createHash, randomBytes } from "node:crypto";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { fileFolder } from "../../../../test/factories/file-folder";
import { contentOf, objectsTest, PLAIN } from "../../../../test/factories/objects";
import { f32Bytes, type MadeTensor, readSafetensors, safetensorsFile } from "../../../../test/factories/safetensors";
import { buildThread } from "../../../build/build-thread.mjs";
import { createBucketTarget, openBucketSource } from "./bucket-files";
import type { ConversionProgress, ConversionRequest, ModelTarget } from "./conversion";
import { type ConvertModel, convertModel } from "./convert-model";
import { INDEX_NAME } from "./model-index";

const dir = fileFolder("svc-tensor-");
const workerFile = path.join(dir, "tensor-worker.mjs");
const [t] = await Promise.all([objectsTest(), buildThread({ name: "tensor-worker", outFile: workerFile })]);
const bucket = await t.bucket(await t.tenant());
afterAll(() => t.close());

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const floats = (name: string, count: number): MadeTensor => ({
  name,
  dtype: "F32",
  shape: [count],
  bytes: f32Bytes(Array.from({ length: count }, (_, i) => (i % 1000) / 8 - 60)),
});
/** Several slices, a tensor that ends within one, and one that does not begin at a multiple of its size. */
const TENSORS: MadeTensor[] = [
  floats("w.0", 150_000),
  { name: "mask", dtype: "BOOL", shape: [3], bytes: Buffer.from([1, 0, 1]) },
  floats("w.1", 100_001),
  { name: "ids", dtype: "I64", shape: [2], bytes: Buffer.from("0123456789abcdef") },
  floats("w.2", 120_000),
];
const MODEL = safetensorsFile(TENSORS, { format: "pt" });

let folders = 0;
/** A source with the model, and an empty folder. */
async function scene(model: Buffer = MODEL) {
  const prefix = `run-${++folders}/`;
  await t.objects.put(bucket, { key: `${prefix}source`, ...PLAIN, body: { stream: pieces(model) } });
  const source = await openBucketSource(t.objects, { bucket, key: `${prefix}source` });
  const target = createBucketTarget(t.objects, { bucket, prefix: `${prefix}out/` });
  const reports: ConversionProgress[] = [];
  const stop = new AbortController();
  const onProgress = async (progress: ConversionProgress) => void reports.push(structuredClone(progress));
  const ctx: ConvertModel = { source, target, signal: stop.signal, onProgress };
  const convert = (request: Partial<ConversionRequest> = {}, changed: Partial<ConvertModel> = {}) =>
    convertModel(
      { ...ctx, ...changed },
      { dtype: "f16", shards: 3, sha256: undefined, bytesTotal: undefined, progress: undefined, ...request },
    );
  const names = async () => {
    const page = await t.objects.list(bucket, { prefix: `${prefix}out/`, limit: 1000 });
    return page.objects.map(({ key }) => key.slice(prefix.length + 4));
  };
  const read = async (name: string) =>
    contentOf((await t.objects.read(bucket, { key: `${prefix}out/${name}` })).open());
  return { ...ctx, prefix, stop, reports, convert, names, read };
}

async function* pieces(bytes: Buffer): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 100_000) yield bytes.subarray(at, at + 100_000);
}

/** A target that fails or stops where `before` throws. */
const interrupted = (target: ModelTarget, before: (name: string) => void): ModelTarget => ({
  ...target,
  put: async (name, ...rest) => {
    before(name);
    return target.put(name, ...rest);
  },
});
const killAt = (shard: string) => (name: string) => {
  if (name.startsWith(shard)) throw new Error("killed");
};
/** The last progress of a conversion that was killed before a shard; reported at once, as the clock is fast. */
async function killedBefore(s: Awaited<ReturnType<typeof scene>>, shard: string): Promise<ConversionProgress> {
  let clock = 0;
  const target = interrupted(s.target, killAt(shard));
  await expect(s.convert({}, { target, now: () => ++clock * 500 })).rejects.toThrow("killed");
  const last = s.reports.at(-1);
  if (!last) throw new Error("nothing was reported");
  return last;
}

const SHARDS = [1, 2, 3].map((n) => `model-0000${n}-of-00003.safetensors`);

describe("a conversion", () => {
  it("writes shards and an index, in the thread as in the caller's", async () => {
    const [here, there] = [await scene(), await scene()];
    const result = await here.convert({ sha256: sha256(MODEL).toUpperCase(), bytesTotal: MODEL.length });
    const threaded = await there.convert({}, { workerFile });
    expect(threaded.files).toEqual(result.files);
    expect(result).toMatchObject({ sourceSha256: sha256(MODEL), sourceBytes: MODEL.length, tensors: 5 });
    expect(await here.names()).toEqual([...SHARDS, INDEX_NAME]);
    const files = await Promise.all(result.files.map(({ name }) => here.read(name)));
    expect(result.files.map(({ bytes, sha256: digest }) => [bytes, digest])).toEqual(
      files.map((file) => [file.length, sha256(file)]),
    );
    const shards = files.slice(0, 3).map(readSafetensors);
    expect(shards.map(({ metadata }) => metadata)).toEqual([{ format: "pt" }, { format: "pt" }, { format: "pt" }]);
    const tensors = shards.flatMap((shard) => shard.tensors);
    expect(tensors.map(({ name, dtype }) => [name, dtype])).toEqual([
      ["w.0", "F16"],
      ["mask", "BOOL"],
      ["w.1", "F16"],
      ["ids", "I64"],
      ["w.2", "F16"],
    ]);
    expect(tensors[1]?.bytes).toEqual(TENSORS[1]?.bytes);
    expect(tensors[3]?.bytes).toEqual(TENSORS[3]?.bytes);
    // All values are multiples of 1/8 up to 65, which binary16 has exactly: 0.125 is 0x3000, and -60 is 0xd380.
    expect(tensors[0]?.bytes.subarray(0, 2)).toEqual(Buffer.from([0x80, 0xd3]));
    expect(tensors[2]?.bytes.subarray(962, 964)).toEqual(Buffer.from([0x00, 0x30]));
  });

  it("describes the shards in the index as Hugging Face does", async () => {
    const s = await scene();
    await s.convert({ shards: 2, dtype: undefined });
    const total = TENSORS.reduce((sum, { bytes }) => sum + bytes.length, 0);
    const [one, two] = [1, 2].map((n) => `model-0000${n}-of-00002.safetensors`);
    expect(JSON.parse((await s.read(INDEX_NAME)).toString())).toEqual({
      metadata: { total_size: total },
      weight_map: { ids: two, mask: one, "w.0": one, "w.1": two, "w.2": two },
    });
    const tensors = [one, two].map(async (name) => readSafetensors(await s.read(name ?? "")).tensors);
    expect((await Promise.all(tensors)).flat().map(({ bytes }) => sha256(bytes))).toEqual(
      TENSORS.map(({ bytes }) => sha256(bytes)),
    );
  });

  it("stores a large shard in parts", async () => {
    const s = await scene();
    const target = createBucketTarget(t.objects, { bucket, prefix: `${s.prefix}out/`, partBytes: 5 * 1024 ** 2 });
    const big = safetensorsFile([floats("big", 1_500_000)]);
    const source = { size: big.length, read: (from: number, to: number) => pieces(big.subarray(from, to)) };
    const { files } = await s.convert({ dtype: undefined }, { source, target });
    expect(files[0]?.etag).toMatch(/-2$/);
    expect(sha256(await s.read(files[0]?.name ?? ""))).toBe(files[0]?.sha256);
    const wrong = s.convert({ dtype: undefined, sha256: "0".repeat(64) }, { source, target });
    await expect(wrong).rejects.toMatchObject({ details: { reason: "checksum_mismatch" } });
    expect(await s.names()).toEqual([]);
    expect((await t.objects.listUploads(bucket, { limit: 10 })).uploads).toEqual([]);
  });

  it("reports its progress twice a second", async () => {
    const s = await scene();
    let clock = 0;
    await s.convert({}, { now: () => ++clock * 100 });
    const slices = clock;
    expect(s.reports).toHaveLength(Math.ceil(slices / 5));
    for (const report of s.reports) expect(report).toMatchObject({ bytesTotal: MODEL.length, shardsTotal: 3 });
    const read = s.reports.map(({ bytesRead }) => bytesRead);
    expect(read).toEqual(read.toSorted((a, b) => a - b));
    expect(read.at(-1)).toBeLessThanOrEqual(MODEL.length);
  });
});

describe("a failed conversion", () => {
  it("with another checksum leaves no shard and no index", async () => {
    const s = await scene();
    await expect(s.convert({ sha256: "0".repeat(64) })).rejects.toMatchObject({
      code: "unprocessable",
      param: "sha256",
      details: { reason: "checksum_mismatch" },
      message: expect.stringContaining(sha256(MODEL)),
    });
    expect(await s.names()).toEqual([]);
  });

  it("with another size, or of a file that is no model, reads and writes nothing", async () => {
    const s = await scene();
    const wrong = s.convert({ bytesTotal: 7 });
    await expect(wrong).rejects.toMatchObject({ param: "bytes_total", details: { reason: "size_mismatch" } });
    const text = await scene(Buffer.from("not a model"));
    await expect(text.convert()).rejects.toMatchObject({ details: { reason: "invalid_model" } });
    const short = await scene(Buffer.from("short"));
    await expect(short.convert()).rejects.toThrow("5 bytes; expected a safetensors file");
    expect([...(await s.names()), ...(await text.names())]).toEqual([]);
  });

  it.each([false, true])(
    "ends at once when it is aborted, without a part of a shard (in a thread: %s)",
    async (isApart) => {
      const s = await scene();
      const before = await t.stored();
      const source = {
        size: MODEL.length,
        read: async function* () {
          yield MODEL.subarray(0, 400_000);
          s.stop.abort(new Error("stopped"));
          await new Promise(() => undefined);
        },
      };
      const aborted = s.convert({}, { source, ...(isApart && { workerFile }) });
      await expect(aborted).rejects.toThrow("stopped");
      expect(await s.names()).toEqual([]);
      expect(await t.stored()).toEqual(before);
    },
  );

  it("of a source that ends early says where", async () => {
    const s = await scene();
    const cut = { size: MODEL.length, read: () => pieces(MODEL.subarray(0, 500_000)) };
    await expect(s.convert({}, { source: cut, workerFile })).rejects.toThrow("the file ended after 500000 bytes");
    expect(await s.names()).toEqual([]);
  });
});

describe("a conversion that is resumed", () => {
  it.each([
    ["the second shard", "model-00002", 1],
    ["the last shard", "model-00003", 2],
    ["the index", INDEX_NAME, 3],
  ] as const)("before %s writes only what is missing, with the same result", async (_what, next, done) => {
    const s = await scene();
    const progress = await killedBefore(s, next);
    expect(await s.names()).toEqual(SHARDS.slice(0, done));
    const written: string[] = [];
    const target = interrupted(s.target, (name) => void written.push(name));
    const result = await s.convert({ progress, sha256: sha256(MODEL) }, { target, workerFile });
    expect(written).toEqual([...SHARDS.slice(done), INDEX_NAME]);
    expect(result).toEqual({ ...(await (await scene()).convert()), seconds: expect.any(Number) });
  });

  it("writes a shard again that was deleted meanwhile, and all of them for another request", async () => {
    const s = await scene();
    const progress = await killedBefore(s, INDEX_NAME);
    await s.target.remove(SHARDS.slice(0, 1));
    await s.convert({ progress });
    expect(await s.names()).toEqual([...SHARDS, INDEX_NAME]);
    const written: string[] = [];
    await s.convert({ progress, dtype: "bf16" }, { target: interrupted(s.target, (name) => void written.push(name)) });
    expect(written).toHaveLength(4);
  });

  it("does not forget what is stored when it is killed again before it writes", async () => {
    const s = await scene();
    const progress = await killedBefore(s, "model-00003");
    const source = { size: MODEL.length, read: () => pieces(MODEL.subarray(0, 700_000)) };
    let clock = 0;
    await expect(s.convert({ progress }, { source, now: () => ++clock * 500 })).rejects.toThrow("the file ended");
    expect(s.reports.at(-1)).toMatchObject({ shards: progress.shards });
    expect(s.reports.at(-1)?.bytesRead).toBeLessThan(progress.bytesRead);
  });

  it("refuses a source that has changed", async () => {
    const s = await scene();
    const progress = await killedBefore(s, "model-00002");
    const other = Buffer.from(MODEL);
    randomBytes(8).copy(other, 5000);
    const source = { size: other.length, read: () => pieces(other) };
    await expect(s.convert({ progress }, { source })).rejects.toMatchObject({
      code: "conflict",
      param: "source_model",
      details: { reason: "source_changed" },
    });
    expect(await s.names()).toEqual(SHARDS.slice(0, 1));
  });
});
