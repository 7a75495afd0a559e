import { expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { ownTenant } from "../factories/shared-server";
import { fieldState, rowsOf, visitDashboard } from "./campaign-visit";
import { flawsOfState } from "./look";
import { stepsInOrder } from "./steps-in-order";

const VALUE = "-----BEGIN KEY-----\n  <b>correct</b> horse \n-----END KEY-----\n";
const TEST_MS = 300_000;

const server = await ownTenant();
const visit = await openForFile(visitDashboard(server));
const page = visit.page;
stepsInOrder();

const dialog = () => page.getByRole("dialog");
const button = (name: string) => page.getByRole("button", { name, exact: true });
const revealed = () => dialog().getByLabel("Value", { exact: true });

/** Looks at a state of a page that only this flow comes to: a revealed value. */
const examine = async (name: string) => expect([name, await flawsOfState(page)]).toEqual([name, []]);

it(
  "an empty list says what a secret is; what is wrong with a new one is said beside its field",
  async () => {
    await page.goto(`${server.url}/cloud/secrets?mode=live`);
    await page.getByRole("heading", { name: "No secrets in live mode yet" }).waitFor();
    await page.locator("header").getByRole("button", { name: "Create secret" }).click();
    await dialog().getByLabel("Name").fill("no spaces");
    await dialog().getByLabel("Value").fill(VALUE);
    await dialog().getByRole("button", { name: "Create secret" }).click();
    await expect.poll(() => fieldState(page, "Name")).toMatchObject({ invalid: "true", focused: true });
    await dialog().getByLabel("Name").fill("TLS_KEY");
    await dialog().getByRole("button", { name: "Show value" }).click();
    await dialog().getByRole("button", { name: "Hide value" }).waitFor();
    await dialog().getByRole("button", { name: "Create secret" }).click();
    await page.getByRole("heading", { level: 1, name: "TLS_KEY", exact: true }).waitFor();
  },
  TEST_MS,
);

it(
  "a value is shown on demand, exactly as it was stored, and the audit log records it",
  async () => {
    expect((await page.content()).includes("horse")).toBe(false);
    await button("Reveal version 1").click();
    await expect.poll(() => revealed().textContent()).toBe(VALUE);
    await examine("revealed");
    await dialog().getByRole("button", { name: "Hide value" }).click();
    await dialog().waitFor({ state: "detached" });
    expect((await page.content()).includes("horse")).toBe(false);
    await page.goto(`${server.url}/account/audit-log?mode=live`);
    await page.getByText("Secret revealed").first().waitFor();
  },
  TEST_MS,
);

it(
  "a new version is stored; both can be read, and the list shows the newest",
  async () => {
    await page.goto(`${server.url}/cloud/secrets?mode=live`);
    await page.getByRole("link", { name: "TLS_KEY", exact: true }).click();
    await page.getByLabel("Value", { exact: true }).fill("second value");
    await button("Store version 2").click();
    await button("Store version 3").waitFor();
    for (const [version, value] of [
      ["2", "second value"],
      ["1", VALUE],
    ]) {
      await button(`Reveal version ${version}`).click();
      await expect.poll(() => revealed().textContent()).toBe(value);
      await page.keyboard.press("Escape");
      await dialog().waitFor({ state: "detached" });
    }
    await page.goto(`${server.url}/cloud/secrets?mode=live`);
    await expect
      .poll(() => rowsOf(page, "Secrets"))
      .toEqual([["TLS_KEY", expect.any(String), "2", expect.any(String)]]);
  },
  TEST_MS,
);

it(
  "a secret is deleted by typing its name",
  async () => {
    await page.getByRole("link", { name: "TLS_KEY", exact: true }).click();
    await button("Delete secret").click();
    await dialog().getByLabel("Type “TLS_KEY” to confirm").fill("TLS");
    await dialog().getByRole("button", { name: "Delete secret" }).click();
    await dialog().getByText("Type TLS_KEY to confirm.").waitFor();
    await dialog().getByLabel("Type “TLS_KEY” to confirm").fill("TLS_KEY");
    await dialog().getByRole("button", { name: "Delete secret" }).click();
    await page.getByRole("heading", { name: "No secrets in live mode yet" }).waitFor();
    expect(visit.faults).toEqual([]);
  },
  TEST_MS,
);

it(
  "a secret that is gone, and a list that does not load, say so",
  async () => {
    await page.goto(`${server.url}/cloud/secrets/sct_00000000000000000000000000`);
    await page.getByText("No secret has the id or name").waitFor();
    await page.route("**/api/trpc/**", (route) => route.abort());
    await page.goto(`${server.url}/cloud/secrets?mode=live`);
    await button("Try again").waitFor();
    await page.unroute("**/api/trpc/**");
    await button("Try again").click();
    await page.getByRole("heading", { name: "No secrets in live mode yet" }).waitFor();
  },
  TEST_MS,
);
