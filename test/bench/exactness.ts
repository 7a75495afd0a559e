import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Demo } from "../../server/ads/demo/open-demo";
import { BROWSER, freePort, rowsOf, type Served, start } from "./processes";
import type { Order } from "./serve";
import { titleOf } from "./titles";

const CREATIVES = 400;
const BATCH = 256;
const CLICKED = 2_000;
const REPEATS = 50;
const OFFERS_AT_ONCE = 32;
const EVENTS_AT_ONCE = 16;
/** As long as a person looks before they click. */
const LOOKS_FOR_MS = 600;
const JSON_TYPE = { "content-type": "application/json" };

/**
 * Every event many times over, through two deaths of the server (SIGKILL): how many were lost, how many were counted
 * twice, and whether the ledger and the reports say the same. SVC_BENCH_IMPRESSIONS sets the number of offers (100,000).
 */
export async function run(print: (line: string) => void): Promise<void> {
  const impressions = Number(process.env.SVC_BENCH_IMPRESSIONS ?? 100_000);
  const place = { dir: await mkdtemp(path.join(os.tmpdir(), "svc-exactness-")), port: await freePort() };
  const world = new World(place, await serve(place, CREATIVES));
  try {
    const ids = await world.mint(impressions);
    print(`${ids.length} offers served`);
    await new Promise((resolve) => setTimeout(resolve, LOOKS_FOR_MS));
    const batches = Array.from({ length: Math.ceil(ids.length / BATCH) }, (_, i) =>
      ids.slice(i * BATCH, (i + 1) * BATCH),
    );
    await world.repeatedly(batches, (batch) => world.report(batch));
    print(`each reported as seen ${REPEATS} times, in batches of ${BATCH}, over one kill -9`);
    const clicked = ids.slice(0, CLICKED);
    await world.repeatedly(clicked, (id) => world.click(id));
    print(`${clicked.length} of them clicked ${REPEATS} times, over one kill -9\n`);
    await world.caughtUp();
    print("| event | sent | distinct | counted | lost | doubled |");
    print("|---|---|---|---|---|---|");
    print(await world.row("impressions", ids));
    print(await world.row("clicks", clicked));
    print(`\n${await world.money()}`);
  } finally {
    world.served.child.kill("SIGTERM");
    await new Promise((resolve) => world.served.child.once("exit", resolve));
    await rm(place.dir, { recursive: true, force: true });
  }
}

interface Place {
  dir: string;
  port: number;
}

const serve = ({ dir, port }: Place, creatives: number): Promise<Served> =>
  start(["serve-svc", String(creatives)], {
    PORT: String(port),
    SVC_DATA_DIR: dir,
    LOG_LEVEL: "error",
    SVC_DEMO: "on",
  });

/** A svc that is killed and started again, and its callers, who send again what was never answered. */
class World {
  served: Served;
  readonly #place: Place;
  readonly #url: string;
  readonly #key: string;
  #back: Promise<unknown> = Promise.resolve();

  constructor(place: Place, served: Served) {
    this.#place = place;
    this.served = served;
    this.#url = `http://127.0.0.1:${place.port}`;
    this.#key = (served.hello.demo as Demo).channel.server_key;
  }

  async mint(count: number): Promise<string[]> {
    const ids: string[] = [];
    let n = 0;
    const headers = { ...JSON_TYPE, "x-svc-api-key": this.#key };
    await sideBySide(OFFERS_AT_ONCE, async () => {
      const body = JSON.stringify({ query: titleOf((n++ * 17) % CREATIVES), limit: 8 });
      // What is not answered, or refused for now, is asked again: its offers, if there are any, are nobody's.
      const answer = await fetch(`${this.#url}/api/v1/offers`, { method: "POST", headers, body }).catch(
        () => undefined,
      );
      if (answer?.ok) {
        const { offers } = (await answer.json()) as { offers: { id: string }[] };
        ids.push(...offers.map(({ id }) => id));
      }
      return ids.length < count;
    });
    return ids.slice(0, count);
  }

  report = async (ids: readonly string[]): Promise<boolean> => {
    const headers = { ...JSON_TYPE, ...BROWSER };
    const body = JSON.stringify({ ids });
    return (await fetch(`${this.#url}/api/v1/impressions/batch`, { method: "POST", headers, body })).status === 204;
  };

  click = async (id: string): Promise<boolean> => {
    const answer = await fetch(`${this.#url}/api/v1/clicks/${id}`, { headers: BROWSER, redirect: "manual" });
    return answer.status === 302;
  };

  /** Sends each of `items` REPEATS times, all of them in each round, and kills the server in the middle of the first. */
  async repeatedly<T>(items: readonly T[], send: (item: T) => Promise<boolean>): Promise<void> {
    let at = 0;
    await sideBySide(EVENTS_AT_ONCE, async () => {
      const item = items[at % items.length] as T;
      if (at++ === Math.floor(items.length / 2)) this.#restart();
      while (!(await send(item).catch(() => false))) await this.#back;
      return at < items.length * REPEATS;
    });
  }

  #restart(): void {
    const { child } = this.served;
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    this.#back = gone.then(async () => {
      this.served = await serve(this.#place, 0);
    });
  }

  ask(engine: Order["engine"], query = ""): Promise<Record<string, unknown>[]> {
    return rowsOf(this.served, engine, query);
  }

  /** Resolves when nothing waits in Postgres or the write-ahead file. */
  async caughtUp(): Promise<void> {
    for (;;) {
      const waiting = "SELECT (SELECT count(*) FROM outbox) + (SELECT count(*) FROM outbox_slices) AS waiting";
      const [postgres, wal] = await Promise.all([this.ask("postgres", waiting), this.ask("wal")]);
      if (Number(postgres[0]?.waiting) === 0 && wal[0]?.waiting === 0) return;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  }

  async row(table: "impressions" | "clicks", ids: readonly string[]): Promise<string> {
    const [counted] = await this.ask(
      "clickhouse",
      `SELECT toUInt32(count()) AS events, toUInt32(uniqExact(offer_id)) AS offers FROM ${table} WHERE traffic = ''`,
    );
    const { events = 0, offers = 0 } = counted as { events?: number; offers?: number };
    return `| ${table} | ${ids.length * REPEATS} | ${ids.length} | ${events} | ${ids.length - offers} | ${events - offers} |`;
  }

  async money(): Promise<string> {
    const charged = "SELECT toString(sum(charge_nanos)) AS nanos FROM clicks WHERE traffic = ''";
    const [events] = await this.ask("clickhouse", charged);
    const [sums] = await this.ask("clickhouse", "SELECT toString(sum(spend_nanos)) AS nanos FROM report_slots");
    const [spent] = await this.ask("postgres", "SELECT sum(nanos)::text AS nanos FROM campaign_spend");
    return `charged, in nanos: ${events?.nanos} by the clicks, ${sums?.nanos} by the reports, ${spent?.nanos} in the ledger`;
  }
}

/** Runs `one` from several callers until it answers false. */
const sideBySide = (callers: number, one: () => Promise<boolean>): Promise<unknown> =>
  Promise.all(
    Array.from({ length: callers }, async () => {
      while (await one());
    }),
  );
