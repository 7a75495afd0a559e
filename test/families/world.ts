import { setTimeout as sleep } from "node:timers/promises";
import { hostClient } from "../factories/host-client";
import { programLayer, pythonLayer } from "../factories/image-layers";
import type { startRegistryDouble } from "../factories/registry-double";
import { safetensorsFile } from "../factories/safetensors";
import type { World } from "./family-proof";

const RETRY_MS = 1000;

type Layer = { bytes: Buffer };

/** The layers of the images; a sentence if this node lacks a program. */
export async function worldLayers(): Promise<{ shell: Layer; python: Layer } | string> {
  const [shell, python] = [await programLayer(["sh", "sleep", "cat", "mkdir", "chmod"]), await pythonLayer()];
  if (typeof shell === "string") return shell;
  return typeof python === "string" ? python : { shell, python };
}

/** Images for a world in a registry. */
export function worldImages(
  registry: Awaited<ReturnType<typeof startRegistryDouble>>,
  { shell, python }: { shell: Layer; python: Layer },
): Pick<World, "shell" | "python"> {
  const config = { Env: ["PATH=/bin:/usr/bin"], Cmd: ["/bin/sh"] };
  return {
    shell: registry.add("shell", { layers: [shell], config }).reference,
    python: registry.add("python", { layers: [shell, python], config }).reference,
  };
}

/** A model of one tensor, for the bucket of a world. */
export const worldModel = (): Buffer =>
  safetensorsFile([
    { name: "weight", dtype: "F32", shape: [4], bytes: new Uint8Array(Float32Array.of(1, -2.5, 65_504, 0.1).buffer) },
  ]);

interface Presigned {
  method: string;
  url: string;
  headers: Record<string, string>;
}

/** The world of a process of svc. */
export async function httpWorld({ url, key, images }: HttpWorld): Promise<World> {
  const call: World["call"] = async (path, { body, method } = {}) => {
    const response = await fetch(`${url}${path}`, {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: { authorization: `Bearer ${key}`, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // Proofs ask again and again.
    if (response.headers.has("retry-after")) {
      await sleep(RETRY_MS);
      return call(path, { body, method });
    }
    return { status: response.status, body: text === "" ? {} : JSON.parse(text) };
  };
  const presign = async (asked: { bucket: string; key: string; operation: "put_object" | "get_object" }) =>
    (await call<Presigned>("/v1/storage/presign", { body: asked })).body;
  const bucket = "models-of-all-families";
  await call("/v1/storage/buckets", { body: { name: bucket } });
  const put = await presign({ bucket, key: "model.safetensors", operation: "put_object" });
  await fetch(put.url, { method: put.method, headers: put.headers, body: new Uint8Array(worldModel()) });
  const read: World["read"] = async (name, object) => {
    const get = await presign({ bucket: name, key: object, operation: "get_object" });
    const response = await fetch(get.url, { method: get.method, headers: get.headers });
    return response.ok ? Buffer.from(await response.arrayBuffer()).toString("latin1") : undefined;
  };
  return { call, read, visit: visitorOf(new URL(url).port), bucket, secret: "hidden", ...images };
}

/** A client of hosts at a port of this node. */
export function visitorOf(port: string | number): World["visit"] {
  const { ask } = hostClient(port);
  return async (url) => {
    const { status, headers, body } = await ask(url);
    return { status, location: headers.location, body };
  };
}

interface HttpWorld {
  url: string;
  key: string;
  images: Pick<World, "shell" | "python">;
}
