import os from "node:os";
import type { Demo } from "../../server/ads/demo/open-demo";
import { type Load, load, type Outcome } from "./load";
import { withSvc } from "./platform";
import { start } from "./processes";

const CONNECTIONS = 16;
const SECONDS = 6;
const REVISION = "2026-07-28";
const META = {
  "io.modelcontextprotocol/protocolVersion": REVISION,
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  "io.modelcontextprotocol/clientCapabilities": {},
};
/** A tool with one query of Postgres. */
const CHEAP_TOOL = "svc_secrets_list";

type Print = (line: string) => void;

/** The endpoint for agents beside the SDK's `McpServer`, which registers the same tools for each request, in the same run. */
export async function run(print: Print): Promise<void> {
  print(
    `${CONNECTIONS} connections, ${SECONDS} s a row, protocol ${REVISION}, ${os.cpus().length} cores shared by server, engines and generator (autocannon)\n`,
  );
  print("| what | requests/s | p50 ms | p99 ms | failures |");
  print("|---|---|---|---|---|");
  const peer = await start(["serve-mcp-peer"], {});
  const peerUrl = `http://127.0.0.1:${peer.hello.port}`;
  const stock = await both(peerUrl, "", (what, outcome) => print(row(`McpServer, ${what}`, outcome)));
  peer.child.kill("SIGKILL");
  await withSvc(async (svc, demo: Demo) => {
    const rest = await load({
      url: `${svc.url}/v1/secrets`,
      connections: CONNECTIONS,
      seconds: SECONDS,
      method: "GET",
      headers: { authorization: `Bearer ${demo.api.test_key}` },
    });
    print(row("svc, the same operation by REST", rest));
    const ours = await both(`${svc.url}/v1/mcp`, demo.api.test_key, (what, outcome) =>
      print(row(`svc, ${what}`, outcome)),
    );
    const ratio = (at: 0 | 1) => (ours[at].perSecond / stock[at].perSecond).toFixed(1);
    print(`\nsvc answers ${ratio(0)} times as many tools/list and ${ratio(1)} times as many tools/call.`);
  });
}

async function both(
  url: string,
  key: string,
  onRow: (what: string, outcome: Outcome) => void,
): Promise<[Outcome, Outcome]> {
  const outcomes: Outcome[] = [];
  for (const [method, params] of [
    ["tools/list", {}],
    ["tools/call", { name: CHEAP_TOOL, arguments: {} }],
  ] as const) {
    const asked: Load = {
      url,
      connections: CONNECTIONS,
      seconds: 2,
      headers: {
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        authorization: `Bearer ${key}`,
        "mcp-protocol-version": REVISION,
        "mcp-method": method,
        ...("name" in params && { "mcp-name": params.name }),
      },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: META } }),
    };
    await load(asked);
    const outcome = await load({ ...asked, seconds: SECONDS });
    onRow(method, outcome);
    outcomes.push(outcome);
  }
  return outcomes as [Outcome, Outcome];
}

const row = (what: string, { perSecond, p50Ms, p99Ms, failures }: Outcome): string =>
  `| ${what} | ${Math.round(perSecond)} | ${p50Ms} | ${p99Ms} | ${failures} |`;
