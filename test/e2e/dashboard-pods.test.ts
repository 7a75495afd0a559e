import { readdir } from "node:fs/promises";
import path from "node:path";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { shellLayer } from "../factories/image-layers";
import { startRegistryDouble } from "../factories/registry-double";
import { SHELL_CONFIG } from "../factories/runtime-scene";
import { type OwnTenant, ownTenant } from "../factories/shared-server";
import { waitFor } from "../factories/wait-for";
import { type DashboardVisit, fieldState, visitDashboard } from "./campaign-visit";
import { region } from "./dashboard-visit";
import { flawsOfState } from "./look";
import { chooseAction } from "./row-actions";
import { stepsInOrder } from "./steps-in-order";

const HOSTILE = `<img src=x onerror="document.title='pwned'">`;
const SECRET = "correct-horse-battery";
/** Prints what it received, then lines until it is stopped. */
const SCRIPT = `trap "exit 7" TERM; echo "$NOTE $TOKEN"; n=0; while :; do n=$((n+1)); echo "line $n"; sleep 0.1; done`;
const TEST_MS = 180_000;
const STARTS_WITHIN_MS = 60_000;

let server: OwnTenant;
let visit: DashboardVisit;
let page: Page;
let registry: Awaited<ReturnType<typeof startRegistryDouble>>;
/** An image with a shell. */
let image: string;
/** Why this node runs no pods. */
let noRuntime: string | undefined;

beforeAll(async () => {
  [server, registry] = await Promise.all([ownTenant(), startRegistryDouble()]);
  const layer = await shellLayer();
  if (typeof layer === "string") noRuntime = layer;
  else image = registry.add("shell", { layers: [layer], config: SHELL_CONFIG }).reference;
  await call("PUT", "secrets/TOKEN", { value: SECRET });
  noRuntime ??= await refusalOf(image);
  visit = await visitDashboard(server);
  page = visit.page;
});
afterAll(async () => {
  await visit?.context.close();
  if (server) await removePods();
  await registry?.stop();
});
stepsInOrder();

