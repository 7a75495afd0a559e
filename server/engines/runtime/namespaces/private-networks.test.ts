import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { programLayer, shellLayer } from "../../../../test/factories/image-layers";
import { INTERNET, INTERNET_NAME, PERL_CLIENT } from "../../../../test/factories/internet-double";
import { startRegistryDouble } from "../../../../test/factories/registry-double";
import { LOOPBACK, SHELL_CONFIG } from "../../../../test/factories/runtime-scene";
import { waitFor } from "../../../../test/factories/wait-for";
import { missingForWorkloads } from "../../../../test/factories/workload-node";
import { startRuntime } from "../../start-runtime";
import type { Runtime } from "../runtime";

const rootDir = path.resolve(import.meta.dirname, "../../../..");
const layers = [await shellLayer(), await programLayer(["perl"])];
const hasIp = process.getuid?.() === 0 && ["/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip"].some((file) => existsSync(file));
const missing =
  missingForWorkloads() ??
  (hasIp ? layers.find((layer) => typeof layer === "string") : "private networks need the root user and iproute2");
const skipped = missing === undefined ? "" : ` (skipped: ${missing})`;

const SERVER = String.raw`
my $server;
socket($server, 2, 1, 0) && bind($server, pack("S n x12", 2, 8000)) && listen($server, 5) or die "port: $!";
while (accept(my $client, $server)) { syswrite($client, "served\n"); close $client }`;
const CLIENT = String.raw`
$SIG{ALRM} = sub { print "unreachable\n"; exit };
alarm 2;
my $server;
socket($server, 2, 1, 0) && connect($server, pack("S n C4 x8", 2, 8000, 10, 3, 0, 4)) or do { print "unreachable\n"; exit };
print <$server>;`;

describe.skipIf(missing !== undefined)(`private networks of the namespaces runtime${skipped}`, () => {
  it("stay while the process that made them is replaced, which passes nothing out until it is told", async () => {
    const dataDir = await mkdtemp(path.join(os.tmpdir(), "svc-networks-"));
    const registry = await startRegistryDouble();
    const { reference } = registry.add("networked", { layers: layers as { bytes: Buffer }[], config: SHELL_CONFIG });
    const open = async () => {
      const log = { info: () => undefined, warn: () => undefined };
      const settings = { rootDir, dataDir, policy: LOOPBACK, outboundNetwork: INTERNET, log };
      const started = startRuntime({ ...settings, kind: "namespaces" });
      const { runtime } = await started.choice();
      if (!runtime?.networks) throw new Error("The runtime has no private networks.");
      return { runtime, networks: runtime.networks, stop: () => started.stop() };
    };
    const start = (runtime: Runtime, id: string, { network, address }: { network: string; address: string }) =>
      runtime.ensure({
        id,
        image: { reference },
        command: ["/bin/sh", "-c", 'exec perl -e "$SERVER"'],
        env: { SERVER },
        network: "http",
        privateNetwork: { id: network, address, prefixLength: 24 },
      });
    const run = async (runtime: Runtime, id: string, command: readonly string[]) =>
      text((await runtime.exec(id, ["perl", "-e", ...command])).stdout);
    const outside = (runtime: Runtime) => run(runtime, "b", [PERL_CLIENT, "GET", `http://${INTERNET_NAME}/`]);
    const first = await open();
    await start(first.runtime, "a", { network: "one", address: "10.3.0.4" });
    await start(first.runtime, "b", { network: "one", address: "10.3.0.5" });
    await start(first.runtime, "c", { network: "two", address: "10.3.0.5" });
    await waitFor(async () => expect(await run(first.runtime, "b", [CLIENT])).toBe("served\n"));
    await first.networks.apply([{ id: "one", hasEgress: true, hosts: "10.3.0.4 a\n" }]);
    expect(await outside(first.runtime)).toContain(" 200 ");
    await first.stop();
    const second = await open();
    expect(await run(second.runtime, "b", [CLIENT])).toBe("served\n");
    expect(await run(second.runtime, "c", [CLIENT])).toBe("unreachable\n");
    expect(await outside(second.runtime)).toContain(" 403 ");
    await second.networks.apply([{ id: "one", hasEgress: true, hosts: "10.3.0.4 a\n" }]);
    expect(await outside(second.runtime)).toContain(" 200 ");
    // What a node that was started again has left of a network.
    const [kept, left] = ["one", "left"].map((name) => path.join(dataDir, "runtime/networks", name)) as [
      string,
      string,
    ];
    await writeFile(left, "");
    expect(await second.networks.unused()).toEqual(["left"]);
    for (const id of ["left", "one", "unknown", "../networks/one"]) await second.networks.remove(id);
    expect([existsSync(kept), existsSync(left), await second.networks.unused()]).toEqual([true, false, []]);
    expect(await run(second.runtime, "b", [CLIENT])).toBe("served\n");
    for (const id of ["a", "b", "c"]) await second.runtime.remove(id);
    expect(existsSync(kept)).toBe(false);
    await second.stop();
    await registry.stop();
    await rm(dataDir, { recursive: true });
  });
});
