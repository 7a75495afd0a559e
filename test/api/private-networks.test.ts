import { once } from "node:events";
import { existsSync } from "node:fs";
import net from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Pod } from "../../server/cloud/compute/pods/pod";
import type { Resource } from "../../server/cloud/core/records/resource";
import { eventually, makeTenant } from "../factories/app";
import { manage, platformKey, raiseRate } from "../factories/calls";
import { programLayer, pythonLayer } from "../factories/image-layers";
import { PodClient, type PodScene, podScene } from "../factories/pod-scene";
import { canLimitWorkloads } from "../factories/workload-node";

const hasIp = process.getuid?.() === 0 && ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip"].some((file) => existsSync(file));
const scene = hasIp ? await podScene() : "private networks need the root user and iproute2";
const layers = [await programLayer(["sh", "sleep", "cat"]), await pythonLayer()];
const missing = [scene, ...layers].find((one) => typeof one === "string");
const skipped = missing === undefined ? "" : ` (skipped: ${missing})`;

const SERVER = `
import socketserver
class Line(socketserver.StreamRequestHandler):
    def handle(self): self.wfile.write(b"served " + self.rfile.readline())
socketserver.ThreadingTCPServer(("0.0.0.0", 8000), Line).serve_forever()
`;
/** Prints what a server answers, or why it cannot be reached. */
const ASK = `
import socket, sys
try:
    with socket.create_connection((sys.argv[1], int(sys.argv[2])), timeout=1) as s:
        s.sendall(b"me\\n")
        print(s.makefile().readline().strip())
except OSError as e: print("unreachable")
`;
/** Prints what the outbound proxy says to a request for an address that is not public. */
const OUTBOUND = `
import socket
with socket.create_connection(("127.0.0.1", 3127), timeout=3) as s:
    s.sendall(b"CONNECT 10.9.9.9:443 HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
    print(s.makefile().read())
`;

