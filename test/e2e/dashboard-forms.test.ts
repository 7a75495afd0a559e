import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type OwnTenant, ownTenant } from "../factories/shared-server";
import { type DashboardVisit, visitDashboard } from "./campaign-visit";
import { hasFocus, waitUntilStable } from "./dashboard-visit";
import { sidewaysOf } from "./look";

const TEST_MS = 120_000;

interface FormDialog {
  /** Its page, and the button there that opens it. */
  address: string;
  opener: string;
  submit: string;
  /** What its fields are called; those of pickers apart. */
  fields: string[];
  /** The fields that a person has to fill in. */
  required: string[];
}

/** Dialogs that are drawn from the input of an operation. */
const DIALOGS: FormDialog[] = [
  {
    address: "/account/projects",
    opener: "Create project",
    submit: "Create project",
    fields: ["Name"],
    required: ["Name"],
  },
  {
    address: "/account/api-keys",
    opener: "Create key",
    submit: "Create test key",
    fields: ["Name", "Project", "Allowed addresses (optional)", "Expires after (optional)"],
    required: ["Name"],
  },
  {
    address: "/offers/channels",
    opener: "Create channel",
    submit: "Create test channel",
    fields: ["Name", "Origins (optional)", "Categories (optional)"],
    required: ["Name"],
  },
  {
    address: "/offers/advertisers",
    opener: "Create advertiser",
    submit: "Create advertiser",
    fields: ["Name", "Domain (optional)", "Icon URL (optional)", "Maximum order value by pixel (optional)"],
    required: ["Name"],
  },
  {
    address: "/cloud/queues",
    opener: "Create queue",
    submit: "Create queue",
    fields: ["Project", "Name", "Visibility timeout", "Retention", "Dead-letter queue (optional)", "Max receives"],
    required: ["Name"],
  },
  {
    address: "/cloud/storage",
    opener: "Create bucket",
    submit: "Create bucket",
    fields: ["Project", "Name", "Storage class of new objects", "Keep older versions", "Public"],
    required: ["Name"],
  },
  {
    address: "/cloud/secrets",
    opener: "Create secret",
    submit: "Create secret",
    fields: ["Name", "Project", "Value"],
    required: ["Name", "Value"],
  },
  {
    address: "/cloud/webhooks",
    opener: "Create webhook",
    submit: "Create test webhook",
    fields: ["Name", "URL", "Project"],
    required: ["Name", "URL"],
  },
  {
    address: "/cloud/sandboxes",
    opener: "Create sandbox",
    submit: "Create sandbox",
    fields: ["Image", "Name (optional)", "Ends after", "CPU cores", "Memory"],
    required: ["Image"],
  },
  {
    address: "/cloud/workspaces",
    opener: "Create workspace",
    submit: "Create workspace",
    fields: ["Name", "Image (optional)", "CPU cores", "Memory", "Disk", "Stops after"],
    required: ["Name"],
  },
  {
    address: "/cloud/functions",
    opener: "Create function",
    submit: "Create function",
    fields: ["Name", "Project", "Runtime", "Code"],
    required: ["Name"],
  },
  {
    address: "/cloud/edge",
    opener: "Create edge function",
    submit: "Create draft",
    fields: ["Name", "Project", "Code", "Bindings (optional)"],
    required: ["Name"],
  },
  {
    address: "/cloud/chat/budgets",
    opener: "Create budget",
    submit: "Create budget",
    fields: [
      "Name",
      "Limit in money (optional)",
      "Limit in tokens (optional)",
      "When it is spent",
      "Per",
      "Project",
      "Requests",
    ],
    required: ["Name"],
  },
  {
    address: "/cloud/chat/settings",
    opener: "Add upstream",
    submit: "Add upstream",
    fields: ["Name", "Base URL", "Secret with the key (optional)", "Models", "Priority"],
    required: ["Name", "Base URL"],
  },
];

let server: OwnTenant;
let visit: DashboardVisit;
let page: Page;
let dialog: Locator;

beforeAll(async () => {
  server = await ownTenant();
  visit = await visitDashboard(server);
  page = visit.page;
  dialog = page.getByRole("dialog");
  // With a second project there is a choice.
  await visit.context.request.post(`${server.url}/api/trpc/createProject`, {
    headers: { origin: server.url },
    data: { name: "Second project" },
  });
});
afterAll(() => visit?.context.close());

