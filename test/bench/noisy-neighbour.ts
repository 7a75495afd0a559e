import { setTimeout as sleep } from "node:timers/promises";
import type { Demo } from "../../server/ads/demo/open-demo";
import { presignUrl } from "../../server/cloud/data/buckets/presign";
import { FOREVER } from "./noisy-attack";
import { type MeasuredCall, Refused } from "./noisy-calls";
import { titleOf } from "./titles";

const BUCKET = "bench-noisy";
const OBJECT_BYTES = 64 * 1024;
const OBJECTS = 100;
const POLL_MS = 50;
/** For documentation (RFC 5737), of another network than those of the hostile tenants. */
const CLIENT = { "x-forwarded-for": "203.0.113.7" };
const CODE = "export default (payload) => ({ total: payload.prices.reduce((a, b) => a + b, 0) });";

interface Neighbour {
  url: string;
  demo: Demo;
  /** undefined: no pods can run here. */
  image: string | undefined;
}

/** The calls of another tenant that is measured, with what they need. */
export async function neighbourCalls({ url, demo, image }: Neighbour): Promise<MeasuredCall[]> {
  const json = { "content-type": "application/json" };
  const request: Ask = async (path, { method, body, signal, key = demo.api.test_key }) => {
    const response = await fetch(new URL(path, url), {
      method: method ?? (body === undefined ? "GET" : "POST"),
      headers: { ...json, ...CLIENT, authorization: `Bearer ${key}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
    const text = await response.text();
    if (!response.ok) throw new Refused(response, text);
    return text === "" ? {} : JSON.parse(text);
  };
  await request("/v1/queues", { body: { name: "bench-noisy" } });
  const { id: functionId } = await request("/v1/functions", { body: { name: "bench-noisy", code: CODE } });
  return [
    offersCall(url, { ...json, ...CLIENT, "x-svc-api-key": demo.channel.server_key }),
    {
      names: ["functions, invoke"],
      everyMs: 200,
      run: (_, signal) =>
        timed(async () => {
          const body = { payload: { prices: [40, 2] } };
          const { status } = await request(`/v1/functions/${functionId}/invoke`, { body, signal });
          if (status !== "succeeded") throw new Error(`the invocation is ${status}`);
        }),
    },
    {
      names: ["queue, send + receive + acknowledge"],
      everyMs: 200,
      run: (n, signal) =>
        timed(async () => {
          await request("/v1/queues/bench-noisy/send", { body: { body: `${n}` }, signal });
          const { data = [] } = await request("/v1/queues/bench-noisy/receive", { signal });
          const receipts = data.map(({ receipt }) => receipt);
          if (receipts.length > 0) await request("/v1/queues/bench-noisy/acknowledge", { body: { receipts }, signal });
        }),
    },
    await storageCall(url, request),
    ...(image === undefined ? [] : [podCall(image, request)]),
  ];
}

interface Asked {
  method?: string;
  body?: object;
  signal?: AbortSignal;
  key?: string;
}

interface Fields {
  id?: string;
  status?: string;
  data?: { receipt: string }[];
  access_key_id?: string;
  secret_access_key?: string;
}

type Ask = (path: string, asked: Asked) => Promise<Fields>;

async function timed(act: () => Promise<unknown>): Promise<[number]> {
  const from = performance.now();
  await act();
  return [performance.now() - from];
}

function offersCall(url: string, headers: Record<string, string>): MeasuredCall {
  return {
    names: ["offers"],
    everyMs: 50,
    run: (n, signal) =>
      timed(async () => {
        const body = JSON.stringify({ query: titleOf(n * 31) });
        const response = await fetch(new URL("/api/v1/offers", url), { method: "POST", headers, body, signal });
        const text = await response.text();
        if (!response.ok) throw new Refused(response, text);
      }),
  };
}

async function storageCall(url: string, request: Ask): Promise<MeasuredCall> {
  await request("/v1/storage/buckets", { body: { name: BUCKET } });
  const made = await request("/v1/storage/credentials", { body: {} });
  const credential = { accessKeyId: `${made.access_key_id}`, secretAccessKey: `${made.secret_access_key}` };
  const body = Buffer.alloc(OBJECT_BYTES, "64 KiB of text. ");
  const presigned = (method: "GET" | "PUT", key: string) =>
    presignUrl({
      method,
      url: `${url}/v1/s3/${BUCKET}/${key}`,
      credential,
      region: "us-east-1",
      at: new Date(),
      expiresSeconds: 3600,
    });
  return {
    names: ["storage, put + get of 64 KiB"],
    everyMs: 200,
    run: (n, signal) =>
      timed(async () => {
        const key = `${n % OBJECTS}`;
        for (const sent of [{ method: "PUT" as const, body }, { method: "GET" as const }]) {
          const response = await fetch(presigned(sent.method, key), { ...sent, headers: CLIENT, signal });
          const text = await response.text();
          if (!response.ok) throw new Refused(response, text);
        }
      }),
  };
}

/** Deletes the pod also where a step fails. */
function podCall(image: string, request: Ask): MeasuredCall {
  const until = async (id: string, { status: wanted, signal }: { status: string; signal: AbortSignal }) => {
    for (;;) {
      const { status } = await request(`/v1/pods/${id}`, { signal });
      if (status === wanted) return;
      if (status === "failed") throw new Error("the pod failed");
      await sleep(POLL_MS, undefined, { signal });
    }
  };
  return {
    names: ["pods, create → ready", "pods, stop → stopped"],
    run: async (_, signal) => {
      const from = performance.now();
      const body = { image, command: ["/bin/sh", "-c", FOREVER], memory_mb: 64 };
      const { id = "" } = await request("/v1/pods", { body, signal });
      try {
        await until(id, { status: "ready", signal });
        const readyAt = performance.now();
        await request(`/v1/pods/${id}/stop`, { body: {}, signal });
        await until(id, { status: "stopped", signal });
        return [readyAt - from, performance.now() - readyAt];
      } finally {
        await request(`/v1/pods/${id}`, { method: "DELETE" }).catch(() => undefined);
      }
    },
  };
}
