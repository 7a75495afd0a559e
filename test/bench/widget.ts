import { readFileSync } from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { startOffersStub } from "../e2e/offers-stub";
import { launchBrowser } from "../factories/browser";
import { bootstrap } from "./bootstrap";
import { offerOf, startSite, type Variant } from "./widget-page";

const ROUNDS = 15;
const FEWER_ROUNDS = 5;
const SLOWER = 4;
const SIZE_MAX_BYTES = 5 * 1024;
/** EthicalAds' client 2.3.0, minified: what others measured, not downloaded here. */
const PEER_BYTES = 10_074;
/** Past the second after which an offer counts as seen. */
const SETTLED_MS = 1_500;

/**
 * What the widget costs a page: its size, its requests, its tasks on a slow CPU, what it moves, and how it changes the
 * largest contentful paint of the same page without it. Real Chromium, the built widget; a stand-in for svc answers at
 * once, so that the page's side alone is measured. Only paint times depend on what else the machine does.
 */
export async function run(print: (line: string) => void): Promise<void> {
  const script = readFileSync(path.resolve(".build/widget.js"));
  printSize(script, print);
  const [stub, browser] = await Promise.all([startOffersStub(script), launchBrowser()]);
  stub.answer = ({ limit }) => ({
    body: { offers: Array.from({ length: Number(limit) }, (_, n) => offerOf(stub, n)) },
  });
  const site = await startSite(stub.origin);
  const see = async (rounds: number, slower: number): Promise<Rounds> => {
    const seen: Rounds = { without: [], with: [] };
    for (let n = 0; n < rounds; n++)
      for (const variant of inTurn(n)) seen[variant].push(await visit(browser, site.address(variant), slower));
    return seen;
  };
  try {
    const unreserved = await see(FEWER_ROUNDS, SLOWER);
    site.reserve(Math.max(...unreserved.with.map(({ heightPx }) => heightPx)));
    printRounds(await see(ROUNDS, 1), print);
    printSlow(await see(FEWER_ROUNDS, SLOWER), unreserved, print);
    const traces: Traces = { without: [], with: [], number: [] };
    for (let n = 0; n < FEWER_ROUNDS; n++)
      for (const variant of [...inTurn(n), "number" as const])
        traces[variant].push(await traced(browser, site.address(variant)));
    printTasks(traces, print);
  } finally {
    await browser.close();
    await Promise.all([site.close(), stub.close()]);
  }
}

type Rounds = Record<"without" | "with", Seen[]>;
const inTurn = (n: number): (keyof Rounds)[] => (n % 2 === 0 ? ["without", "with"] : ["with", "without"]);

function printSize(script: Buffer, print: (line: string) => void): void {
  const bytes = gzipSync(script, { level: 9 }).length;
  const share = (bytes / PEER_BYTES).toFixed(2);
  print(
    `size, gzip: ${bytes} B (at most ${SIZE_MAX_BYTES}); EthicalAds' client ${PEER_BYTES} B as cited; ratio ${share}`,
  );
}

/** What a visit saw. */
interface Seen {
  lcpMs: number;
  shift: number;
  longTasksMs: number[];
  /** From the start of the visit until offers stood; 0 without the widget. */
  offersMs: number;
  /** Of the slot. */
  heightPx: number;
  /** What went to svc until an offer was reported as seen. */
  requests: string[];
}

/** One cold visit on a CPU that is so many times slower. Nothing of the browser's remote control runs in the page until it is over. */
async function visit(browser: Browser, address: string, slower: number): Promise<Seen> {
  return withPage(browser, async (page) => {
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
    const requests: string[] = [];
    const { host } = new URL(address);
    session.on("Network.requestWillBeSent", ({ request }) => {
      const { host: asked, pathname } = new URL(request.url, address);
      if (asked === host || pathname.includes("impressions")) return;
      requests.push(`${request.method === "OPTIONS" ? "preflight" : request.method} ${pathname}`);
    });
    await session.send("Network.enable");
    await page.goto(address);
    await page.waitForTimeout(SETTLED_MS);
    // A slot without a reserved height still grows.
    await page.waitForFunction(
      "!document.querySelector('[data-svc-offers]').shadowRoot?.querySelector('ul').style.maxHeight",
    );
    const seen = await page.evaluate<Omit<Seen, "requests" | "heightPx">>("seen");
    const heightPx = await page.evaluate<number>("document.querySelector('[data-svc-offers]').offsetHeight");
    return { ...seen, heightPx, requests: requests.sort() };
  });
}

/** Milliseconds of the main thread's CPU time, which other work on the machine hardly changes. */
interface Tasks {
  longestMs: number;
  /** Of the widget's own code, without the layout and paint that follow; 0 where there is none. */
  longestCodeMs: number;
}

