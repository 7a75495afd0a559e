import http, { type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, expect, it } from "vitest";
import { TOO_FAST_MS } from "../../server/ads/limits";
import { findBrowser, sharedBrowser } from "../factories/browser";
import { inDatabase, ownDemo } from "../factories/shared-server";
import { waitFor } from "../factories/wait-for";

const [server, browser] = await Promise.all([ownDemo(), sharedBrowser({ keepsPages: true })]);

/** Rules that let the browser follow every link of the page in advance. */
const rulesOf = (action: "prefetch" | "prerender", eagerness: string): string =>
  `<script type="speculationrules">${JSON.stringify({
    [action]: [{ source: "document", where: { href_matches: "/*" }, eagerness }],
  })}</script>`;

/** How a page may carry the link. */
const LINK = (href: string): string => `<a id="offer" href="${href}">Shop now</a>`;
const SPONSORED = (href: string): string =>
  `<a id="offer" href="${href}" target="_blank" rel="sponsored noopener">Shop now</a>`;
const SHADOW = (href: string): string => `<div><template shadowrootmode="open">${SPONSORED(href)}</template></div>`;

interface Loaded {
  purpose: string | undefined;
  status: number | undefined;
}

/** svc and a page of a publisher on one origin, because a browser prerenders only what is of the page's own. */
async function startFront() {
  const front = { html: "", clicks: [] as Loaded[] };
  const target = new URL(server.url);
  const listener = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (incoming.url === "/publisher") {
      outgoing.writeHead(200, { "content-type": "text/html; charset=utf-8" }).end(front.html);
      return;
    }
    const headers = { ...incoming.headers, host: target.host };
    const forwarded = http.request(
      { host: "127.0.0.1", port: target.port, path: incoming.url, method: incoming.method, headers },
      (response) => {
        const { location } = response.headers;
        if (location) response.headers.location = location.replace(server.url, "");
        if (incoming.url?.startsWith("/api/v1/clicks/")) {
          const purpose = incoming.headers["sec-purpose"];
          front.clicks.push({ purpose: purpose?.toString(), status: response.statusCode });
        }
        outgoing.writeHead(response.statusCode ?? 0, response.headers);
        response.pipe(outgoing);
      },
    );
    forwarded.on("error", () => outgoing.destroy());
    incoming.pipe(forwarded);
  };
  const running = http.createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => running.once("listening", resolve));
  const { port } = running.address() as AddressInfo;
  return Object.assign(front, {
    origin: `http://127.0.0.1:${port}`,
    close: () => running.close().closeAllConnections(),
  });
}

const front = await startFront();
afterAll(() => front.close());

interface ServedOffer {
  id: string;
  clickUrl: string;
}

/** An offer that was just served; the campaigns of the test were written to the database, which the server follows. */
const servedOffer = (): Promise<ServedOffer> =>
  waitFor(async () => {
    const answer = await fetch(`${server.url}/api/v1/offers`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-svc-api-key": server.demo.channel.server_key },
      body: JSON.stringify({ query: "noise cancelling headphones" }),
    });
    const { offers } = (await answer.json()) as { offers?: ServedOffer[] };
    const [offer] = offers ?? [];
    if (!offer) throw new Error(`no offer was served: ${answer.status}`);
    return offer;
  });

/** The path of the click link of a fresh offer, and its id. */
async function offerLink(): Promise<{ id: string; path: string }> {
  const { id, clickUrl } = await servedOffer();
  const served = Date.now();
  // A click within half a second of the offer is not counted as a person's, and gets no click id.
  await waitFor(() => expect(Date.now() - served).toBeGreaterThan(TOO_FAST_MS));
  return { id, path: new URL(clickUrl).pathname };
}

/** The click ids of an offer, one for each click that counted. */
const clicksOf = (id: string): Promise<string[]> =>
  inDatabase(server, async ({ sql }) => {
    const { rows } = await sql.query(
      "SELECT o.click_id FROM offers o JOIN ledger l ON l.offer_id = o.id AND l.event = 'click' WHERE o.id = $1",
      [id],
    );
    return rows.map(({ click_id }) => click_id);
  });

/** Loads a page with the link, lets the browser follow it in advance, clicks it, and returns the page where it ends. */
async function follow(context: BrowserContext, markup: string, rules: string): Promise<Page> {
  front.clicks.length = 0;
  front.html = `<!doctype html><html lang="en"><head><title>Guide</title>${rules}</head><body>${markup}</body></html>`;
  const page = await context.newPage();
  await page.goto(`${front.origin}/publisher`);
  const link = page.locator("#offer");
  await link.hover();
  const box = await link.boundingBox();
  await page.mouse.move((box?.x ?? 0) + 5, (box?.y ?? 0) + 5);
  await page.mouse.down();
  // The request in advance has been answered when the mouse is released, as it has for people.
  await waitFor(() => expect(front.clicks.length).toBeGreaterThan(0));
  const opened = markup.includes("_blank") ? context.waitForEvent("page") : undefined;
  await page.mouse.up();
  const landing = (await opened) ?? page;
  await landing.waitForURL(/\/demo\/landing\//);
  return landing;
}

/** The browser from npm is a headless shell, which prerenders nothing. */
const prerenders = (await findBrowser({ keepsPages: true })).from !== "@sparticuz/chromium";

const CARRIED: [how: string, markupOf: (href: string) => string, rules: string][] = [
  ["a link of a page that prefetches at the touch", LINK, rulesOf("prefetch", "conservative")],
  ["a sponsored link for a new tab, prefetched at once", SPONSORED, rulesOf("prefetch", "eager")],
  ["a link in a shadow tree, prefetched at the touch", SHADOW, rulesOf("prefetch", "conservative")],
  ["a link of a page that prerenders at once", LINK, rulesOf("prerender", "eager")],
  ["a link of a page that prerenders at the touch", LINK, rulesOf("prerender", "conservative")],
];

it.each(CARRIED.filter(([, , rules]) => prerenders || rules.includes("prefetch")))(
  "%s is counted once when it is clicked, and the landing page has the click id",
  async (_, markupOf, rules) => {
    const { id, path } = await offerLink();
    const context = await browser.newContext({ viewport: { width: 800, height: 600 } });
    try {
      const landing = await follow(context, markupOf(path), rules);
      expect(front.clicks).toEqual([
        {
          purpose: expect.stringMatching(rules.includes("prerender") ? /^prefetch;prerender/ : /^prefetch/),
          status: 503,
        },
        { purpose: undefined, status: 302 },
      ]);
      expect(await clicksOf(id)).toEqual([new URL(landing.url()).searchParams.get("svc_click_id")]);
    } finally {
      await context.close();
    }
  },
);
