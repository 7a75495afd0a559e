import path from "node:path";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, describe, expect, it } from "vitest";
import { sharedBrowser } from "../factories/browser";
import { ownDemo, ownTenant } from "../factories/shared-server";
import { APP_ROUTES, routeOf } from "./app-routes";
import { hasFocus, leapToContent, logIn, openPage, tabTo, waitUntilStable } from "./dashboard-visit";
import { flawsOf, flawsOfState } from "./look";
import { fillTenant } from "./look-scene";
import { EMPTY_STATES, type State, statesOfStranger, statesOfTenant } from "./look-states";

/** On a machine that may have other work. */
const EVERY_PAGE_MS = 1_500_000;
/** What browsers themselves write where a page or a thing is meant to be missing, or a call is meant to fail. */
const EXPECTED =
  /(\/nowhere|\/openBrowserSession\S*|_00000000000000000000000000\S*): Failed to load resource.* (400|404) /;
/** A folder that takes a picture of every state, for looking at. */
const SHOTS = process.env.SVC_LOOK_SHOTS;

/** What people come to a page for: the focus comes to it by Tab, after the link that leaps over the navigation. */
const MAIN: Record<string, ["button" | "link", string]> = {
  "/offers": ["link", "Reports"],
  "/offers/channels": ["link", "Demo site"],
  "/offers/campaigns": ["link", "Create campaign"],
  "/offers/campaigns/new": ["button", "Continue"],
  "/offers/advertisers": ["button", "Create advertiser"],
  "/offers/reports": ["button", "Download CSV"],
  "/offers/conversions": ["button", "Send test order"],
  "/offers/explain": ["button", "Explain"],
  "/cloud/pods": ["button", "Create pod"],
  "/cloud/webhooks": ["button", "Create webhook"],
  "/cloud/queues": ["button", "Create queue"],
  "/cloud/storage": ["button", "Create bucket"],
  "/cloud/secrets": ["button", "Create secret"],
  "/cloud/chat": ["button", "Add a model"],
  "/cloud/chat/budgets": ["button", "Create budget"],
  "/account/api-keys": ["button", "Create key"],
  "/account/projects": ["button", "Create project"],
  "/account/usage": ["button", "Copy"],
  "/account/audit-log": ["button", "Verify log"],
  "/account/settings": ["button", "Invite"],
  "/account/outbox": ["link", "Documentation"],
};

let [tenant, newcomer, stranger]: BrowserContext[] = [];
const faults: string[] = [];
/** The pages that were looked at. */
const seen = new Set<string>();
/** The pages whose main action the focus came to. */
const reached = new Set<string>();

const browser = await sharedBrowser();
const open = () => browser.newContext({ locale: "en-US", reducedMotion: "reduce" });
const [made, empty] = await Promise.all([ownDemo(), ownTenant()]);
const server = made;
const contexts = await Promise.all([open(), open(), open(), open()]);
const [ofTenant, other] = [contexts[0] as BrowserContext, contexts[3] as BrowserContext];
[tenant, newcomer, stranger] = contexts;
// The second session gives the list of sessions something to end.
for (const context of [other, ofTenant]) await logIn(context, server);
await logIn(contexts[1] as BrowserContext, empty);
await other.close();
const [filled, invitationLink] = await Promise.all([fillTenant(server), invite(ofTenant)]);
const scene = { ...filled, invitationLink };
afterAll(async () => {
  for (const context of [tenant, newcomer, stranger]) await context?.close();
});

/** Invites somebody, and returns the link of the invitation. */
async function invite(context: BrowserContext): Promise<string> {
  const page = await openPage(context, faults);
  await page.goto(`${server.url}/account/settings`);
  const invitations = page.getByRole("region", { name: "Invitations" });
  await invitations.getByLabel("Email address").fill("grace@publisher.example");
  await invitations.getByRole("button", { name: "Invite" }).click();
  await invitations.getByRole("rowheader", { name: "grace@publisher.example" }).waitFor();
  await page.goto(`${server.url}/account/outbox`);
  const link = page.getByRole("link", { name: /\/invitation/ }).first();
  const address = new URL((await link.getAttribute("href")) ?? "");
  await page.close();
  return address.pathname + address.search;
}

/** Two tabs at once: the browser waits for the server about half of the time. */
const TABS = 2;

async function flawsOfStates(
  states: readonly State[],
  context: BrowserContext | undefined,
): Promise<Record<string, unknown>> {
  if (!context) throw new Error("The browser has not started.");
  const flaws: Record<string, unknown> = {};
  const waiting = [...states];
  const tab = async () => {
    // One tab for all its pages: a new one has a process of its own, which compiles every script again.
    let page = await openPage(context, faults);
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [name] = next;
      try {
        const found = await flawsOfOne(page, next);
        if (found.length > 0) flaws[name] = found;
      } catch (failure) {
        flaws[name] = `${page.url()}: ${String(failure)}`;
        await page.close();
        page = await openPage(context, faults);
      }
    }
    await page.close();
  };
  await Promise.all(Array.from({ length: TABS }, tab));
  return flaws;
}

async function flawsOfOne(page: Page, [name, address, ...steps]: State): Promise<unknown[]> {
  await page.goto(new URL(address, server.url).href);
  for (const step of steps) await step(page);
  await waitUntilStable(page);
  const route = routeOf(page.url()) ?? "";
  const flaws: unknown[] = await (seen.has(route) ? flawsOfState(page) : flawsOf(page));
  seen.add(route);
  if (SHOTS) await page.screenshot({ path: path.join(SHOTS, `${name.replaceAll(/\W+/g, "-")}.png`), fullPage: true });
  const main = page.context() === tenant && steps.length === 0 && !reached.has(route) ? MAIN[route] : undefined;
  if (main && !(await isReached(page, main))) flaws.push(`the focus is not seen at ${main[1]}`);
  if (main) reached.add(route);
  return flaws;
}

/** Whether the focus comes to the main action by keyboard, and is marked there for the eye. */
async function isReached(page: Page, [role, name]: ["button" | "link", string]): Promise<boolean> {
  const target = page.getByRole(role, { name, exact: true }).first();
  await target.waitFor();
  await leapToContent(page);
  await hasFocus(page, page.locator("#content"));
  return (await tabTo(page, target)).isMarked;
}

describe("every page, and what it shows in its states, passes axe and needs no sideways scrolling, light, dark and narrow; its main action is reached by keyboard", () => {
  it(
    "of a tenant with something of everything",
    async () => expect(await flawsOfStates(statesOfTenant(server, scene), tenant)).toEqual({}),
    EVERY_PAGE_MS,
  );
  it(
    "of a tenant without anything",
    async () => expect(await flawsOfStates(EMPTY_STATES, newcomer)).toEqual({}),
    EVERY_PAGE_MS,
  );
  it(
    "before the log-in",
    async () => expect(await flawsOfStates(statesOfStranger(scene), stranger)).toEqual({}),
    EVERY_PAGE_MS,
  );
  it("of all that the app has", () => {
    expect(APP_ROUTES.map(({ route }) => route).filter((route) => !seen.has(route))).toEqual([]);
    expect(Object.keys(MAIN).filter((route) => !reached.has(route))).toEqual([]);
  });
  it("and causes no errors in the browser", () => expect(faults.filter((fault) => !EXPECTED.test(fault))).toEqual([]));
});
