import net from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Resource } from "../../server/cloud/core/records/resource";
import { eventually, makeTenant } from "../factories/app";
import { manage, platformKey, raiseRate } from "../factories/calls";
import { programLayer, pythonLayer } from "../factories/image-layers";
import { type PodScene, podScene } from "../factories/pod-scene";

const scene = await podScene();
const layers = [await programLayer(["sh", "sleep", "mkdir", "chmod"]), await pythonLayer()];
const missing = [scene, ...layers].find((one) => typeof one === "string");
const skipped = missing === undefined ? "" : ` (skipped: ${missing})`;

/** Serves on a port for everybody, and on one for itself. */
const SERVERS = `exec python3 -c '
import socketserver, threading
class Line(socketserver.StreamRequestHandler):
    def handle(self): self.wfile.write(b"served %d" % self.server.server_address[1])
servers = [socketserver.ThreadingTCPServer(("127.0.0.1", port), Line) for port in (8000, 8001)]
threading.Thread(target=servers[0].serve_forever, daemon=True).start()
servers[1].serve_forever()
'`;

describe.skipIf(missing !== undefined)(`ports of instances, on a runtime of this node${skipped}`, () => {
  const { test, registry, close } = scene as PodScene;
  const keys = { own: "", otherMode: "", otherTenant: "" };
  let image: string;
  beforeAll(async () => {
    const [tenant, other] = [await makeTenant(test), await makeTenant(test)];
    await raiseRate(test, tenant.tenantId);
    const scopes = ["gpuc:read", "gpuc:write"] as const;
    keys.own = await platformKey(tenant, { mode: "test", scopes: [...scopes] });
    keys.otherMode = await platformKey(tenant, { mode: "live", scopes: [...scopes] });
    keys.otherTenant = await platformKey(other, { mode: "test", scopes: [...scopes] });
    const config = { Env: ["PATH=/bin:/usr/bin"], Cmd: ["/bin/sh"] };
    image = registry.add("with-servers", { layers: layers as { bytes: Buffer }[], config }).reference;
    for (const key of Object.values(keys))
      for (const service of ["net", "cpu"]) await call("/v1/activations", { body: { service }, key });
  });
  afterAll(() => close());

  async function call<T = Resource>(path: string, sent: { body?: object; method?: string; key?: string } = {}) {
    const response = await manage(test, path, { key: keys.own, ...sent });
    const body = await response.text();
    return { status: response.status, body: (body === "" ? {} : JSON.parse(body)) as T & Failure };
  }
  const publish = (name: string, spec: object, key = keys.own) =>
    call("/v1/resources", { body: { service: "net", kind: "eip", name, spec }, key });
  const change = (rid: string, spec: object) => call(`/v1/resources/${rid}`, { method: "PATCH", body: { spec } });
  async function createInstance(name: string, more: object): Promise<Resource> {
    const spec = { sku: "Genoa", image_id: image, cpu: 1, memory_mb: 128, user_data: SERVERS, ...more };
    const { body } = await call("/v1/resources", { body: { service: "cpu", name, spec } });
    return untilReady(body.rid);
  }
  async function untilReady(rid: string): Promise<Resource> {
    await eventually(async () => (await call(`/v1/resources/${rid}`)).body.state === "ready");
    return (await call(`/v1/resources/${rid}`)).body;
  }
  async function addressOf(rid: string): Promise<URL> {
    let url: string | undefined;
    await eventually(async () => {
      url = (await call(`/v1/resources/${rid}`)).body.endpoints[0]?.url;
      return url !== undefined;
    });
    return new URL(String(url).replace("tcp:", "http:"));
  }

  it("a public port leads to a port in the spec of an instance of the same project and mode, and to no other", async () => {
    const { rid, spec } = await createInstance("with-ports", { ports: [8000] });
    const target = { target: rid, target_port: 8000 };
    expect(await publish("for-itself", { target: rid, target_port: 8001 })).toMatchObject({
      status: 422,
      body: { error: { param: "spec.target_port", details: { reason: "port_not_declared" } } },
    });
    for (const key of [keys.otherMode, keys.otherTenant])
      expect(await publish("of-another", target, key)).toMatchObject({
        status: 404,
        body: { error: { param: "spec.target", details: { reason: "no_such_resource" } } },
      });
    const { rid: eip } = (await publish("open", target)).body;
    const address = await addressOf(eip);
    await eventually(async () => (await said(address)) === "served 8000");

    // Its owner opens another one, and then closes the first.
    expect((await change(rid, { ...spec, ports: [8000, 8001] })).status).toBe(200);
    await untilReady(rid);
    const { rid: second } = (await publish("open-later", { target: rid, target_port: 8001 })).body;
    const later = await addressOf(second);
    await eventually(async () => (await said(later)) === "served 8001");
    expect((await change(rid, { ...spec, ports: [8001] })).status).toBe(200);
    await untilReady(rid);
    expect([await said(address), await said(later)]).toEqual(["", "served 8001"]);
    expect(await change(rid, { ...spec, cpu: 2 })).toMatchObject({ status: 422 });
    for (const id of [eip, second, rid]) await call(`/v1/resources/${id}`, { method: "DELETE" });
  });
});

/** What a server sends; nothing: it closes the connection at once. */
function said({ hostname, port }: URL): Promise<string> {
  const socket = net.connect({ host: hostname, port: Number(port) });
  socket.on("error", () => undefined);
  return text(socket).catch(() => "");
}

interface Failure {
  error?: { message: string; param?: string; details?: Record<string, unknown> };
}
