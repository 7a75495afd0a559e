import { once } from "node:events";
import net from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { FamilyProof, Provisioned, World } from "./family-proof";
import { deleted } from "./made-resources";

interface Pod {
  id: string;
  status: string;
}

const POLL_MS = 100;
const WAIT_MS = 20_000;
const NAT = { vpc: "vpc-of-nat", pod: "asks-outside" };
const TARGET = "target-of-eip";
const SERVER = `
import socketserver, threading
class Line(socketserver.StreamRequestHandler):
    def handle(self): self.wfile.write(b"served")
servers = [socketserver.ThreadingTCPServer(("127.0.0.1", port), Line) for port in (8000, 8001)]
threading.Thread(target=servers[0].serve_forever, daemon=True).start()
servers[1].serve_forever()
`;
const OUTSIDE = `
import socket, time
for turn in range(10):
    with socket.create_connection(("127.0.0.1", 3127), timeout=3) as s:
        s.sendall(b"CONNECT 10.9.9.9:443 HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n")
        reply = s.makefile().read()
    if "has no NAT" not in reply: break
    time.sleep(0.2)
print(reply)
`;

async function untilStatus({ call }: World, id: string, statuses: readonly string[]): Promise<void> {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(POLL_MS))
    if (statuses.includes((await call<Pod>(`/v1/pods/${id}`)).body.status)) return;
}

/** The output of a pod that ends by itself; undefined: it was not accepted. */
async function outputOf(world: World, fields: object): Promise<string | undefined> {
  const { status, body } = await world.call<Pod>("/v1/pods", { body: { memory_mb: 64, ...fields } });
  if (status !== 202) return undefined;
  await untilStatus(world, body.id, ["completed", "failed"]);
  const logs = await world.call<{ text: string }>(`/v1/pods/${body.id}/logs`);
  await world.call(`/v1/pods/${body.id}`, { method: "DELETE" });
  return logs.body.text;
}

async function deletePods({ call }: World, name: string): Promise<void> {
  const { body } = await call<{ data: (Pod & { name: string })[] }>("/v1/pods?limit=100");
  for (const pod of body.data) if (pod.name === name) await call(`/v1/pods/${pod.id}`, { method: "DELETE" });
}

const half = { name: "a", cidr: "10.3.0.0/25" };

/** In each of its subnets a pod runs that has an address of it. */
async function countNetworks(world: World, { rid, spec }: Provisioned): Promise<number> {
  const command = ["/bin/sh", "-c", "cat /etc/hosts"];
  for (const { name } of spec.subnets as { name: string }[]) {
    const hosts = await outputOf(world, { image: world.shell, command, network: `${rid}/${name}` });
    if (!hosts?.includes("10.3.0.")) return 0;
  }
  return 1;
}

async function vpcOfNat({ call }: World): Promise<string> {
  const body = { service: "net", kind: "vpc", name: NAT.vpc, spec: { cidr: "10.5.0.0/24" } };
  return String((await call("/v1/resources", { body })).body.rid);
}

/** Whether a pod of the network reaches the outside, as its spec says. */
async function countNats(world: World, { spec }: Provisioned): Promise<number> {
  const command = ["python3", "-c", OUTSIDE];
  const reply = await outputOf(world, { name: NAT.pod, image: world.python, command, network: spec.network });
  return reply?.includes("Only public addresses") ? 1 : 0;
}

async function eipSpec(world: World, port: number): Promise<object> {
  const { body } = await world.call<{ data: (Pod & { name: string })[] }>("/v1/pods?limit=100");
  const found = body.data.find(({ name }) => name === TARGET)?.id;
  const fields = {
    name: TARGET,
    image: world.python,
    command: ["python3", "-c", SERVER],
    memory_mb: 64,
    ports: [8000, 8001],
  };
  const id = found ?? (await world.call<Pod>("/v1/pods", { body: fields })).body.id;
  await untilStatus(world, id, ["ready"]);
  return { target: id, target_port: port };
}

/** Whether the port leads to the server in the pod. */
async function countPorts(_world: World, { observed }: Provisioned): Promise<number> {
  const { host, port } = (observed ?? {}) as { host?: string; port?: number };
  if (host === undefined || port === undefined) return 0;
  const socket = net.connect({ host, port, timeout: 2000 });
  socket.once("timeout", () => socket.destroy(new Error("It does not respond.")));
  try {
    await once(socket, "connect");
    return (await text(socket)) === "served" ? 1 : 0;
  } catch {
    return 0;
  }
}

const missing = process.getuid?.() === 0 ? undefined : "needs_capability";
const placeholder = { missing: "needs_network", effects: async () => 0 };

export const netProofs: readonly FamilyProof[] = [
  {
    service: "net",
    kind: "vpc",
    missing,
    effects: countNetworks,
    spec: () => ({ cidr: "10.3.0.0/24", subnets: [half] }),
    changed: () => ({ cidr: "10.3.0.0/24", subnets: [half, { name: "b", cidr: "10.3.0.128/25" }] }),
    wrong: { spec: { cidr: "8.8.0.0/16" }, param: "spec.cidr" },
  },
  {
    service: "net",
    kind: "nat",
    needs: ["net"],
    missing,
    effects: countNats,
    tidy: (world: World) => deleted(world, NAT.vpc),
    spec: async (world: World) => ({ network: await vpcOfNat(world) }),
    wrong: { spec: { egress: "yes" }, param: "spec.egress" },
  },
  {
    service: "net",
    kind: "eip",
    isMetered: true as const,
    effects: countPorts,
    spec: (world: World) => eipSpec(world, 8000),
    changed: (world: World) => eipSpec(world, 8001),
    wrong: { spec: { target_port: 80 }, param: "spec.target" },
    tidy: (world: World) => deletePods(world, TARGET),
  },
  {
    service: "net",
    kind: "byoip",
    ...placeholder,
    spec: () => ({ cidr: "8.8.8.0/24" }),
    wrong: { spec: { cidr: "10.0.0.0/24" }, param: "spec.cidr" },
  },
  {
    service: "net",
    kind: "dx_port",
    ...placeholder,
    spec: () => ({ bandwidth: "10Gbps" }),
    wrong: { spec: { bandwidth: "3Mbps" }, param: "spec.bandwidth" },
  },
];
