import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { layerOf, tarOf } from "../../../../test/factories/image-layers";
import {
  HOST_ARCHITECTURE,
  type RegistryDoubleOptions,
  sha256,
  startRegistryDouble,
} from "../../../../test/factories/registry-double";
import { LOOPBACK } from "../../../../test/factories/runtime-scene";
import { ManualClock } from "../../../kernel/clock";
import { PUBLIC_ONLY } from "../../address-policy";
import type { RegistryCredentials } from "../runtime";
import type { Descriptor } from "./image-documents";
import { LayerCache } from "./layer-cache";
import { keyOfLayers } from "./layer-origin";
import { type PullParts, pullImage } from "./pull-image";
import { PullTurns } from "./pull-turns";

const CONFIG = { Cmd: ["/run"], Env: ["A=1"], User: "web", WorkingDir: "/srv", StopSignal: "SIGINT" };
const CREDENTIALS = { username: "user", password: "pass:word" };
const reason = (expected: string) => expect.objectContaining({ reason: expected });

let dir: string;
let clock: ManualClock;
let used: Set<string>;
let registry: Awaited<ReturnType<typeof startRegistryDouble>>;
let cache: LayerCache;

async function openCache(bytesMax = 100_000_000): Promise<void> {
  const deleteFolder = (folder: string) => rm(folder, { recursive: true });
  cache = new LayerCache({ dir: path.join(dir, "layers"), bytesMax, clock, deleteFolder, inUse: async () => used });
  await cache.open();
}
async function openRegistry(options: RegistryDoubleOptions = {}): Promise<void> {
  await registry?.stop();
  registry = await startRegistryDouble(options);
}
beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), "svc-pull-"));
  clock = new ManualClock(new Date("2026-01-01T00:00:00Z"));
  used = new Set();
  await openRegistry();
  await openCache();
});
afterEach(async () => {
  await registry.stop();
  await rm(dir, { recursive: true });
});

interface PullOptions extends Partial<Pick<PullParts, "policy" | "limits">> {
  credentials?: RegistryCredentials;
  signal?: AbortSignal;
}

function pull(reference: string, { credentials, signal, ...parts }: PullOptions = {}) {
  const defaults = {
    cache,
    policy: LOOPBACK,
    architecture: HOST_ARCHITECTURE,
    idBase: undefined,
    writeMarks: async () => {},
    limits: { downloadBytesMax: 1_000_000, bytesMax: 10_000_000, entriesMax: 100 },
    turns: new PullTurns(100_000_000),
  };
  return pullImage({ reference, credentials }, { ...defaults, ...parts }, signal ?? new AbortController().signal);
}
const layerWith = (name: string, content: string) => layerOf([{ name, content }]);
const blobsAsked = () => registry.requests.filter(({ path: asked }) => asked.includes("/blobs/")).length;
const folderOf = (repository: string, layers: readonly Descriptor[]) =>
  keyOfLayers({ registry: registry.host, repository, reader: null }, layers).replace(":", "-");
const layersOnDisk = async () => (await readdir(path.join(dir, "layers"))).sort();

