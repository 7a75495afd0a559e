import { once } from "node:events";
import http from "node:http";
import { gzipSync } from "node:zlib";
import type { Attack, AttackTools } from "./noisy-attack";
import type { HostileClient } from "./noisy-client";

const MEBIBYTE = 2 ** 20;
const SENDERS = 4;
const QUEUE_BYTES_MAX = 512 * MEBIBYTE;
const MESSAGE_BYTES = 256 * 1024;
const MESSAGES_PER_BATCH = 31;
const SLOW_CONNECTIONS = 40;
const SLOW_BODY_BYTES = MEBIBYTE;
const BETWEEN_BYTES_MS = 250;
const WAITING_PROJECTS = 6;
const WAITING_PER_PROJECT = 8;
const TOOL_LISTS = 20;
const RESOURCE_ID = /res_[0-9a-z]+/i;

/** The hostile tenants that need no pod. */
export const REQUEST_ATTACKS: readonly Attack[] = [
  { id: "1", label: "OTLP that multiplies, and 16 MiB of hostile JSON", run: telemetry },
  { id: "4q", label: "256 KiB messages, at most 512 MiB", run: bigMessages },
  {
    id: "6",
    label: `${WAITING_PROJECTS * WAITING_PER_PROJECT} calls of functions that wait 20 s`,
    projects: WAITING_PROJECTS,
    run: waitingFunctions,
  },
  { id: "8", label: `${SLOW_CONNECTIONS} connections with slow bodies`, run: slowBodies },
  { id: "9", label: `batches of ${TOOL_LISTS} tools/list`, run: toolLists },
  { id: "12", label: "gpuc_* tools create and delete buckets and networks", run: toolLoop },
];

async function telemetry({ client }: AttackTools): Promise<void> {
  await client.call("/v1/activations", { body: { service: "observe" } });
  const { body: store } = await client.call("/v1/resources", {
    body: { service: "observe", kind: "log", name: "noisy" },
  });
  const [path, token] = [store.endpoints?.[0]?.url, store.secrets?.ingest_token];
  if (path === undefined || token === undefined) return;
  const bodies = hostileBodies();
  await client.loop(SENDERS, (n) => {
    const { raw, isPacked } = bodies[n % bodies.length] ?? { raw: "", isPacked: false };
    const headers = { authorization: `Bearer ${token}`, ...(isPacked && { "content-encoding": "gzip" }) };
    return client.call(new URL(path).pathname, { raw, headers });
  });
}

function hostileBodies(): { raw: Uint8Array<ArrayBuffer>; isPacked: boolean }[] {
  const value = { stringValue: "x".repeat(1000) };
  const attributes = Array.from({ length: 128 }, (_, i) => ({ key: `key-${i}`, value }));
  const logRecords = Array.from({ length: 10_000 }, () => ({ body: { stringValue: "x" } }));
  const multiplied = JSON.stringify({ resourceLogs: [{ resource: { attributes }, scopeLogs: [{ logRecords }] }] });
  const filled = (start: string, piece: string, end: string) =>
    Buffer.from(start + piece.repeat((16 * MEBIBYTE - start.length - end.length) / piece.length) + end);
  const empty = filled('{"resourceLogs":[', "{},", "{}]}");
  const records = filled('{"resourceLogs":[{"scopeLogs":[{"logRecords":[', "{},", "{}]}]}]}");
  const nested = filled("", "[", "");
  return [
    { raw: gzipSync(multiplied), isPacked: true },
    { raw: gzipSync(empty), isPacked: true },
    { raw: gzipSync(records), isPacked: true },
    { raw: nested, isPacked: false },
    { raw: empty, isPacked: false },
  ];
}

async function bigMessages({ client }: AttackTools): Promise<void> {
  await client.call("/v1/queues", { body: { name: "noisy" } });
  const messages = Array.from({ length: MESSAGES_PER_BATCH }, () => ({ body: "x".repeat(MESSAGE_BYTES) }));
  const raw = JSON.stringify({ messages });
  let left = QUEUE_BYTES_MAX;
  await client.loop(SENDERS, async () => {
    if (left < raw.length) return client.wait(1000);
    left -= raw.length;
    await client.call("/v1/queues/noisy/send", { raw });
  });
}

