import { randomUUID } from "node:crypto";
import type { BrowserContext, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { sharedBrowser } from "../factories/browser";
import { ownTenant } from "../factories/shared-server";
import { logIn, openPage, region } from "./dashboard-visit";
import { chooseAction } from "./row-actions";

const KEY = /svc_test_[a-z2-7]{48}/;

const server = await ownTenant();

const open = async (): Promise<[BrowserContext, Page]> => {
  const browser = await sharedBrowser();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" });
  return [context, await openPage(context, [])];
};

/** Each test goes on where the one before ended. */
function inOrder(): void {
  beforeEach(({ task, skip }) => {
    const before = task.suite?.tasks ?? [];
    if (before.some((one) => one.result?.state === "fail")) skip("the step before failed");
  });
}

/** The platform API as a program on this machine asks it: over IPv4, so that its address is known. */
const ask = (path: string, key: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${server.port}${path}`, { headers: { authorization: `Bearer ${key}` } });

const isFocused = (field: Locator): Promise<boolean> => field.evaluate((one) => one === document.activeElement);

describe("who looks after the platform", () => {
  inOrder();
  let context: BrowserContext;
  let page: Page;
  let key: string;
  let rotated: string;

  beforeAll(async () => {
    [context, page] = await open();
    await logIn(context, server);
  });
  afterAll(() => context?.close());

  const dialog = () => page.getByRole("dialog");
  const question = () => page.getByRole("alertdialog");
  const row = (name: string | RegExp) => page.getByRole("row", { name });

  async function secretShown(): Promise<string> {
    const shown = await page.getByRole("status", { name: "Your platform key" }).textContent();
    await page.getByRole("button", { name: "I have stored it" }).click();
    return KEY.exec(shown ?? "")?.[0] ?? "";
  }

  it("makes a project and renames it; a name that is missing or taken is told beside its field", async () => {
    await page.goto(`${server.url}/account/projects?mode=test`);
    await page.getByRole("button", { name: "Create project" }).click();
    const name = dialog().getByLabel("Name");
    const save = dialog().getByRole("button", { name: "Create project" });
    await save.click();
    await dialog().locator("input[aria-invalid=true]").waitFor();
    expect(await isFocused(name)).toBe(true);
    await name.fill("default");
    await save.click();
    await dialog().getByText("Another project is named").waitFor();
    await name.fill("Nightly imports");
    await save.click();
    await row(/Nightly imports/)
      .getByText("0 of 100")
      .waitFor();
    await chooseAction(page, "Nightly imports", "Rename");
    await name.fill("Feed imports");
    await dialog().getByRole("button", { name: "Save name" }).click();
    await row(/Feed imports/).waitFor();
    await row(/Nightly imports/).waitFor({ state: "detached" });
  });

  it("makes a key of two scopes for one address; what is missing or malformed is told beside its field", async () => {
    await page.getByRole("link", { name: "Feed imports" }).click();
    await page.getByRole("heading", { name: "No matching keys" }).waitFor();
    await page.getByRole("button", { name: "Create key" }).click();
    const create = dialog().getByRole("button", { name: "Create test key" });
    await expect
      .poll(() => dialog().getByLabel("Project").locator("option:checked").textContent())
      .toBe("Feed imports");
    await dialog().getByLabel("Name").fill("ci");
    await create.click();
    await dialog().getByText("Choose at least one scope.").waitFor();
    await dialog().getByRole("button", { name: "Everything in use" }).click();
    await dialog().getByRole("button", { name: "None" }).click();
    await dialog().getByLabel("ads:read").check();
    await dialog().getByLabel("projects:read").check();
    await dialog().getByText("(2 selected)").waitFor();
    const addresses = dialog().getByLabel("Allowed addresses");
    await addresses.fill("127.0.0.1\n127.0.0.300");
    await create.click();
    await dialog().getByText('Entry 2: "127.0.0.300" is neither an address nor a network').waitFor();
    expect(await isFocused(addresses)).toBe(true);
    await addresses.fill("127.0.0.1");
    await create.click();
    key = await secretShown();
    expect(key).toMatch(KEY);
    await row(/^ci /).getByText("ads:read, projects:read").waitFor();
    await expect.poll(() => page.content()).not.toContain(key);
  });

  it("uses the key from its address, within its scopes", async () => {
    expect((await ask("/v1/projects", key)).status).toBe(200);
    const refused = await ask("/v1/keys", key);
    expect([refused.status, await refused.json()]).toMatchObject([403, { error: { details: { scope: "keys:read" } } }]);
  });

  it("sees all of a key but its secret", async () => {
    await page.getByRole("button", { name: "ci", exact: true }).click();
    await dialog().getByText("127.0.0.1").waitFor();
    await dialog().getByText(`by ${server.demo.dashboard.email}`).waitFor();
    await dialog()
      .getByText(`svc_test_…${key.slice(-4)}`)
      .waitFor();
    await page.keyboard.press("Escape");
  });

  it("rotates the key: the old secret is refused, the new one works", async () => {
    await chooseAction(page, "ci", "Rotate");
    expect(await dialog().getByLabel("Immediately").isChecked()).toBe(true);
    await dialog().getByRole("button", { name: "Rotate key" }).click();
    rotated = await secretShown();
    expect(rotated).toMatch(KEY);
    expect((await ask("/v1/projects", key)).status).toBe(401);
    expect((await ask("/v1/projects", rotated)).status).toBe(200);
  });

  it("rotates with a grace: both secrets work, and the page says until when", async () => {
    await chooseAction(page, "ci", "Rotate");
    await dialog().getByLabel("After 1 hour").check();
    await dialog().getByRole("button", { name: "Rotate key" }).click();
    const newest = await secretShown();
    expect((await ask("/v1/projects", rotated)).status).toBe(200);
    expect((await ask("/v1/projects", newest)).status).toBe(200);
    await page.getByRole("button", { name: "ci", exact: true }).click();
    await dialog()
      .getByText(/^The old secret works until/)
      .waitFor();
    await page.keyboard.press("Escape");
    rotated = newest;
  });

  it("cannot archive a project with an active key, and is led to that key", async () => {
    await page.goto(`${server.url}/account/projects`);
    await chooseAction(page, "Feed imports", "Archive");
    await dialog().getByText("It has an active key").waitFor();
    await dialog().getByRole("link", { name: "Show its keys" }).click();
    await page.waitForURL(/\/api-keys\?project=prj_\w+&state=active/);
    await row(/^ci /).waitFor();
  });

  it("revokes the key after a question, and it is refused", async () => {
    await chooseAction(page, "ci", "Revoke");
    await question().getByRole("button", { name: "Revoke key" }).click();
    await page.getByRole("heading", { name: "No matching keys" }).waitFor();
    expect((await ask("/v1/projects", rotated)).status).toBe(401);
    expect((await ask("/v1/projects", key)).status).toBe(401);
    await page.getByLabel("State").selectOption("revoked");
    await row(/^ci /).getByText("revoked").waitFor();
  });

  it("sees the meter of projects fall when one is archived", async () => {
    const meter = () =>
      region(page, "Limits")
        .getByRole("listitem")
        .filter({ has: page.getByRole("heading", { name: "Projects", exact: true }) });
    await page.goto(`${server.url}/account/usage`);
    await meter().getByText("2 of 100").waitFor();
    await page.goto(`${server.url}/account/projects`);
    await chooseAction(page, "Feed imports", "Archive");
    await question().getByRole("button", { name: "Archive project" }).click();
    await row(/Feed imports/).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Usage", exact: true }).click();
    await meter().getByText("1 of 100").waitFor();
  });

  const entries = () => page.getByRole("list", { name: "Audit log, newest first" }).getByRole("listitem");
  const actions = () => entries().locator("summary span.font-medium").allTextContents();

  it("finds all of it in the audit log, and what was changed from what", async () => {
    await page.goto(`${server.url}/account/audit-log`);
    await expect
      .poll(async () => (await actions()).slice(0, 7))
      .toEqual([
        "Project archived",
        "API key revoked",
        "API key rotated",
        "API key rotated",
        "API key created",
        "Project updated",
        "Project created",
      ]);
    await entries().filter({ hasText: "Project updated" }).locator("summary").click();
    const changes = page.getByRole("table", { name: "What changed" });
    await changes.getByRole("row", { name: "name Nightly imports Feed imports" }).waitFor();
    expect(await page.content()).not.toContain(rotated);
  });

  it("narrows the log by kind and by what was changed, and keeps that in the address", async () => {
    await page.getByLabel("Action").selectOption("API keys");
    await page.waitForURL(/action=api_key\.\*/);
    await expect.poll(actions).not.toContain("Project created");
    await entries().filter({ hasText: "API key created" }).first().locator("summary").click();
    await page.getByRole("button", { name: /^key_/ }).first().click();
    await page.waitForURL(/target=key_/);
    const ofTheKey = ["API key revoked", "API key rotated", "API key rotated", "API key created"];
    await expect.poll(actions).toEqual(ofTheKey);
    await page.reload();
    await expect.poll(actions).toEqual(ofTheKey);
  });

  it("verifies the log", async () => {
    await page.getByRole("button", { name: "Verify log" }).click();
    await page.getByText(/^The log is intact: \d+ entries verified\./).waitFor();
  });
});

describe("a member", () => {
  const EMAIL = `grace-${randomUUID()}@publisher.example`;
  let guests: BrowserContext;
  let guest: Page;

  beforeAll(async () => {
    const [hosts, host] = await open();
    await logIn(hosts, server);
    await host.goto(`${server.url}/account/settings`);
    const invitations = region(host, "Invitations");
    await invitations.getByLabel("Email address").fill(EMAIL);
    await invitations.getByLabel("Role").selectOption("member");
    await invitations.getByRole("button", { name: "Invite" }).click();
    await invitations.getByRole("rowheader", { name: EMAIL }).waitFor();
    await host.goto(`${server.url}/account/outbox`);
    const email = host.getByRole("listitem").filter({ hasText: `to ${EMAIL}` });
    const link = (await email.getByRole("link").getAttribute("href")) ?? "";
    await hosts.close();
    [guests, guest] = await open();
    await guest.goto(link);
    await guest.getByLabel("Password").fill("seven brown foxes rest");
    await guest.getByRole("button", { name: "Create account" }).click();
    await guest.waitForURL(`${server.url}/offers`);
  });
  afterAll(() => guests?.close());

  it("learns calmly who can show the audit log", async () => {
    await guest.goto(`${server.url}/account/audit-log`);
    await guest.getByRole("heading", { name: "Your role does not include this page" }).waitFor();
    await guest.getByRole("link", { name: server.demo.dashboard.email }).waitFor();
    expect(await guest.getByRole("main").getByRole("alert").count()).toBe(0);
  });

  it.each([
    ["/account/api-keys?mode=live", "Platform keys"],
    ["/account/projects", "Projects"],
  ])("reads %s without buttons that would be refused", async (address, table) => {
    await guest.goto(server.url + address);
    await guest.getByRole("table", { name: table }).waitFor();
    expect(
      await guest
        .getByRole("main")
        .getByRole("button", { name: /^(Create|Rename|Archive|Rotate|Revoke)/ })
        .count(),
    ).toBe(0);
  });
});