async function traced(browser: Browser, address: string): Promise<Tasks> {
  return withPage(browser, async (page) => {
    await browser.startTracing(page, { categories: ["devtools.timeline", "disabled-by-default-devtools.timeline"] });
    await page.goto(address);
    await page.waitForTimeout(SETTLED_MS);
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
    const start = traceEvents.find(({ name, args }) => name === "CommitLoad" && args.data?.url === address);
    if (!start) throw new Error("The trace does not hold the page's start.");
    const ofPage = traceEvents.filter(({ pid, tid, ts }) => pid === start.pid && tid === start.tid && ts > start.ts);
    const remote = ofPage.filter(({ name }) => name === "v8.evaluateModule");
    const tasks = ofPage.filter((task) => task.name.endsWith("RunTask") && !remote.some(within(task)));
    const code = ofPage.filter(({ args }) => args.data?.url?.endsWith("/widget.js"));
    const longest = (events: TraceEvent[]): number => Math.max(0, ...events.map(({ tdur = 0 }) => tdur)) / 1000;
    return { longestMs: longest(tasks), longestCodeMs: longest(code) };
  });
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds: begin and length by the clock, length by the thread's CPU time. */
  ts: number;
  dur?: number;
  tdur?: number;
  args: { data?: { url?: string } };
}

const within =
  (task: TraceEvent) =>
  ({ pid, tid, ts }: TraceEvent): boolean =>
    pid === task.pid && tid === task.tid && ts >= task.ts && ts < task.ts + (task.dur ?? 0);

async function withPage<T>(browser: Browser, use: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 1000, height: 900 } });
  try {
    return await use(await context.newPage());
  } finally {
    await context.close();
  }
}

function printRounds(rounds: Rounds, print: (line: string) => void): void {
  const [first] = rounds.with;
  const same = rounds.with.filter(({ requests }) => requests.join() === first?.requests.join()).length;
  print(`requests to svc for the first offers: ${first?.requests.join(", ")} (in ${same} of ${ROUNDS} visits)\n`);
  print(`${ROUNDS} cold visits each, in turn; medians`);
  print(`${"".padEnd(34)} without      with     ratio`);
  row("largest contentful paint, ms", medians(rounds, lcpOf), print);
  const later = bootstrap(rounds.with.map((seen, n) => lcpOf(seen) - (rounds.without[n]?.lcpMs ?? 0)));
  const [mean, low, high] = [later.mean, later.low, later.high].map(Math.round);
  print(`  later by ${mean} on average, pair by pair; 95 % between ${low} and ${high}`);
  row(
    "offers stand after, ms",
    medians(rounds, ({ offersMs }) => offersMs),
    print,
  );
}

function printSlow(rounds: Rounds, unreserved: Rounds, print: (line: string) => void): void {
  print(`\n${FEWER_ROUNDS} cold visits each, in turn, CPU ${SLOWER}x slower`);
  row("largest contentful paint, ms", medians(rounds, lcpOf), print);
  row(
    "tasks over 50 ms, median",
    medians(rounds, ({ longTasksMs }) => longTasksMs.length),
    print,
  );
  const worst = ({ without, with: together }: Rounds): Pair =>
    [without, together].map((visits) => Math.max(...visits.map(({ shift }) => shift))) as unknown as Pair;
  row("layout shift, worst visit", worst(rounds), print);
  row("  where no height is reserved", worst(unreserved), print);
}

function printTasks(traces: Traces, print: (line: string) => void): void {
  print(`\nms of CPU time, times ${SLOWER}; ${FEWER_ROUNDS} traced visits each, in turn; medians`);
  const of = (variant: Variant, pick: (tasks: Tasks) => number): number => SLOWER * median(traces[variant].map(pick));
  const longest = ({ longestMs }: Tasks): number => longestMs;
  row("longest task of the page", [of("without", longest), of("with", longest)], print);
  const number = of("number", longest).toFixed(1);
  print(`  without the widget, but with the first use of Intl.NumberFormat: ${number}`);
  row("longest run of the widget's code", [0, of("with", ({ longestCodeMs }) => longestCodeMs)], print);
}

type Traces = Record<Variant, Tasks[]>;
type Pair = [without: number, together: number];

const lcpOf = ({ lcpMs }: Seen): number => lcpMs;

const medians = ({ without, with: together }: Rounds, figure: (seen: Seen) => number): Pair => [
  median(without.map(figure)),
  median(together.map(figure)),
];

function row(name: string, [without, together]: Pair, print: (line: string) => void): void {
  const ratio = without > 0 ? (together / without).toFixed(3) : "";
  const cells = [without, together].map((value) => String(Math.round(value * 1e4) / 1e4).slice(0, 7));
  print(`${name.padEnd(32)} ${[...cells, ratio].map((cell) => cell.padStart(9)).join(" ")}`);
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