async function open({ address, opener }: Pick<FormDialog, "address" | "opener">): Promise<void> {
  await page.goto(`${server.url}${address}?mode=test`);
  await waitUntilStable(page);
  await page.getByRole("button", { name: opener, exact: true }).first().click();
  await dialog.locator("form").waitFor();
}

const submit = (name: string) => dialog.getByRole("button", { name, exact: true }).click();

describe.each(DIALOGS)("$opener", (one) => {
  it(
    "asks in words, and names each field that is empty but required, the first one in focus; nothing is sent",
    async () => {
      await open(one);
      const labels = dialog.locator("label:not(fieldset label)");
      await expect.poll(() => labels.allTextContents()).toEqual(one.fields);
      const calls: string[] = [];
      page.on("request", (request) => {
        if (request.method() === "POST") calls.push(request.url());
      });
      await submit(one.submit);
      for (const name of one.required) {
        const field = dialog.getByLabel(name, { exact: true });
        expect(await field.getAttribute("aria-invalid")).toBe("true");
        expect(await field.getAttribute("aria-required")).toBe("true");
      }
      await hasFocus(page, dialog.getByLabel(one.required[0] ?? "", { exact: true }));
      expect(await dialog.locator("[aria-invalid=true]").count()).toBe(one.required.length);
      expect(calls).toEqual([]);
      await page.setViewportSize({ width: 390, height: 844 });
      expect(await sidewaysOf(page)).toBe(0);
      expect(await dialog.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
      await page.setViewportSize({ width: 1280, height: 900 });
      expect(visit.faults).toEqual([]);
    },
    TEST_MS,
  );
});

/** The input that the browser sends to an operation while `act` runs. */
async function inputOf(operation: string, act: () => Promise<void>): Promise<unknown> {
  const [request] = await Promise.all([
    page.waitForRequest((one) => one.method() === "POST" && one.url().includes(`/api/trpc/${operation}`)),
    act(),
  ]);
  return request.postDataJSON();
}

it(
  "a form sends exactly the input of its operation, by keyboard too, and shows what the server says beside the field",
  async () => {
    await open({ address: "/cloud/sandboxes", opener: "Create sandbox" });
    await dialog.getByLabel("Image").fill("Not an image");
    await dialog.getByLabel("Ends after", { exact: true }).fill("2");
    await dialog.getByLabel("Memory").fill("1");
    const input = await inputOf("createSandbox", () => dialog.getByLabel("Memory").press("Enter"));
    expect(input).toEqual({
      0: { mode: "test", image: "Not an image", timeout_seconds: 120, cpu: 1, memory_mb: 1, env: {} },
    });
    await dialog.getByText("Enter 64 or more.").waitFor();
    await hasFocus(page, dialog.getByLabel("Image"));
    const memory = dialog.getByLabel("Memory");
    expect(await memory.getAttribute("aria-invalid")).toBe("true");
    const described = (await memory.getAttribute("aria-describedby"))?.split(" ") ?? [];
    const texts = await Promise.all(described.map((id) => page.locator(`[id="${id}"]`).textContent()));
    expect(texts).toEqual(["Memory in MiB; a process that exceeds it is ended by the kernel.", "Enter 64 or more."]);
  },
  TEST_MS,
);

it(
  "a form of something that exists begins with its values and sends all of them; an empty field clears its value",
  async () => {
    await open({ address: "/offers/advertisers", opener: "Create advertiser" });
    await dialog.getByLabel("Name").fill("Lantern");
    await dialog.getByLabel("Domain").fill("lantern.example");
    await dialog.getByLabel("Maximum order value").fill("250.5");
    await submit("Create advertiser");
    await dialog.waitFor({ state: "hidden" });
    await page.getByRole("rowheader").getByRole("button", { name: "Lantern" }).click();
    expect(await dialog.getByLabel("Maximum order value").inputValue()).toBe("250.50");
    await dialog.getByLabel("Domain").fill("");
    const input = await inputOf("updateAdvertiser", () => submit("Save changes"));
    expect(input).toEqual({
      0: {
        id: expect.stringMatching(/^adv_/),
        name: "Lantern",
        domain: null,
        icon_url: null,
        pixel_value_max_micros: 250_500_000,
      },
    });
    await dialog.waitFor({ state: "hidden" });
    expect(visit.faults).toEqual([]);
  },
  TEST_MS,
);
