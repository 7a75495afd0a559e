import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { expect } from "vitest";
import { buildWidget } from "../../widget/build-widget.mjs";
import { type WidgetVersion, widgetVersion } from "../../widget/widget-version.mjs";
import { sharedBrowser } from "../factories/browser";
import { waitFor } from "../factories/wait-for";
import { type OffersStub, type Site, startOffersStub, startSite } from "./offers-stub";

/** A browser key of the right shape. */
export const KEY = `svc_pub_${"a".repeat(48)}`;

export const SLOT = '<div data-svc-offers data-query="trail shoes"></div>';

/** A slot for several offers. */
export const slotOf = (limit: number): string =>
  `<div data-svc-offers data-query="trail shoes" data-limit="${limit}"></div>`;

export const offerId = (n: number): string => `0199f000-0000-7000-8000-${String(n).padStart(12, "0")}`;

/** The first of what must not be empty. */
export function first<T>(list: T[]): T {
  const [value] = list;
  if (value === undefined) throw new Error("expected at least one");
  return value;
}

export type WidgetEvent = [name: string, detail: Record<string, unknown>];

export interface WidgetLab {
  /** The immutable name of the built script, and its integrity. */
  version: WidgetVersion;
  visit(): Promise<Visit>;
}

/** The built widget in the browser of this process, for a whole test file. */
export async function openWidgetLab(): Promise<WidgetLab> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "svc-widget-"));
  const rootDir = path.resolve(import.meta.dirname, "../..");
  const { outFile } = await buildWidget({ rootDir, outFile: path.join(folder, "widget.js") });
  const widget = fs.readFileSync(outFile);
  fs.rmSync(folder, { recursive: true });
  const browser = await sharedBrowser({ keepsPages: true });
  return {
    version: widgetVersion(widget),
    visit: async () => {
      const [stub, site] = await Promise.all([startOffersStub(widget), startSite()]);
      // Slots take their height at once, as for readers who want no motion; the tests of the growth ask for it.
      const context = await browser.newContext({
        viewport: { width: 1000, height: 800 },
        locale: "en-US",
        reducedMotion: "reduce",
      });
      return Visit.begin({ stub, site, context, page: await context.newPage() });
    },
  };
}

interface Parts {
  stub: OffersStub;
  site: Site;
  context: BrowserContext;
  page: Page;
}

interface OpenOptions {
  tag?: string;
  headers?: Record<string, string>;
  /** What the page's head holds. */
  head?: string;
  /** Attributes of the html element. */
  root?: string;
  /** Added to the page's address. */
  search?: string;
  /** The address that the reader comes from. */
  referer?: string;
}

/** One reader on one publisher page, with an API of its own. */
export class Visit {
  readonly stub: OffersStub;
  readonly site: Site;
  readonly context: BrowserContext;
  readonly page: Page;
  /** Console lines and uncaught errors of the page. */
  readonly consoleLines: string[] = [];

  private constructor({ stub, site, context, page }: Parts) {
    this.stub = stub;
    this.site = site;
    this.context = context;
    this.page = page;
  }

  static async begin(parts: Parts): Promise<Visit> {
    const visit = new Visit(parts);
    visit.answer([visit.offer(1)]);
    visit.page.on("console", (message) => visit.consoleLines.push(message.text()));
    visit.page.on("pageerror", (error) => visit.consoleLines.push(String(error)));
    await visit.page.addInitScript(() => {
      const events: unknown[] = [];
      Object.assign(window, { events });
      for (const name of ["rendered", "empty", "error", "impression", "click"]) {
        document.addEventListener(`svc:${name}`, (event) => events.push([name, (event as CustomEvent).detail]));
      }
      document.addEventListener("securitypolicyviolation", (event) => events.push(["csp", event.violatedDirective]));
    });
    return visit;
  }

  /** Lines that the widget or the page wrote; the browser's own notes on failed requests cannot be prevented. */
  get scriptLines(): string[] {
    return this.consoleLines.filter((line) => !line.startsWith("Failed to load resource"));
  }

  offer(n: number, fields: Record<string, unknown> = {}): Record<string, unknown> {
    return {
      id: offerId(n),
      title: `Trail shoe ${n}`,
      content: "Grips on wet rock and dries overnight.",
      cta: "Shop now",
      clickUrl: `${this.stub.origin}/api/v1/clicks/${offerId(n)}`,
      source: "svc",
      ad_type: "sponsored_result",
      brand: { name: "Fellpath" },
      ...fields,
    };
  }

  answer(offers: unknown[]): void {
    this.stub.answer = () => ({ body: { offers } });
  }