async function waitingFunctions({ clients }: AttackTools): Promise<void> {
  const code = "export default () => new Promise((resolve) => setTimeout(resolve, 20_000));";
  const inProject = async (client: HostileClient) => {
    const { id } = (await client.call("/v1/functions", { body: { name: "noisy", code, timeout_ms: 30_000 } })).body;
    if (id)
      await client.loop(WAITING_PER_PROJECT, () => client.call(`/v1/functions/${id}/invoke`, { body: { payload: 1 } }));
  };
  await Promise.all(clients.map(inProject));
}

async function slowBodies({ client }: AttackTools): Promise<void> {
  await client.call("/v1/queues", { body: { name: "noisy" } });
  const code = "export default { fetch: async (request) => new Response(await request.text()) };";
  const { id, url } = (await client.call("/v1/edge/functions", { body: { name: "noisy", code } })).body;
  if (id) await client.call(`/v1/edge/functions/${id}/publish`, { body: {} });
  const { hostname, port } = new URL(client.url);
  const paths = ["/v1/queues/noisy/send", "/v1/functions", "/v1/pods", "/v1/mcp"];
  await client.loop(SLOW_CONNECTIONS, async (n) => {
    const toEdge = n % 2 === 0 && url ? new URL(url) : undefined;
    const headers = {
      "content-type": "application/json",
      "content-length": SLOW_BODY_BYTES,
      connection: "close",
      ...client.identity,
      ...(toEdge && { host: toEdge.host }),
    };
    const path = toEdge ? "/" : (paths[n % paths.length] ?? "/");
    const request = http.request({ hostname, port, path, method: "POST", headers, signal: client.signal });
    client.count(await slowly(request, client));
  });
}

/** Sends a byte at a time until there is a response; resolves with what came. */
async function slowly(request: http.ClientRequest, { signal }: HostileClient): Promise<string> {
  const timer = setInterval(() => request.write(" "), BETWEEN_BYTES_MS);
  try {
    const [response] = (await once(request, "response")) as [http.IncomingMessage];
    request.on("error", () => undefined).destroy();
    return `${response.statusCode}`;
  } catch {
    return signal.aborted ? "open at the end" : "connection ended";
  } finally {
    clearInterval(timer);
  }
}

async function toolLists({ client }: AttackTools): Promise<void> {
  const list = (id: number) => ({ jsonrpc: "2.0", id, method: "tools/list", params: {} });
  const raw = JSON.stringify(Array.from({ length: TOOL_LISTS }, (_, id) => list(id)));
  const headers = { accept: "application/json, text/event-stream" };
  await client.loop(SENDERS, () => client.call("/v1/mcp", { raw, headers }));
}

async function toolLoop({ client }: AttackTools): Promise<void> {
  const headers = { accept: "application/json, text/event-stream" };
  /** Resolves with the id of the resource in the response. */
  const tool = async (name: string, given: object): Promise<string | undefined> => {
    const params = { name, arguments: given };
    const { text } = await client.call("/v1/mcp", {
      body: { jsonrpc: "2.0", id: 1, method: "tools/call", params },
      headers,
    });
    return RESOURCE_ID.exec(text)?.[0];
  };
  for (const service of ["object", "net"]) await tool("gpuc_activate", { service });
  await client.loop(SENDERS, async (n) => {
    const bucket = await tool("gpuc_object_create", { name: `noisy-${n}` });
    const network = await tool("gpuc_net_create", { name: `noisy-${n}`, kind: "vpc" });
    if (bucket) await tool("gpuc_object_delete", { bucket_id: bucket });
    if (network) await tool("gpuc_net_delete", { network_id: network });
    await client.call("/v1/storage/buckets", { body: { name: `noisy-${n}` } });
    await client.call(`/v1/storage/buckets/noisy-${n}`, { method: "DELETE" });
  });
}
