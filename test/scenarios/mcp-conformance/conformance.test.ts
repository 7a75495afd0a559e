import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import http from "node:http";
import type { AddressInfo } from "node:net";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { freePort } from "../../factories/free-port";
import { madeOnce } from "../../factories/made-once";
import { bundleProgram } from "../../factories/test-program";
import { makePlace, type Place, type ServerProcess, startProcess } from "../crash/server-process";

/** A folder with the packages `node` (22) and `@modelcontextprotocol/conformance`. */
const SUITE = process.env.MCP_CONFORMANCE_DIR;
const skipped = SUITE ? "" : " (skipped: MCP_CONFORMANCE_DIR names no folder with the suite)";
const SUITE_MS = 240_000;
/**
 * Scenarios of what svc does not offer and does not declare: subscriptions in revisions that need a session for them,
 * requests to the client in the middle of a call or a task, and headers that a tool's schema asks for.
 */
const NOT_OFFERED =
  /^(resources-(un)?subscribe|tools-call-(sampling|elicitation)|elicitation-|input-required-|tasks-mrtr-|http-custom-header-|json-schema-2020-12)/;
/** The same within a scenario: tools that need something of the client, one that has to be listed, and a task that asks. */
const NOT_OFFERED_CHECKS = new Set([
  "sep-2575-server-rejects-undeclared-capability",
  "sep-2575-missing-capability-http-400",
  "sep-2575-http-server-no-independent-requests-on-stream",
  "sep-2575-server-no-log-without-loglevel",
  "tasks-result-type-complete-on-non-task-responses",
]);

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

let place: Place;
let server: ServerProcess;
let proxy: http.Server;
beforeAll(async () => {
  if (!SUITE) return;
  const prepared = await makePlace();
  const program = path.join(await madeOnce("mcp-fixture-server", bundle), "server.mjs");
  // The suite looks for a server that refuses other hosts, through a proxy that adds the key.
  const proxyPort = await freePort();
  place = { ...prepared, program, env: { SVC_ALLOWED_HOSTS: `localhost:${proxyPort}` } };
  server = await startProcess(place);
  proxy = await startProxy(proxyPort);
}, 300_000);
afterAll(async () => {
  proxy?.closeAllConnections();
  proxy?.close();
  await server?.stop();
  place?.remove();
});

async function bundle(dir: string): Promise<void> {
  await bundleProgram(path.join(import.meta.dirname, "fixture-server.ts"), path.join(dir, "server.mjs"));
}

/** The suite sends no key. Host and Origin stay as they are. */
async function startProxy(port: number): Promise<http.Server> {
  const { port: upstreamPort } = new URL(server.url);
  const made = http.createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${server.keys.live}` };
    const { method, url: at } = incoming;
    const upstream = http.request({ host: "127.0.0.1", port: upstreamPort, path: at, method, headers }, (response) => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers);
      response.pipe(outgoing);
    });
    upstream.on("error", () => outgoing.destroy());
    outgoing.on("close", () => upstream.destroy());
    incoming.pipe(upstream);
  });
  made.listen(port, "127.0.0.1");
  await once(made, "listening");
  return made;
}

/** The checks of each scenario. */
async function run(requirements: string): Promise<Map<string, Check[]>> {
  const out = await mkdtemp(path.join(os.tmpdir(), "svc-conformance-"));
  const packages = path.join(SUITE ?? "", "node_modules");
  const suite = path.join(packages, "@modelcontextprotocol/conformance/dist/index.js");
  const url = `http://localhost:${(proxy.address() as AddressInfo).port}/v1/mcp`;
  const args = [suite, "server", "--url", url, "--requirements", requirements, "-o", out];
  try {
    // It exits with 1, because of what is not offered.
    await promisify(execFile)(path.join(packages, "node/bin/node"), args, { timeout: SUITE_MS }).catch(() => undefined);
    const scenarios = new Map<string, Check[]>();
    for (const folder of await readdir(out)) {
      const name = folder.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "");
      scenarios.set(name, JSON.parse(await readFile(path.join(out, folder, "checks.json"), "utf8")) as Check[]);
    }
    return scenarios;
  } finally {
    await rm(out, { recursive: true, force: true });
  }
}

describe.skipIf(!SUITE)(`the official conformance suite${skipped}`, () => {
  it.each([
    ["2025-11-25", 18],
    ["2026-07-28", 26],
  ])(
    "has no failing check of what svc offers in the revision %s",
    async (revision, scenariosMin) => {
      const scenarios = await run(revision);
      const offered = [...scenarios].filter(([name]) => !NOT_OFFERED.test(name));
      const failed = offered.flatMap(([name, checks]) =>
        checks
          .filter(({ id, status }) => status === "FAILURE" && !NOT_OFFERED_CHECKS.has(id))
          .map(({ id, errorMessage }) => [name, id, errorMessage]),
      );
      expect(failed).toEqual([]);
      // A scenario without a check passes, whatever the server does.
      const checked = offered.filter(([, checks]) => checks.some(({ status }) => status === "SUCCESS"));
      expect(checked.length).toBeGreaterThanOrEqual(scenariosMin);
      const passed = offered.flatMap(([, checks]) => checks).filter(({ status }) => status === "SUCCESS");
      process.stdout.write(`${revision}: ${passed.length} checks of ${checked.length} scenarios passed\n`);
    },
    SUITE_MS,
  );
});