  answerWith(status: number, body: unknown): void {
    this.stub.answer = () => ({ status, body });
  }

  scriptTag(attributes = ""): string {
    return `<script async src="${this.stub.origin}/widget.js" data-key="${KEY}" ${attributes}></script>`;
  }

  async open(body: string, options: OpenOptions = {}): Promise<void> {
    const { tag = this.scriptTag(), headers = {}, head = "<title>Shoes</title>", root = 'lang="en-US"' } = options;
    const html = `<!doctype html><html ${root}><head>${head}</head><body>${body}${tag}</body></html>`;
    this.site.pages.set("/", { html, headers });
    const { referer } = options;
    await this.page.goto(`${this.site.origin}/${options.search ?? ""}`, referer ? { referer } : {});
  }

  /** What the n-th request for offers asked. */
  asked(n: number): Record<string, unknown> {
    return JSON.parse(this.stub.offersRequests[n]?.body ?? "{}");
  }

  /** Waits for so many requests, and a little longer whether more come. */
  async askedTimes(count: number): Promise<void> {
    await waitFor(() => expect(this.stub.offersRequests.length).toBeGreaterThanOrEqual(count));
    await this.observed();
    await this.roundTrips();
    expect(this.stub.offersRequests).toHaveLength(count);
  }

  /** From now on timers of the page move only by `page.clock.runFor`. */
  async freeze(): Promise<void> {
    // The clock runs until it is paused, and cannot be paused at a time that it has passed: hence the hour.
    await this.page.clock.install({ time: new Date("2026-11-20T09:00:00Z") });
    await this.page.clock.pauseAt(new Date("2026-11-20T10:00:01Z"));
  }

  /** Opens a page whose timers move only by `page.clock.runFor`, and waits until the offers stand and were measured. */
  async openFrozen(body: string, options: OpenOptions = {}): Promise<void> {
    await this.freeze();
    await this.open(body, options);
    await this.eventNamed("rendered");
    await this.observed();
  }

  events(): Promise<WidgetEvent[]> {
    return this.page.evaluate(() => (window as unknown as { events: WidgetEvent[] }).events);
  }

  async eventNamed(name: string): Promise<Record<string, unknown>> {
    return waitFor(async () => {
      const found = (await this.events()).find(([event]) => event === name);
      if (!found) throw new Error(`no svc:${name} yet`);
      return found[1];
    });
  }

  async impressions(): Promise<unknown[]> {
    return (await this.events()).filter(([name]) => name === "impression").map(([, detail]) => detail.id);
  }

  /** The ids of each batch that the API got. */
  batches(): string[][] {
    return this.stub.impressionBatches.map(({ body }) => JSON.parse(body).ids);
  }

  /** Waits until every observer that existed before has reported: a later one reports after them. */
  async observed(): Promise<void> {
    await this.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const observer = new IntersectionObserver(() => {
            observer.disconnect();
            resolve();
          });
          observer.observe(document.body);
        }),
    );
  }

  /** Version 2 of the observer tells of covers at most every 100 ms by the real clock, which nothing can be polled for. */
  async occlusionNoticed(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, 400));
    await this.observed();
  }

  /** Three trips to the API and back: what was sent before has arrived, what was answered before was handled. */
  async roundTrips(): Promise<void> {
    const address = `${this.stub.origin}/widget.js`;
    for (let trip = 0; trip < 3; trip++)
      await this.page.evaluate((url) => fetch(url, { mode: "no-cors" }).then(() => 0), address);
  }

  /** Headless pages never hide by themselves, so the two properties and the event are simulated. */
  async setHidden(hidden: boolean): Promise<void> {
    await this.page.evaluate((value) => {
      Object.defineProperty(document, "hidden", { value, configurable: true });
      Object.defineProperty(document, "visibilityState", { value: value ? "hidden" : "visible", configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  }

  async scrollTo(top: number): Promise<void> {
    await this.page.evaluate((y) => scrollTo({ top: y, behavior: "instant" }), top);
    await this.observed();
  }

  /** Scrolls so far that this share of the card stands above the lower edge of the viewport. */
  async showShare(share: number): Promise<void> {
    await this.page.locator("[data-svc-offers] li").evaluate((card, part) => {
      const { top, height } = card.getBoundingClientRect();
      scrollBy({ top: top + height * part - innerHeight, behavior: "instant" });
    }, share);
    await this.observed();
  }

  async close(): Promise<void> {
    await this.context.close();
    await Promise.all([this.stub.close(), this.site.close()]);
  }
}
