import { run as runOffers } from "./offers";
import { serveBare, serveSvc } from "./serve";

/** What `npm run bench -- <name>` can measure; each prints a table with its peer from the same run. */
const BENCHES: Record<string, () => Promise<{ run: (print: (line: string) => void) => Promise<void> }>> = {
  offers: async () => ({ run: runOffers }),
  platform: () => import("./platform"),
  wal: () => import("./wal"),
  counters: () => import("./counters"),
  exactness: () => import("./exactness"),
  relevance: () => import("./relevance"),
  pacing: () => import("./pacing"),
  silence: () => import("./silence"),
  "general-words": () => import("./general-words"),
  "fit-model": () => import("./fit-model"),
  "catalog-memory": () => import("./catalog-memory"),
  matching: () => import("./matching"),
  reports: () => import("./reports"),
  widget: () => import("./widget"),
};

const print = (line: string) => process.stdout.write(`${line}\n`);

const [name = "", ...rest] = process.argv.slice(2).filter((word) => word !== "bench");
if (name === "serve-svc") await serveSvc(Number(rest[0]));
else if (name === "serve-bare") serveBare();
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
