import { serveFiles } from "./file-server";
import { run as runOffers } from "./offers";
import { serveBare, serveSvc } from "./serve";

/** What `npm run bench -- <name>` can measure; each prints a table with its peer from the same run. */
const BENCHES: Record<string, () => Promise<{ run: (print: (line: string) => void) => Promise<void> }>> = {
  offers: async () => ({ run: runOffers }),
  platform: () => import("./platform"),
  mcp: () => import("./mcp"),
  "chat-ledger": () => import("./chat-ledger"),
  wal: () => import("./wal"),
  queues: () => import("./queues"),
  "queue-http": () => import("./queue-http"),
  "object-list": () => import("./object-list"),
  counters: () => import("./counters"),
  gateway: () => import("./gateway"),
  exactness: () => import("./exactness"),
  relevance: () => import("./relevance"),
  "catalog-memory": () => import("./catalog-memory"),
  matching: () => import("./matching"),
  reports: () => import("./reports"),
  widget: () => import("./widget"),
  webhooks: () => import("./webhooks"),
  storage: () => import("./storage"),
  scheduler: () => import("./scheduler"),
  pods: () => import("./pods"),
  sandboxes: () => import("./sandboxes"),
  functions: () => import("./functions"),
  edge: () => import("./edge"),
  shield: () => import("./shield"),
  resources: () => import("./resources"),
  rest: () => import("./rest"),
  due: () => import("./due"),
  noisy: () => import("./noisy"),
  tensorizer: () => import("./tensorizer"),
};

const print = (line: string) => process.stdout.write(`${line}\n`);

const [name = "", ...rest] = process.argv.slice(2).filter((word) => word !== "bench");
if (name === "serve-svc") await serveSvc(Number(rest[0]));
else if (name === "serve-bare") serveBare();
else if (name === "serve-mcp-peer") (await import("./mcp-peer")).serveMcpPeer();
else if (name === "serve-files") await serveFiles(rest[0] ?? "");
else if (name === "serve-hostile") await (await import("./noisy-hostile")).serveHostile();
else if (name === "serve-chat") (await import("./gateway")).serveChat();
else {
  const chosen = name === "" ? Object.keys(BENCHES) : [name];
  for (const one of chosen) {
    const load = BENCHES[one];
    if (!load) {
      print(`There is no bench "${one}"; one of ${Object.keys(BENCHES).join(", ")}.`);
      process.exit(2);
    }
    print(`\n## ${one}\n`);
    await (await load()).run(print);
  }
  process.exit(0);
}