async function call(method: string, path: string, body?: object): Promise<{ status: number; text: string }> {
  const response = await fetch(`${server.url}/v1/${path}`, {
    method,
    headers: { authorization: `Bearer ${server.demo.api.test_key}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

/** What svc says if no node can run pods. */
async function refusalOf(reference: string): Promise<string | undefined> {
  const { status, text } = await call("POST", "pods", { image: reference, command: ["/bin/sh", "-c", "exit 0"] });
  const { id, error } = JSON.parse(text) as { id?: string; error?: { message: string } };
  if (status === 503) return error?.message;
  expect((await call("DELETE", `pods/${id}`)).status).toBe(204);
  return undefined;
}

/** Workloads outlive svc, also when a step has failed; with what they use, the data directory could not be removed. */
async function removePods(): Promise<void> {
  const { data } = JSON.parse((await call("GET", "pods")).text) as { data: { id: string }[] };
  for (const { id } of data) await call("DELETE", `pods/${id}`);
  const sandboxes = JSON.parse((await call("GET", "sandboxes")).text) as { data: { id: string }[] };
  for (const { id } of sandboxes.data) await call("DELETE", `sandboxes/${id}`);
  const workspaces = JSON.parse((await call("GET", "workspaces")).text) as { data: { id: string }[] };
  for (const { id } of workspaces.data) await call("DELETE", `workspaces/${id}`);
  const workloads = path.join(server.dataDir, "runtime/workloads");
  await waitFor(async () => expect(await readdir(workloads).catch(() => [])).toEqual([]));
}

const dialog = () => page.getByRole("dialog");
/** An empty list has the button a second time. */
const newPod = () => page.locator("header").getByRole("button", { name: "Create pod" });
const submit = () => dialog().getByRole("button", { name: "Create pod" }).click();
const estimate = () => dialog().getByRole("region", { name: "Estimate" });
const output = () => page.getByRole("region", { name: "Output of the pod" });
const pods = () => page.getByRole("table", { name: "Pods" });
const hasStatus = (status: string) =>
  page.locator("header").getByText(status, { exact: true }).waitFor({ timeout: STARTS_WITHIN_MS });

/** Looks at a state of a page that only this flow comes to: what runs, has run or waits. */
const examine = async (name: string) => expect([name, await flawsOfState(page)]).toEqual([name, []]);

async function addVariable(name: string, set: (number: number) => Promise<unknown>): Promise<void> {
  const before = await dialog()
    .getByLabel(/^Name of variable/)
    .count();
  await dialog().getByRole("button", { name: "Add variable" }).click();
  const number = before + 1;
  await dialog().getByLabel(`Name of variable ${number}`).fill(name);
  await set(number);
}

it(
  "an empty list says what a pod is; in live mode no GPU can be chosen; what is wrong is said beside its field",
  async () => {
    await page.goto(`${server.url}/cloud/pods?mode=live`);
    await page.getByRole("heading", { name: "No pods in live mode yet" }).waitFor();
    await newPod().click();
    await dialog().getByText("This installation has no GPUs").waitFor();
    expect(
      await dialog()
        .getByLabel("GPU")
        .locator("option:not([disabled])")
        .evaluateAll((all) => all.map((one) => one.textContent)),
    ).toEqual(["none"]);
    await submit();
    await expect.poll(() => fieldState(page, "Image")).toMatchObject({ invalid: "true", focused: true });
    await dialog().getByLabel("Image").fill("UPPER/case");
    await submit();
    await dialog().getByText("the name has characters other than lower-case letters").waitFor();
    await addVariable("TOKEN", (number) => dialog().getByLabel(`Kind of variable ${number}`).selectOption("secret"));
    await submit();
    await dialog().getByText("Choose a secret for TOKEN.").waitFor();
    await examine("create, refused");
  },
  TEST_MS,
);

it(
  "a pod with simulated GPUs is created in a shape that the estimate suggests, at its price, and its output is shown as text, without secrets",
  async ({ skip }) => {
    if (noRuntime) skip(noRuntime);
    await page.goto(`${server.url}/cloud/pods?mode=test`);
    await newPod().click();
    await dialog().getByLabel("Image").fill(image);
    await dialog().getByLabel("Name (optional)", { exact: true }).fill("counting");
    await dialog().getByLabel("GPU", { exact: true }).selectOption("h100");
    await dialog().getByLabel("Number of GPUs").fill("2");
    await estimate().getByText("$5.012 per hour").waitFor();
    await dialog().getByLabel("Memory in MiB").fill("1000000");
    await estimate().getByText("Does not fit now").waitFor();
    await examine("create, does not fit");
    await estimate()
      .getByRole("button", { name: /^The same with \d+ of 1000000 MiB of memory$/ })
      .click();
    await estimate().getByText("Fits now", { exact: true }).waitFor();
    const price =
      (await estimate()
        .getByText(/ per hour$/)
        .textContent()) ?? "";
    await dialog().getByLabel("Volume in GiB").fill("1");
    await dialog().getByLabel("Folder of the volume").fill("/work");
    await dialog().getByLabel("Command").fill(`/bin/sh\n-c\n${SCRIPT}`);
    await addVariable("NOTE", (number) => dialog().getByLabel(`Value of variable ${number}`).fill(HOSTILE));
    await addVariable("TOKEN", async (number) => {
      await dialog().getByLabel(`Kind of variable ${number}`).selectOption("secret");
      await dialog().getByLabel(`Secret of variable ${number}`).selectOption("TOKEN");
    });
    await dialog().getByText("More options").click();
    await dialog().getByLabel("Labels").fill("job=training");
    await examine("create");
    await submit();
    await page.getByRole("heading", { level: 1, name: "counting" }).waitFor();
    await hasStatus("ready");
    await page.getByText("The GPUs (2 × H100) are simulated").waitFor();
    await page.getByText(price, { exact: true }).waitFor();
    await expect.poll(() => output().textContent()).toMatch(/line \d+/);
    expect(await output().textContent()).toContain(`${HOSTILE} [redacted]`);
    expect(await page.locator("body").textContent()).not.toContain(SECRET);
    await region(page, "Environment variables").getByText("secret TOKEN").waitFor();
    await region(page, "Configuration").getByText("1 GiB at /work").waitFor();
    await region(page, "Timeline").getByText("The process runs.").waitFor();
    await region(page, "Isolation").getByText("the process has none").waitFor();
    expect(await page.title()).not.toContain("pwned");
    await examine("running");
  },
  TEST_MS,
);

it(
  "the output follows its end, and stays where a reader has scrolled to",
  async ({ skip }) => {
    if (noRuntime) skip(noRuntime);
    const left = () => output().evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    const height = () => output().evaluate((box) => box.scrollHeight);
    const before = await height();
    await expect.poll(height).toBeGreaterThan(before);
    expect(await left()).toBeLessThan(2);
    await output().focus();
    await page.keyboard.press("Home");
    const newOutput = page.getByRole("button", { name: "Show new output" });
    await newOutput.waitFor();
    expect(await output().evaluate((box) => box.scrollTop)).toBe(0);
    await newOutput.click();
    await newOutput.waitFor({ state: "detached" });
    await expect.poll(left).toBeLessThan(2);
  },
  TEST_MS,
);

it(
  "a terminal of the pod fits its box, runs what is typed, lets the focus out, and says how it ended",
  async ({ skip }) => {
    if (noRuntime) skip(noRuntime);
    const shell = region(page, "Shell");
    await shell.getByRole("button", { name: "Open terminal" }).click();
    await shell.getByText("Connected.").waitFor();
    await page.keyboard.type('set -- $(stty size); echo "sum $((1+1)) columns $2"\n');
    const rows = shell.locator(".xterm-rows");
    await expect.poll(() => rows.textContent()).toMatch(/sum 2 columns 1\d\d/);
    await page.setViewportSize({ width: 600, height: 900 });
    await page.keyboard.type('set -- $(stty size); echo "narrow columns $2"\n');
    await expect.poll(() => rows.textContent()).toMatch(/narrow columns \d\d\D/);
    await page.keyboard.press("Control+Shift+Enter");
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Close terminal");
    await examine("terminal");
    await shell.locator(".xterm-screen").click();
    await page.keyboard.type("exit 3\n");
    await shell.getByText("The shell ended with exit code 3.").waitFor();
    await shell.getByRole("button", { name: "Open again" }).waitFor();
    expect(visit.faults).toEqual([]);
  },
  TEST_MS,
);

it(
  "a pod is stopped, found by its status, started again and deleted, after a question",
  async ({ skip }) => {
    if (noRuntime) skip(noRuntime);
    await page.locator("header").getByRole("button", { name: "Stop" }).click();
    await hasStatus("stopped");
    await page.getByText("It was stopped by a request.").first().waitFor();
    await examine("stopped");
    await page.getByRole("link", { name: "Pods" }).first().click();
    await page.getByLabel("Status").selectOption("failed");
    await page.getByRole("heading", { name: "No matching pods" }).waitFor();
    await page.getByLabel("Status").selectOption("stopped");
    await pods().getByRole("link", { name: "counting" }).waitFor();
    await pods().getByText("simulated").waitFor();
    await page.getByLabel("Status").selectOption("");
    await chooseAction(pods(), "counting", "Start");
    // The list loads itself again while a pod is about to change.
    await pods().getByText("ready", { exact: true }).waitFor({ timeout: STARTS_WITHIN_MS });
    await examine("list");
    await chooseAction(pods(), "counting", "Delete");
    const question = page.getByRole("alertdialog", { name: "Delete counting?" });
    await question.getByText("Its processes are killed at once").waitFor();
    await question.getByRole("button", { name: "Delete pod" }).click();
    await page.getByRole("heading", { name: "No pods in test mode yet" }).waitFor();
    expect(visit.faults).toEqual([]);
  },
  TEST_MS,
);

it(
  "the page of a pod that waits says why, and what would be placed now",
  async ({ skip }) => {
    if (noRuntime) skip(noRuntime);
    const asked = { image, gpu: "l40s", region: "euw", memory_mb: 1_000_000 };
    const { id } = JSON.parse((await call("POST", "pods", asked)).text) as { id: string };
    await page.goto(`${server.url}/cloud/pods/${id}`);
    const why = region(page, "Why it waits");
    await why.getByText("The pod needs 1000000 MiB of memory").waitFor();
    await why.getByText(/^The same with \d+ of 1000000 MiB of memory/).waitFor();
    await examine("waiting");
    expect((await call("DELETE", `pods/${id}`)).status).toBe(204);
    expect(visit.faults).toEqual([]);
  },
  TEST_MS,
);

it(
  "a sandbox is created, runs a script, shows its files, and is deleted after a question",
  async ({ skip }) => {
    if (noRuntime) skip(noRuntime);
    await page.goto(`${server.url}/cloud/sandboxes?mode=test`);
    await page.getByRole("heading", { name: "No sandboxes in test mode yet" }).waitFor();
    await page.locator("header").getByRole("button", { name: "Create sandbox" }).click();
    await dialog().getByLabel("Image").fill(image);
    await dialog().getByLabel("Name (optional)", { exact: true }).fill("trying");
    await dialog().getByLabel("Memory").fill("128");
    await dialog().getByRole("button", { name: "Create sandbox" }).click();
    await page.getByRole("heading", { level: 1, name: "trying" }).waitFor({ timeout: STARTS_WITHIN_MS });
    await hasStatus("running");
    await page
      .getByRole("textbox", { name: "Script" })
      .fill(`mkdir /made; echo "${HOSTILE}" > /made/file; cat /made/file; exit 3`);
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await page.getByText("It ended: exit code 3.").waitFor();
    expect(await page.getByRole("region", { name: "Standard output" }).textContent()).toContain("<img src=x");
    const files = region(page, "Files");
    await page.reload();
    await files.getByRole("button", { name: "made/" }).click();
    await files.getByRole("button", { name: "file" }).click();
    await files.getByRole("region", { name: "Content of /made/file" }).waitFor();
    await examine("sandbox");
    await page.locator("header").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete sandbox" }).click();
    await page.getByRole("heading", { name: "No sandboxes in test mode yet" }).waitFor();
    await call("POST", "sandboxes", { image, command: ["/bin/sh", "-c", "exit 1"] });
    await page.getByRole("table", { name: "Sandboxes" }).getByText("exit code 1").waitFor();
    await examine("sandboxes");
    expect(visit.faults).toEqual([]);
  },
  TEST_MS,
);

it(
  "a workspace is created, its files are edited, a change by its terminal is noticed, and it is stopped",
  async ({ skip }) => {
    if (noRuntime) skip(noRuntime);
    await page.goto(`${server.url}/cloud/workspaces?mode=test`);
    await page.getByRole("heading", { name: "No workspaces in test mode yet" }).waitFor();
    await page.locator("header").getByRole("button", { name: "Create workspace" }).click();
    await dialog().getByLabel("Name", { exact: true }).fill("writing");
    await dialog().getByLabel("Image (optional)").fill(image);
    await dialog().getByLabel("Memory").fill("128");
    await dialog().getByLabel("Disk").fill("1");
    await dialog().getByRole("button", { name: "Create workspace" }).click();
    await page.getByRole("heading", { level: 1, name: "writing" }).waitFor({ timeout: STARTS_WITHIN_MS });
    await hasStatus("running");
    const files = page.getByRole("navigation", { name: "Files of the workspace" });
    await files.getByRole("button", { name: "New file" }).click();
    await dialog().getByLabel("Path in /workspace").fill("src/notes.md");
    await dialog().getByRole("button", { name: "Create" }).click();
    const text = page.getByRole("textbox", { name: "Content of /workspace/src/notes.md" });
    await text.fill(`# ${HOSTILE}`);
    await page.keyboard.press("Control+s");
    await page.getByText("Saved.", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Open terminal" }).click();
    const terminal = page.getByRole("textbox", { name: "Terminal input" });
    await page.getByText("Connected.", { exact: true }).waitFor();
    await terminal.pressSequentially("cat src/notes.md >> src/notes.md.new; echo more >> src/notes.md; exit\n");
    await page.getByRole("button", { name: "Open again" }).waitFor();
    await text.fill("mine");
    await page.getByText("Not saved.", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("The file has changed since you opened it").waitFor();
    await page.getByRole("button", { name: "Discard mine and read it again" }).click();
    await text.getByText("more", { exact: true }).waitFor();
    await files.getByRole("button", { name: "src", exact: true }).click();
    await files.getByRole("button", { name: "notes.md.new", exact: true }).click();
    await page.getByRole("textbox", { name: "Content of /workspace/src/notes.md.new" }).getByText("onerror").waitFor();
    await examine("workspace");
    await page.locator("header").getByRole("button", { name: "Stop" }).click();
    await hasStatus("stopped");
    await page.goto(`${server.url}/cloud/workspaces?mode=test`);
    await page.getByRole("table", { name: "Workspaces" }).getByText("stopped").waitFor();
    await examine("workspaces");
    expect(visit.faults).toEqual([]);
  },
  TEST_MS,
);

it(
  "an instance is planned, its service activated, and then it runs, is stopped, and nothing is left when it is deleted",
  async ({ skip }) => {
    if (noRuntime) skip(noRuntime);
    await page.goto(`${server.url}/cloud/resources?mode=test`);
    await page.getByRole("button", { name: "Create a resource of CPU instances" }).click();
    await dialog().getByLabel("Name").fill("batch");
    await dialog().getByLabel("SKU").selectOption("Genoa");
    await dialog().getByRole("button", { name: "Edit as JSON" }).click();
    await dialog().getByLabel("Spec as JSON").fill("{");
    await dialog().getByRole("button", { name: "Use the form" }).click();
    await dialog().getByText("Enter a JSON object").waitFor();
    await dialog().getByLabel("Spec as JSON").fill('{"sku":"Genoa","image_id":"UPPER/case"}');
    await dialog().getByRole("button", { name: "Plan resource" }).click();
    await dialog().getByText("image_id: Expected an image name").waitFor();
    await dialog().getByRole("button", { name: "Use the form" }).click();
    await dialog().getByLabel("Image").fill(image);
    await dialog().getByRole("button", { name: "Plan resource" }).click();
    await page.getByText("nothing of it exists").waitFor();
    await page.getByRole("button", { name: "Activate and provision" }).click();
    await page.waitForURL(/\/resources\/res_/, { timeout: STARTS_WITHIN_MS });
    await hasStatus("ready");
    const instance = region(page, "Instance");
    await instance.getByText("running").waitFor();
    await instance.getByRole("link", { name: /^pod_/ }).waitFor();
    await examine("instance");
    await page.locator("header").getByRole("button", { name: "Stop" }).click();
    await instance.getByText("stopped").waitFor({ timeout: STARTS_WITHIN_MS });
    await page.locator("header").getByRole("button", { name: "Delete" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Delete resource" }).click();
    await page.getByRole("heading", { name: "No resources in test mode yet" }).waitFor({ timeout: STARTS_WITHIN_MS });
    await page.getByText("0 of 10 resources").waitFor();
    expect(visit.faults).toEqual([]);
  },
  TEST_MS,
);
