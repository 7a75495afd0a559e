import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { ServingState } from "../../server/ads/matching/serving-state";
import type { ServingCampaign } from "../../server/ads/serving/serving";

const ITEMS = 20_000;
const CAMPAIGN: ServingCampaign = {
  id: "cmp_1",
  tenantId: "ten_1",
  advertiserId: "adv_1",
  mode: "live",
  name: "C",
  model: "cpc",
  bidMicros: 1n,
  bidNumber: 1,
  timezone: "UTC",
  pacing: "asap",
  reach: "tenant",
  status: "active",
  caps: [],
  targeting: { geos: [], devices: [], locales: [], placements: [], categories: [], channels: [] },
  keywords: [],
  attribution: {},
  createdAtMs: 0,
  spentTodayNanos: 0n,
  spentTotalNanos: 0n,
  budgetSpent: false,
  passRate: 1,
};

const letters = "abcdefghijklmnopqrstuvwxyz";
/** The word of a number, of eight letters at most. */
function wordOf(n: number): string {
  let word = "";
  for (let rest = n * 7919 + 17; rest > 0; rest = Math.floor(rest / 26)) word += letters[rest % 26];
  return word;
}
/** Few words are frequent and most are rare, as in any language. */
const usual = () => wordOf(Math.floor(30_000 ** Math.random()));
let fresh = 1_000_000;
const unheard = () => wordOf(fresh++);
const text = (count: number, word: () => string) => Array.from({ length: count }, word).join(" ");

interface Shape {
  title: string;
  content: string;
  details: number;
}

const SHAPES: Readonly<Record<string, (word: () => string) => Shape>> = {
  "title alone": (word) => ({ title: text(6, word), content: "", details: 0 }),
  "usual product": (word) => ({ title: text(9, word), content: text(60, word), details: 8 }),
  "longest product": (word) => ({ title: text(60, word), content: text(2500, word), details: 100 }),
};

function collector(): () => void {
  setFlagsFromString("--expose-gc");
  return runInNewContext("gc") as () => void;
}

const kib = (bytes: number) => (bytes / 1024).toFixed(2).padStart(9);

/** How much memory items take, beside what the catalog counts for them: the ratio is never far above 1. */
export async function run(print: (line: string) => void): Promise<void> {
  const collect = collector();
  const measure = () => {
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  };
  print("KiB an item                        items  measured   counted    ratio");
  for (const [shape, make] of Object.entries(SHAPES)) {
    for (const [words, word] of [
      ["usual words", usual],
      ["words of its own", unheard],
    ] as const) {
      const items = shape === "longest product" ? ITEMS / 40 : ITEMS;
      const before = measure();
      const state = filled(items, () => make(word), word);
      const [measured, counted] = [(measure() - before) / items, state.bytes / items];
      const ratio = (measured / counted).toFixed(2).padStart(8);
      print(`${`${shape}, ${words}`.padEnd(34)}${String(items).padStart(6)}${kib(measured)} ${kib(counted)} ${ratio}`);
    }
  }
}

function filled(items: number, make: () => Shape, word: () => string): ServingState {
  const state = new ServingState();
  state.putCampaign(CAMPAIGN);
  for (let i = 0; i < items; i++) {
    const { title, content, details } = make();
    state.putItem(
      {
        kind: "product",
        id: `prd_${String(i).padStart(26, "0")}`,
        campaignId: "cmp_1",
        title,
        content,
        landingUrl: `https://shop.example/products/${i}/${title.replaceAll(" ", "-")}`,
        inStock: true,
        price: { amount: 9.5, currency: "EUR" },
        brandName: "Acme",
        gtin: `${1e12 + i}`,
        category: "Home>Lamps",
      },
      Array.from({ length: details }, (_, n) => ({ name: `attribute ${n}`, value: word() })),
    );
  }
  return state;
}
