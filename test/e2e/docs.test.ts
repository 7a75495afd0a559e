import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { launchBrowser } from "../factories/browser";
import { type ServerProcess, startServerProcess } from "../factories/server-process";
import { openPage, sidewaysOf, violationsOf } from "./dashboard-visit";

const PAGES = ["", "/publishers", "/api-clients", "/operators", "/keys", "/errors", "/limits"];
const LOOKS = [
  { width: 1280, colorScheme: "light" },
  { width: 360, colorScheme: "dark" },
  { width: 1280, colorScheme: "dark" },
  { width: 360, colorScheme: "light" },
] as const;
/** What the browser itself writes where a refusal is meant to come. */
const EXPECTED = /limit=5000: Failed to load resource.* 400 /;

let server: ServerProcess;
let browser: Browser;
let context: BrowserContext;
const faults: string[] = [];
const outside: string[] = [];

beforeAll(async () => {
  [server, browser] = await Promise.all([startServerProcess(), launchBrowser()]);
  context = await browser.newContext({ locale: "en-US", reducedMotion: "reduce" });
  context.on("request", (request) => {
    if (!/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== server.url)
      outside.push(request.url());
  });
});
afterAll(async () => {
  await browser?.close();
  await server?.stop();
});

const open = async (at: string): Promise<Page> => {
  const page = await openPage(context, faults);
  await page.goto(`${server.url}/docs${at}`);
  return page;
};

it("runs a quick start with the reader's own key, one step with what the step before made", async () => {
  const page = await open("/api-clients");
  const example = (name: string) => page.getByRole("figure", { name, exact: true });
  const run = async (name: string) =>
    example(name)
      .getByRole("button", { name: `Run: ${name}` })
      .click();
  await run("Get the calling tenant");
  await example("Get the calling tenant").getByText("Type your platform key").waitFor();
  await page.getByLabel("Your platform key").fill(server.demo.api.test_key);
  await run("Get the calling tenant");
  await example("Get the calling tenant").getByText("200 OK").waitFor();
  await example("Get the calling tenant").getByText(server.demo.api.tenant_id).waitFor();
  await run("Get the channel");
  await example("Get the channel").getByText("Run the step before first").waitFor();
  await run("Create a channel");
  await example("Create a channel").getByText("201 Created").waitFor();
  await run("Get the channel");
  await example("Get the channel").getByText('"name": "Quick start"').waitFor();
  await run("Ask for too much");
  await example("Ask for too much").getByText('"code": "invalid_request"').waitFor();
  expect(await page.getByText(server.demo.api.test_key).count()).toBe(0);
  expect(await page.evaluate(() => [localStorage.length, sessionStorage.getItem("svc.docs.platform-key")])).toEqual([
    expect.any(Number),
    server.demo.api.test_key,
  ]);
  await page.close();
});

it.each([
  ["platform", "Log in for an access token"],
  ["offers", "Report impressions"],
])("draws the reference of the %s API, which calls this server", async (api, operation) => {
  const page = await open(`/reference/${api}`);
  await page.getByText(operation).first().waitFor();
  await page.getByText(server.url, { exact: true }).first().waitFor();
  await page.close();
});

it("passes axe and needs no sideways scrolling, light and dark, at 1280 and 360 px", async () => {
  const flaws: string[] = [];
  for (const at of PAGES) {
    const page = await open(at);
    await page.locator("h1").waitFor();
    for (const { width, colorScheme } of LOOKS) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.waitForFunction(
        (dark) => document.documentElement.classList.contains("dark") === dark,
        colorScheme === "dark",
      );
      if ((await sidewaysOf(page)) > 0) flaws.push(`${at} ${width}: sideways`);
      for (const violation of await violationsOf(page)) flaws.push(`${at} ${width} ${colorScheme}: ${violation}`);
    }
    await page.close();
  }
  expect(flaws).toEqual([]);
});

it("asks nobody but this server for anything, and says no word of trouble to the browser", () => {
  expect(outside).toEqual([]);
  expect(faults.filter((fault) => !EXPECTED.test(fault))).toEqual([]);
});
