import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import type { Demo } from "../../server/ads/demo/open-demo";
import { DEPTH } from "./engine";
import type { CatalogItem } from "./judged-folder";
import { freePort, rowsOf, type Served, start } from "./processes";

const CAMPAIGN = { model: "cpc", bid_micros: 500_000 };
const LOOK_EVERY_MS = 200;

/** What the whole of svc answers: product ids by query, best first, and how long the import took until it served. */
export interface ApiAnswers {
  ids: Map<string, string[]>;
  importMs: number;
  servedMs: number;
}

/**
 * Imports the items through the feed endpoint of a fresh svc and asks every query with `POST /api/v1/offers`.
 * The channel shows no advertiser of the demo.
 */
export async function askThroughApi(items: readonly CatalogItem[], queries: readonly string[]): Promise<ApiAnswers> {
  const dir = await mkdtemp(path.join(os.tmpdir(), "svc-relevance-"));
  const env = { PORT: String(await freePort()), SVC_DATA_DIR: dir, LOG_LEVEL: "error", SVC_DEMO: "on" };
  const served = await start(["serve-svc", "0"], env);
  try {
    const shop = new Shop(served);
    const campaign = await shop.open();
    const before = await shop.size();
    const startedAt = performance.now();
    const total = before + (await shop.feed(campaign, items));
    const importMs = performance.now() - startedAt;
    await shop.indexed(total);
    const servedMs = performance.now() - startedAt;
    const ids = new Map<string, string[]>();
    for (const query of queries) ids.set(query, await shop.ask(query));
    return { ids, importMs, servedMs };
  } finally {
    served.child.kill("SIGTERM");
    await new Promise((resolve) => served.child.once("exit", resolve));
    await rm(dir, { recursive: true, force: true });
  }
}

class Shop {
  readonly #served: Served;
  readonly #url: string;
  readonly #headers: Record<string, string>;
  #channelKey = "";

  constructor(served: Served) {
    this.#served = served;
    this.#url = `http://127.0.0.1:${served.hello.port}`;
    const { live_key } = (served.hello.demo as Demo).api;
    this.#headers = { authorization: `Bearer ${live_key}`, "content-type": "application/json" };
  }

  /** Makes a channel that shows nobody else, and answers an empty campaign. */
  async open(): Promise<string> {
    const { data: others } = await this.#call<{ data: { id: string }[] }>("/v1/ads/advertisers?limit=1000");
    const blocked_advertisers = others.map(({ id }) => id);
    const channel = await this.#call<{ id: string }>("/v1/ads/channels", { name: "Bench", blocked_advertisers });
    this.#channelKey = (
      await this.#call<{ key: string }>(`/v1/ads/channels/${channel.id}/keys`, { kind: "server" })
    ).key;
    const advertiser = await this.#call<{ id: string }>("/v1/ads/advertisers", { name: "Catalogue" });
    const campaign = { name: "Catalogue", advertiser_id: advertiser.id, ...CAMPAIGN };
    return (await this.#call<{ id: string }>("/v1/ads/campaigns", campaign)).id;
  }

  /** Answers how many products the feed brought. */
  async feed(campaign: string, items: readonly CatalogItem[]): Promise<number> {
    const answer = await fetch(`${this.#url}/v1/ads/campaigns/${campaign}/products`, {
      method: "POST",
      headers: { ...this.#headers, "content-type": "application/x-ndjson" },
      body: items.map((item) => JSON.stringify(feedLineOf(item))).join("\n"),
    });
    const result = (await answer.json()) as { accepted?: number };
    if (!answer.ok || !result.accepted)
      throw new Error(`the feed was refused: ${JSON.stringify(result).slice(0, 500)}`);
    return result.accepted;
  }

  /** Resolves when the catalog serves `total` items. */
  async indexed(total: number): Promise<void> {
    for (;;) {
      if ((await this.size()) >= total) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }

  async size(): Promise<number> {
    const [catalog] = await rowsOf(this.#served, "catalog");
    return Number(catalog?.size);
  }

  async ask(query: string): Promise<string[]> {
    const answer = await fetch(`${this.#url}/api/v1/offers`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-svc-api-key": this.#channelKey },
      body: JSON.stringify({ query, limit: DEPTH }),
    });
    const { offers } = (await answer.json()) as { offers: { id: string }[] };
    const list = offers.map(({ id }) => `'${id}'`).join(", ") || "NULL";
    const rows = await rowsOf(
      this.#served,
      "postgres",
      `SELECT id::text, landing_url FROM offers WHERE id IN (${list})`,
    );
    const links = new Map(rows.map(({ id, landing_url }) => [id, String(landing_url)]));
    return offers.map(({ id }) => decodeURIComponent(path.basename(links.get(id) ?? "")));
  }

  async #call<T>(at: string, body?: object): Promise<T> {
    const post = body && { method: "POST", body: JSON.stringify(body) };
    const answer = await fetch(this.#url + at, { headers: this.#headers, ...post });
    if (!answer.ok) throw new Error(`${at} answered ${answer.status}: ${await answer.text()}`);
    return (await answer.json()) as T;
  }
}

/** An item as a line of a feed; its page names its id, because offers do not. */
const feedLineOf = ({ id, title, description, brand, category, details }: CatalogItem) => ({
  id,
  title,
  link: `https://shop.example/p/${encodeURIComponent(id)}`,
  ...(description && { description }),
  ...(brand && { brand }),
  ...(category && { product_type: category }),
  product_detail: details,
});