describe.skipIf(missing !== undefined)(`private networks, on a runtime of this node${skipped}`, () => {
  const { test, registry, close } = scene as PodScene;
  let [key, strange, gpucOnly, elsewhere] = ["", "", "", ""];
  let tenantId: string;
  let image: string;
  let pods: PodClient;
  beforeAll(async () => {
    const [tenant, other] = [await makeTenant(test), await makeTenant(test)];
    await raiseRate(test, tenant.tenantId);
    const scopes = ["gpuc:read", "gpuc:write", "pods:read", "pods:write", "billing:read", "keys:write"] as const;
    key = await platformKey(tenant, { mode: "test", scopes: [...scopes] });
    strange = await platformKey(other, { mode: "test", scopes: [...scopes] });
    const narrow = { name: "narrow", scopes: ["gpuc:read", "gpuc:write"] };
    gpucOnly = (await call<{ key: string }>("/v1/keys", { body: narrow })).body.key;
    ({ tenantId } = tenant);
    elsewhere = await platformKey(tenant, { mode: "live", scopes: [...scopes] });
    pods = new PodClient(test, key);
    const config = { Env: ["PATH=/bin:/usr/bin"], Cmd: ["/bin/sh"] };
    image = registry.add("networked", { layers: layers as { bytes: Buffer }[], config }).reference;
    await call("/v1/activations", { body: { service: "net" } });
  });
  afterAll(() => close());

  async function call<T = Resource>(path: string, sent: { body?: object; method?: string; key?: string } = {}) {
    const response = await manage(test, path, { key, ...sent });
    const body = await response.text();
    return { status: response.status, body: (body === "" ? {} : JSON.parse(body)) as T & Failure };
  }
  const create = (name: string, kind: string, spec: object = {}) =>
    call("/v1/resources", { body: { service: "net", kind, name, spec } });
  const startPod = async (name: string, more: object = {}): Promise<Pod> => {
    const command = ["python3", "-c", SERVER];
    const { id } = await pods.create({ name, image, command, memory_mb: 128, ...more });
    return pods.until(id, "ready");
  };
  async function run(pod: Pod, script: string, ...args: (string | number)[]): Promise<string> {
    const command = ["python3", "-c", script, ...args.map(String)];
    const { body } = await pods.call<{ stdout: string; stderr: string }>(`/${pod.id}/exec`, { body: { command } });
    return (body.stdout + body.stderr).trim();
  }
  const askFrom = (pod: Pod, host: string, port = 8000) => run(pod, ASK, host, port);

  it("separates networks, lets a nat and an eip through while they exist, and bills the eip", async () => {
    const vpc = (await create("one", "vpc", { cidr: "10.7.0.0/24" })).body;
    const other = (await create("two", "vpc", { cidr: "10.7.0.0/24" })).body;
    expect(vpc).toMatchObject({ state: "ready", observed: { subnets: [{ id: `${vpc.rid}/default` }] } });
    const [first, second, stranger, single] = await Promise.all([
      startPod("first", { network: vpc.rid, ports: [8000] }),
      startPod("second", { network: `${vpc.rid}/default` }),
      startPod("stranger", { network: other.rid }),
      startPod("single"),
    ]);
    const address = first.network?.address ?? "";
    expect([address, second.network?.address].sort()).toEqual(["10.7.0.4", "10.7.0.5"]);
    expect([stranger.network?.address, single.network]).toEqual(["10.7.0.4", null]);
    await expectTalk({ first, second, stranger, single, address });
    await expectNat(second, { vpc: vpc.rid, other: other.rid, stranger });
    await expectEip(first);
    await expectDeletion(vpc.rid, [first, second]);
  });

  it("a pod finds its own name, and those of pods before it, as soon as it starts", async () => {
    const vpc = (await create("names", "vpc", { cidr: "10.9.0.0/24" })).body;
    const command = ["sh", "-c", "cat /etc/hosts; exec sleep 600"];
    const started: Pod[] = [];
    for (const name of ["early", "later", "last"]) {
      const { id } = await pods.create({ name, image, command, memory_mb: 64, network: vpc.rid });
      started.push(await pods.until(id, "ready"));
      await pods.said(id, "localhost");
      const hosts = await pods.logs(id);
      for (const pod of started) expect(hosts).toContain(`${pod.network?.address} ${pod.name} ${pod.name}.internal`);
    }
    for (const { id } of started) await pods.call(`/${id}`, { method: "DELETE" });
  });

  interface Four {
    first: Pod;
    second: Pod;
    stranger: Pod;
    single: Pod;
    address: string;
  }

  async function expectTalk({ first, second, stranger, single, address }: Four): Promise<void> {
    await eventually(async () => (await askFrom(second, "first")) === "served me");
    expect(await Promise.all([askFrom(second, address), askFrom(second, "first.internal")])).toEqual([
      "served me",
      "served me",
    ]);
    // A pod that started later is found by its name.
    await eventually(async () => (await askFrom(first, "second")) === "served me");
    // The stranger has the same address in its own network, so that the first pod's neighbour is asked for.
    const far = second.network?.address === address ? "" : (second.network?.address ?? "");
    const hidden = [far, address].find((one) => one !== stranger.network?.address) ?? "";
    const server = net.createServer().listen(0, "0.0.0.0");
    await once(server, "listening");
    const { port } = server.address() as net.AddressInfo;
    expect(
      await Promise.all([
        askFrom(stranger, hidden),
        askFrom(stranger, "first"),
        askFrom(single, hidden),
        ...["127.0.0.1", "10.7.0.1", "172.17.0.1"].map((host) => askFrom(first, host, port)),
      ]),
    ).toEqual(Array(6).fill("unreachable"));
    server.close();
    // Whatever the network of this node has at the address.
    expect(await connectTo("10.7.0.4", 8000).catch(() => "")).not.toContain("served");
  }

  async function expectNat(pod: Pod, { vpc, other, stranger }: { vpc: string; other: string; stranger: Pod }) {
    expect(await run(pod, OUTBOUND)).toContain("has no NAT");
    const ambiguous = await create("out", "nat");
    expect(ambiguous).toMatchObject({ status: 422, body: { error: { details: { reason: "target_missing" } } } });
    const nat = (await create("out", "nat", { network: vpc })).body;
    expect(nat).toMatchObject({ state: "ready", observed: { network: vpc, egress: true } });
    await eventually(async () => (await run(pod, OUTBOUND)).includes("Only public addresses"));
    expect(await run(stranger, OUTBOUND)).toContain("has no NAT");
    expect(
      (await call(`/v1/resources/${nat.rid}`, { method: "PATCH", body: { spec: { network: other } } })).status,
    ).toBe(200);
    await eventually(async () => (await run(pod, OUTBOUND)).includes("has no NAT"));
    expect((await call(`/v1/resources/${nat.rid}`, { method: "DELETE" })).status).toBe(204);
    await eventually(async () => (await run(stranger, OUTBOUND)).includes("has no NAT"));
  }

  async function expectEip(pod: Pod): Promise<void> {
    const bad = await create("public", "eip", {
      target: `${pod.id.slice(0, -1)}${pod.id.endsWith("0") ? 1 : 0}`,
      target_port: 8000,
    });
    expect(bad).toMatchObject({ status: 422, body: { error: { param: "spec.target" } } });
    const target = { target: pod.id, target_port: 8000 };
    const asked = { service: "net", kind: "eip", name: "refused" };
    const refusal = async (spec: object, by: string) =>
      (await call("/v1/resources", { body: { ...asked, spec }, key: by })).body.error;
    expect(await refusal({ ...target, target_port: 22 }, key)).toMatchObject({
      param: "spec.target_port",
      details: { reason: "port_not_declared" },
    });
    expect(await refusal(target, gpucOnly)).toMatchObject({ code: "forbidden" });
    for (const by of [strange, elsewhere]) expect(await refusal(target, by)).toMatchObject({ param: "spec.target" });
    const { db } = test.app.cloud;
    await db.quota.create({ data: { tenantId, resource: "public_ports", limit: 0, setAt: new Date() } });
    expect((await create("public", "eip")).body).toMatchObject({ error: { code: "quota_exceeded" } });
    await db.quota.deleteMany({ where: { tenantId, resource: "public_ports" } });
    const eip = (await create("public", "eip")).body;
    expect(eip).toMatchObject({ state: "ready", observed: { address: null } });
    const led = await call(`/v1/resources/${eip.rid}`, {
      method: "PATCH",
      body: { spec: { target: pod.id, target_port: 8000 } },
    });
    expect(led.body.observed?.port).toBe(eip.observed?.port);
    let url = "";
    await eventually(async () => {
      url = (await call(`/v1/resources/${eip.rid}`)).body.endpoints[0]?.url ?? "";
      return url !== "";
    });
    const { hostname, port } = new URL(url.replace("tcp:", "http:"));
    expect(await connectTo(hostname, Number(port))).toBe("served outside\n");
    expect((await call(`/v1/resources/${eip.rid}`, { key: strange })).status).toBe(404);
    const usage = (await call<Usage>("/v1/usage?group_by=sku")).body;
    const own = (await call<Usage>("/v1/resources/usage?service=net")).body;
    expect(own.data).toMatchObject([{ rid: eip.rid, price_per_hour: "0.005", name: "public" }]);
    expect(usage.data).toContainEqual(expect.objectContaining({ sku: "eip" }));
    await eventually(async () => (await call(`/v1/resources/${eip.rid}`, { method: "DELETE" })).status !== 202);
    await expect(connectTo(hostname, Number(port))).rejects.toThrow();
  }

  async function expectDeletion(rid: string, used: readonly Pod[]): Promise<void> {
    const refused = await call(`/v1/resources/${rid}`, { method: "DELETE" });
    expect(refused).toMatchObject({ status: 409, body: { error: { details: { reason: "has_dependents" } } } });
    const change = (spec: object) => call(`/v1/resources/${rid}`, { method: "PATCH", body: { spec } });
    expect((await change({ cidr: "10.8.0.0/24" })).status).toBe(409);
    const subnets = [
      { name: "default", cidr: "10.7.0.0/24" },
      { name: "more", cidr: "10.7.0.128/25" },
    ];
    expect(await change({ cidr: "10.7.0.0/24", subnets })).toMatchObject({ status: 400 });
    for (const { id } of used) await pods.call(`/${id}`, { method: "DELETE" });
    await eventually(async () => (await call(`/v1/resources/${rid}`, { method: "DELETE" })).status === 204);
    const gone = await pods.call("", { body: { image, network: rid } });
    expect(gone).toMatchObject({ status: 422, body: { error: { param: "network" } } });
  }

  async function connectTo(host: string, port: number): Promise<string> {
    const socket = net.connect({ host, port, timeout: 1000 });
    socket.once("timeout", () => socket.destroy(new Error("It does not respond.")));
    socket.write("outside\n");
    const reply = await text(socket);
    if (reply === "") throw new Error("Nothing answers there.");
    return reply;
  }

  it.skipIf(!canLimitWorkloads())("have volumes that only their pods mount", async () => {
    await call("/v1/activations", { body: { service: "dfs" } });
    const vpc = (await create("with-volume", "vpc", { cidr: "10.9.0.0/24" })).body;
    const make = (subnet_id: string) =>
      call("/v1/resources", {
        body: { service: "dfs", name: "in-network", spec: { capacity_gb: 1, subnet_id } },
      });
    expect(await make(`${vpc.rid}/nothing`)).toMatchObject({
      status: 422,
      body: { error: { param: "spec.subnet_id" } },
    });
    const { rid: volume } = (await make(`${vpc.rid}/default`)).body;
    const mount = { image, memory_mb: 64, command: ["sleep", "1"], volumes: [{ volume, mount_path: "/shared" }] };
    const refused = await pods.call("", { body: mount });
    expect(refused).toMatchObject({ status: 422, body: { error: { details: { reason: "volume_in_network" } } } });
    const { id } = await pods.create({ ...mount, network: vpc.rid });
    await pods.until(id, "completed");
    await pods.call(`/${id}`, { method: "DELETE" });
    for (const rid of [volume, vpc.rid])
      await eventually(async () => (await call(`/v1/resources/${rid}`, { method: "DELETE" })).status >= 204);
  });

  it("names the argument that a kind does not have, and plans what it cannot provision", async () => {
    expect(await create("slow", "eip", { bandwidth: "10Gbps" })).toMatchObject({ status: 400 });
    expect(await create("bad", "vpc", { cidr: "8.8.0.0/16" })).toMatchObject({
      status: 400,
      body: { error: { param: "spec.cidr" } },
    });
    for (const [kind, spec] of [
      ["byoip", { cidr: "8.8.8.0/24", asn: 64_500 }],
      ["dx_port", { bandwidth: "100Gbps" }],
    ] as const) {
      const { status, body } = await create(kind, kind, spec);
      expect([status, body.state, body.reason?.code, body.plan?.length]).toEqual([
        201,
        "placeholder",
        "needs_network",
        5,
      ]);
      expect((await create(kind, kind, spec)).body).toEqual(body);
    }
  });
});

interface Failure {
  error?: { message: string; param?: string; details?: Record<string, unknown> };
}

interface Usage {
  data: { rid?: string; service: string; sku: string; amount: string }[];
  total: string;
}