describe("pullImage", () => {
  it("reads configuration and layers, the lowest first, and downloads each layer once", async () => {
    const layers = [await layerWith("first", "1"), await layerWith("second", "2")];
    const { reference } = registry.add("app:1", { layers, config: CONFIG });
    const [image, again] = await Promise.all([pull(reference), pull(reference)]);
    expect(image.config).toMatchObject({
      cmd: ["/run"],
      env: ["A=1"],
      user: "web",
      workingDir: "/srv",
      stopSignal: "SIGINT",
    });
    expect(await readFile(path.join(image.layers[0]?.folder ?? "", "first"), "utf8")).toBe("1");
    expect(await readFile(path.join(image.layers[1]?.folder ?? "", "second"), "utf8")).toBe("2");
    expect(again.layers.map(({ folder }) => folder)).toEqual(image.layers.map(({ folder }) => folder));
    // Two configurations, and each layer once.
    expect(blobsAsked()).toBe(4);
  });

  it("reads layers that are not compressed", async () => {
    const layers = [
      { bytes: await tarOf([{ name: "plain", content: "1" }]), mediaType: "application/vnd.oci.image.layer.v1.tar" },
    ];
    const image = await pull(registry.add("plain", { layers, config: {} }).reference);
    expect(await readdir(image.layers[0]?.folder ?? "")).toEqual(["plain"]);
  });

  it("chooses this node's architecture from an index, and names the others if there is none", async () => {
    const layers = [await layerWith("own", "1")];
    const own = registry.add("app:own", { layers, config: CONFIG });
    const other = registry.add("app:other", { layers, config: {}, architecture: "s390x" });
    const both = registry.addIndex("app:both", [
      { architecture: "s390x", manifest: other.manifest },
      { architecture: HOST_ARCHITECTURE, manifest: own.manifest },
    ]);
    expect((await pull(both)).config.cmd).toEqual(["/run"]);
    const foreign = registry.addIndex("app:foreign", [{ architecture: "s390x", manifest: other.manifest }]);
    await expect(pull(foreign)).rejects.toThrow(/not available for linux\/.*s390x/);
    await expect(pull(other.reference)).rejects.toEqual(reason("image_unsupported"));
  });

  it("follows an index of an index, and one that does not say what its only image is for", async () => {
    const layers = [await layerWith("own", "1")];
    const own = registry.add("app:own", { layers, config: CONFIG });
    const inner = registry.addIndexed("app:inner", [{ manifest: own.manifest }]);
    const outer = registry.addIndex("app:outer", [{ manifest: inner }]);
    expect((await pull(outer)).config.cmd).toEqual(["/run"]);
    const foreign = registry.add("app:foreign", { layers, config: {}, architecture: "s390x" });
    await expect(pull(registry.addIndex("app:unsaid", [{ manifest: foreign.manifest }]))).rejects.toEqual(
      reason("image_unsupported"),
    );
  });

  it("compares each layer with what its configuration says, also one that it has already", async () => {
    const tar = await tarOf([{ name: "own", content: "1" }]);
    const layers = [{ bytes: gzipSync(tar) }];
    const pulled = await pull(registry.add("app:right", { layers, config: {}, diffIds: [sha256(tar)] }).reference);
    expect(pulled.layers).toHaveLength(1);
    const wrong = registry.add("app:wrong", { layers, config: {}, diffIds: [sha256("other")] });
    await expect(pull(wrong.reference)).rejects.toEqual(reason("digest_mismatch"));
    const more = registry.add("app:more", { layers, config: {}, diffIds: [sha256(tar), sha256(tar)] });
    await expect(pull(more.reference)).rejects.toEqual(reason("image_invalid"));
  });

  it("reads a layer of several members of gzip, and one without entries", async () => {
    const tar = await tarOf([{ name: "own", content: "1" }]);
    const members = Buffer.concat([gzipSync(tar.subarray(0, 700)), gzipSync(tar.subarray(700))]);
    const layers = [{ bytes: members }, { bytes: gzipSync(Buffer.alloc(1024)) }];
    const image = await pull(registry.add("members", { layers, config: {} }).reference);
    expect(await Promise.all(image.layers.map(({ folder }) => readdir(folder)))).toEqual([["own"], []]);
  });

  it("gets a token with the credentials, and does not send these to the registry itself", async () => {
    await openRegistry({ auth: "bearer", credentials: CREDENTIALS });
    const { reference } = registry.add("team/app", { layers: [await layerWith("a", "1")], config: {} });
    await expect(pull(reference)).rejects.toEqual(reason("registry_unauthorized"));
    await expect(pull(reference, { credentials: { username: "user", password: "no" } })).rejects.toEqual(
      reason("registry_unauthorized"),
    );
    registry.requests.length = 0;
    await pull(reference, { credentials: CREDENTIALS });
    const basic = registry.requests.filter(({ authorization }) => authorization?.startsWith("Basic"));
    expect(basic.map(({ path: asked }) => asked)).toEqual([
      "/token?service=double&scope=repository%3Ateam%2Fapp%3Apull",
    ]);
  });

  it("uses basic authentication where the registry asks for it, and anonymous tokens", async () => {
    await openRegistry({ auth: "basic", credentials: CREDENTIALS });
    const basic = registry.add("app", { layers: [await layerWith("a", "1")], config: {} });
    await pull(basic.reference, { credentials: CREDENTIALS });
    await expect(pull(basic.reference)).rejects.toEqual(reason("registry_unauthorized"));
    await openRegistry({ auth: "bearer" });
    const open = registry.add("app", { layers: [await layerWith("a", "1")], config: {} });
    await pull(open.reference);
  });

  it("asks the registry for a cached image too, so that it stays private", async () => {
    await openRegistry({ auth: "bearer", credentials: CREDENTIALS });
    const { reference } = registry.add("app", { layers: [await layerWith("a", "1")], config: {} });
    await pull(reference, { credentials: CREDENTIALS });
    await expect(pull(reference)).rejects.toEqual(reason("registry_unauthorized"));
  });

  it("follows a redirect of a blob to another host without the token", async () => {
    await openRegistry({ auth: "bearer" });
    const storage = await startRegistryDouble();
    const { reference, layers } = registry.add("app", { layers: [await layerWith("a", "1")], config: {} });
    const digest = layers[0]?.digest ?? "";
    registry.redirects.set(digest, `http://${storage.host}/elsewhere`);
    storage.blobs.set(digest, registry.blobs.get(digest) as Buffer);
    await pull(reference);
    expect(storage.requests).toEqual([{ path: `/elsewhere/${digest}`, authorization: undefined }]);
    await storage.stop();
  });

  it.each(["layer", "config", "manifest"])(
    "rejects a %s with other content than its digest, and keeps nothing",
    async (what) => {
      const layer = await layerWith("a", "1");
      const { reference, manifest, layers } = registry.add("app", { layers: [layer], config: { Cmd: ["x"] } });
      const other = (await layerWith("a", "2")).bytes;
      if (what === "layer") registry.blobs.set(layers[0]?.digest ?? "", other);
      if (what === "config")
        for (const digest of registry.blobs.keys()) if (digest !== layers[0]?.digest) registry.blobs.set(digest, other);
      if (what === "manifest")
        registry.manifests.set(`app@${manifest.digest}`, { bytes: other, mediaType: manifest.mediaType });
      const name = what === "manifest" ? `${registry.host}/app@${manifest.digest}` : reference;
      await expect(pull(name)).rejects.toEqual(reason("digest_mismatch"));
      expect(await layersOnDisk()).toEqual([]);
    },
  );

  it("rejects a layer with invalid contents, and leaves nothing of it", async () => {
    const hostile = await layerOf([
      { name: "fine", content: "1" },
      { name: "../../escape", content: "x" },
    ]);
    await expect(pull(registry.add("hostile", { layers: [hostile], config: {} }).reference)).rejects.toEqual(
      reason("image_invalid"),
    );
    const noGzip = { bytes: Buffer.from("not gzip") };
    await expect(pull(registry.add("nogzip", { layers: [noGzip], config: {} }).reference)).rejects.toEqual(
      reason("image_invalid"),
    );
    const unknown = { bytes: Buffer.from("x"), mediaType: "application/x-unknown" };
    await expect(pull(registry.add("unknown", { layers: [unknown], config: {} }).reference)).rejects.toEqual(
      reason("image_unsupported"),
    );
    expect(await layersOnDisk()).toEqual([]);
  });

  it("reports a download that is cut off, and succeeds at the next try", async () => {
    const noise = randomBytes(300_000);
    const { reference, layers } = registry.add("app", {
      layers: [await layerOf([{ name: "a", content: noise }])],
      config: {},
    });
    registry.cut.add(layers[0]?.digest ?? "");
    await expect(pull(reference)).rejects.toEqual(reason("registry_unreachable"));
    expect(await layersOnDisk()).toEqual([]);
    registry.cut.clear();
    await expect(pull(reference)).resolves.toBeDefined();
  });

  it("limits the size of downloads, and of what a small download expands to", async () => {
    const layers = [{ bytes: gzipSync(await tarOf([{ name: "zeros", content: Buffer.alloc(5_000_000) }])) }];
    const { reference } = registry.add("bomb", { layers, config: {} });
    const limits = { downloadBytesMax: 1_000_000, bytesMax: 4_000_000, entriesMax: 100 };
    await expect(pull(reference, { limits })).rejects.toEqual(reason("image_too_large"));
    await expect(pull(reference, { limits: { ...limits, downloadBytesMax: 1000 } })).rejects.toThrow(
      /the limit is 1000/,
    );
  });

  it("names the image, the registry and the cause of a failure", async () => {
    const missing = `${registry.host}/missing:tag`;
    await expect(pull(missing)).rejects.toEqual(reason("image_not_found"));
    await expect(pull(missing)).rejects.toThrow(`${missing} cannot be pulled from ${registry.host}: `);
    const { host } = registry;
    await openRegistry();
    await expect(pull(`${host}/app`)).rejects.toEqual(reason("registry_unreachable"));
    await expect(pull(`${host}/app`)).rejects.toThrow("ECONNREFUSED");
  });

  it("asks no registry on an address that is not public", async () => {
    const { reference } = registry.add("app", { layers: [await layerWith("a", "1")], config: {} });
    for (const name of [reference, "localhost/app", "10.0.0.1/app", "169.254.169.254/latest/meta-data", "[::1]/app"]) {
      await expect(pull(name, { policy: PUBLIC_ONLY })).rejects.toEqual(reason("registry_unreachable"));
    }
    await expect(pull("10.0.0.1/app")).rejects.toEqual(reason("registry_unreachable"));
    expect(registry.requests).toEqual([]);
  });

  it("can be interrupted", async () => {
    const { reference } = registry.add("app", { layers: [await layerWith("a", "1")], config: {} });
    const signal = AbortSignal.abort(new Error("interrupted"));
    await expect(pull(reference, { signal })).rejects.toThrow("interrupted");
  });

  it("deletes the layers that were not used for longest, and never one in use", async () => {
    const content = (letter: string) => letter.repeat(20_000);
    const add = async (name: string) => ({
      name,
      ...registry.add(name, { layers: [await layerWith(name, content(name))], config: {} }),
    });
    const [a, b, c, d] = [await add("a"), await add("b"), await add("c"), await add("d")];
    const folder = (image: typeof a) => folderOf(image.name, image.layers);
    await openCache(60_000);
    (await pull(a.reference)).release();
    clock.advance(1000);
    (await pull(b.reference)).release();
    clock.advance(1000);
    (await pull(a.reference)).release();
    clock.advance(1000);
    const held = await pull(c.reference);
    expect(await layersOnDisk()).toEqual([folder(a), folder(c)].sort());
    used = new Set([folder(a).replace("-", ":")]);
    await expect(pull(d.reference)).rejects.toEqual(reason("image_too_large"));
    expect(await layersOnDisk()).toEqual([folder(a), folder(c)].sort());
    held.release();
    (await pull(d.reference)).release();
    expect(await layersOnDisk()).toEqual([folder(a), folder(d)].sort());
  });

  it("deletes at its start what was interrupted, and keeps the layers", async () => {
    const { reference, layers } = registry.add("app", { layers: [await layerWith("a", "1")], config: {} });
    (await pull(reference)).release();
    await mkdir(path.join(dir, "layers/.tmp-interrupted"));
    await openCache();
    expect(await layersOnDisk()).toEqual([folderOf("app", layers)]);
  });
});
