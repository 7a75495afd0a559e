import { randomBytes } from "node:crypto";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import type { Route } from "playwright-core";
import { expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { ownTenant } from "../factories/shared-server";
import { fieldState, rowsOf, visitDashboard } from "./campaign-visit";
import { region } from "./dashboard-visit";
import { flawsOfState } from "./look";
import { chooseAction } from "./row-actions";
import { stepsInOrder } from "./steps-in-order";

const TEST_MS = 300_000;
/** Names of buckets are unique in an installation. */
const [REPORTS, EMPTY] = [`acme-${randomBytes(4).toString("hex")}`, `empty-${randomBytes(4).toString("hex")}`];
const MARK = "document.documentElement.setAttribute('data-ran', '1')";
const HTML = `<html><body><img src=x onerror="${MARK}"><script>${MARK}</script></body></html>`;
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" onload="${MARK}"><script>${MARK}</script><rect width="20" height="10"/></svg>`;
const PNG = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==",
  "base64",
);
const LARGE_BYTES = 8_000_000;
const SLOW_BYTES_PER_SECOND = 400_000;
/** One more than a page of the list. */
const MANY = 101;

let bucketUrl: string;

const server = await ownTenant();
const visit = await openForFile(visitDashboard(server));
const page = visit.page;
const network = await visit.context.newCDPSession(page);
stepsInOrder();

const dialog = () => page.getByRole("dialog");
const question = () => page.getByRole("alertdialog");
const button = (name: string) => page.getByRole("button", { name, exact: true });
const uploads = () => region(page, "Uploads");
const names = () => page.getByRole("rowheader").allTextContents();
const shows = (expected: string[]) => expect.poll(names).toEqual(expected);
const uploadsSay = (text: string) => uploads().getByRole("status").getByText(text, { exact: true }).waitFor();
const openList = () => page.goto(`${server.url}/cloud/storage?mode=live`);
const openBucket = (query = "") => page.goto(bucketUrl + query);
const openObject = (name: string) => page.getByRole("rowheader").getByRole("button", { name, exact: true }).click();

interface TestFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}

const file = (name: string, mimeType: string, content: string | Buffer): TestFile => ({
  name,
  mimeType,
  buffer: Buffer.from(content),
});

const choose = (...files: TestFile[]) => page.getByLabel("Files to upload").setInputFiles(files);

/** Limits what the page sends; undefined ends the limit. */
const limitUploads = (bytesPerSecond = -1) =>
  network.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: bytesPerSecond,
  });

/** Looks at a state of a page that only this flow comes to: uploads, objects and questions about them. */
const examine = async (name: string) => expect([name, await flawsOfState(page)]).toEqual([name, []]);

async function startBucket(name: string): Promise<void> {
  await openList();
  await page.locator("header").getByRole("button", { name: "Create bucket" }).click();
  await dialog().getByLabel("Name").fill(name);
  await dialog().getByRole("button", { name: "Create bucket" }).click();
}

async function createBucket(name: string): Promise<void> {
  await startBucket(name);
  await page.waitForURL(/\/storage\/bkt_/);
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
  await page.getByRole("heading", { name: "The bucket is empty" }).waitFor();
}

it(
  "an empty list says what a bucket is; bad and taken names are refused beside the field",
  async () => {
    await openList();
    await page.getByRole("heading", { name: "No buckets in live mode yet" }).waitFor();
    for (const [name, problem] of [
      ["ab", "Expected 3 to 63 characters."],
      ["No Spaces", "Expected only lower-case letters, digits, hyphens and dots."],
    ] as const) {
      await startBucket(name);
      await expect.poll(() => fieldState(page, "Name")).toMatchObject({ invalid: "true", focused: true });
      expect((await fieldState(page, "Name")).said).toContain(problem);
    }
    await examine("refused name");
    await createBucket(REPORTS);
    bucketUrl = page.url();
    await startBucket(REPORTS);
    await dialog().getByText("is taken in this installation").waitFor();
  },
  TEST_MS,
);

it(
  "files are uploaded into folders, which are browsed",
  async () => {
    await openBucket();
    await choose(
      file("notes.txt", "text/plain", "Hello\n<b>World</b>"),
      file("page.html", "text/html", HTML),
      file("picture.svg", "image/svg+xml", SVG),
      file("pixel.png", "image/png", PNG),
      file("broken.png", "image/png", "no image"),
    );
    await uploadsSay("5 of 5 files uploaded");
    await shows(["broken.png", "notes.txt", "page.html", "picture.svg", "pixel.png"]);
    await openBucket("?prefix=reports/2026/");
    await page.getByRole("heading", { name: "This folder is empty" }).waitFor();
    await choose(file("1.csv", "text/csv", "a,b"), file("2.csv", "text/csv", "c,d"));
    await shows(["1.csv", "2.csv"]);
    const path = page.getByRole("navigation", { name: "Folder" });
    await path.getByRole("button", { name: REPORTS }).click();
    await shows(["reports/", "broken.png", "notes.txt", "page.html", "picture.svg", "pixel.png"]);
    await openObject("reports/");
    await shows(["2026/"]);
    await page.goBack();
    await expect.poll(async () => (await names()).length).toBe(6);
    await examine("objects");
  },
  TEST_MS,
);

it(
  "a large upload shows its progress, goes on behind other tabs, asks before the page is left, and is stopped and retried",
  async () => {
    await button("Clear list").click();
    await limitUploads(SLOW_BYTES_PER_SECOND);
    await choose(file("large.bin", "", Buffer.alloc(LARGE_BYTES, 1)), file("small.bin", "", "x"));
    const progress = uploads().getByRole("progressbar", { name: "Progress of large.bin" });
    await expect.poll(() => progress.evaluate((bar: HTMLProgressElement) => bar.value)).toBeGreaterThan(0);
    await examine("uploading");
    await page.getByRole("tab", { name: "Usage" }).click();
    await page.getByRole("link", { name: "Queues" }).click();
    await question().getByRole("button", { name: "Keep uploading" }).click();
    await page.getByRole("tab", { name: "Objects" }).click();
    await button("Stop large.bin").click();
    await uploads().getByText("Stopped.").waitFor();
    await uploadsSay("1 of 2 files uploaded, 1 failed");
    await limitUploads();
    await button("Try again: large.bin").click();
    await uploadsSay("2 of 2 files uploaded");
    await expect.poll(async () => (await names()).includes("large.bin")).toBe(true);
  },
  TEST_MS,
);

it(
  "an upload that fails says why, and another of the same name asks first",
  async () => {
    await button("Clear list").click();
    const broken = (route: Route) => (route.request().method() === "PUT" ? route.abort() : route.fallback());
    await page.route("**/v1/s3/**", broken);
    await choose(file("lost.txt", "text/plain", "lost"));
    await uploads().getByText("The connection was lost.").waitFor();
    await page.unroute("**/v1/s3/**", broken);
    await button("Try again: lost.txt").click();
    await uploadsSay("1 of 1 file uploaded");
    await choose(file("notes.txt", "text/plain", "other"));
    await question().getByText("notes.txt exists already.").waitFor();
    await question().getByRole("button", { name: "Cancel" }).click();
    await question().waitFor({ state: "detached" });
    await uploadsSay("1 of 1 file uploaded");
    await choose(file("small.bin", "", "longer"));
    await question().getByRole("button", { name: "Replace object" }).click();
    await uploadsSay("2 of 2 files uploaded");
    await expect
      .poll(async () => (await rowsOf(page, "Objects")).find((row) => row[1] === "small.bin")?.[2])
      .toBe("6 B");
  },
  TEST_MS,
);

it(
  "images and text are shown; what is in a file never runs, neither in the page nor from its link",
  async () => {
    await openObject("notes.txt");
    await expect.poll(() => dialog().locator("pre").textContent()).toBe("Hello\n<b>World</b>");
    await page.keyboard.press("Escape");
    await openObject("pixel.png");
    const image = dialog().getByRole("img");
    await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(1);
    await dialog().getByLabel("Link that expires in").selectOption("1 day");
    await dialog().getByRole("button", { name: "Create link" }).click();
    await dialog().getByText("Works until").waitFor();
    const link = (await dialog().locator("pre").textContent()) ?? "";
    expect(new URL(link).searchParams.get("X-Amz-Expires")).toBe("86400");
    expect(Buffer.from(await (await fetch(link)).arrayBuffer())).toEqual(PNG);
    await examine("object");
    await page.keyboard.press("Escape");
    await openObject("broken.png");
    await dialog().getByText("No preview: the content is not an image").waitFor();
    await page.keyboard.press("Escape");
    for (const name of ["page.html", "picture.svg"]) {
      await openObject(name);
      if (name === "page.html") await expect.poll(() => dialog().locator("pre").textContent()).toBe(HTML);
      else await expect.poll(() => image.evaluate((shown: HTMLImageElement) => shown.naturalWidth)).toBe(20);
      await dialog().getByRole("button", { name: "Create link" }).click();
      await dialog().getByText("Works until").waitFor();
      const tab = await visit.context.newPage();
      await tab.goto((await dialog().locator("pre").last().textContent()) ?? "");
      expect(await tab.locator(":root").getAttribute("data-ran")).toBe(null);
      await tab.close();
      await page.keyboard.press("Escape");
      await dialog().waitFor({ state: "detached" });
    }
    expect(await page.locator(":root").getAttribute("data-ran")).toBe(null);
    const [saved] = await Promise.all([page.waitForEvent("download"), chooseAction(page, "page.html", "Download")]);
    expect(saved.suggestedFilename()).toBe("page.html");
  },
  TEST_MS,
);

it(
  "S3 credentials are shown once, not lost by a stray key, and work",
  async () => {
    await openList();
    await button("S3 credentials").click();
    await dialog().getByRole("button", { name: "Create credentials" }).click();
    const text = (await dialog().locator("pre").textContent()) ?? "";
    const shown = Object.fromEntries(text.split("\n").map((line) => line.split(/=(.*)/, 2)));
    await page.keyboard.press("Escape");
    await dialog().getByRole("button", { name: "I have stored them" }).click();
    await dialog().waitFor({ state: "detached" });
    expect(await page.content()).not.toContain(shown.AWS_SECRET_ACCESS_KEY);
    const s3 = new S3Client({
      endpoint: shown.AWS_ENDPOINT_URL_S3,
      region: shown.AWS_REGION,
      forcePathStyle: true,
      credentials: { accessKeyId: shown.AWS_ACCESS_KEY_ID, secretAccessKey: shown.AWS_SECRET_ACCESS_KEY },
    });
    const keys = Array.from({ length: MANY }, (_, i) => `many/${String(i).padStart(3, "0")}`);
    await Promise.all(keys.map((Key) => s3.send(new PutObjectCommand({ Bucket: REPORTS, Key, Body: "x" }))));
    s3.destroy();
  },
  TEST_MS,
);

it(
  "one object is deleted, many are, and a folder with everything in it",
  async () => {
    await openBucket("?prefix=many/");
    await expect.poll(async () => (await names()).length).toBe(MANY - 1);
    await button("Show more").click();
    await expect.poll(async () => (await names()).length).toBe(MANY);
    await chooseAction(page, "many/000", "Delete");
    await question().getByRole("button", { name: "Delete object" }).click();
    await expect.poll(async () => (await names()).includes("000")).toBe(false);
    await page.getByLabel("Select 001").check();
    await page.getByLabel("Select 002").check();
    await button("Delete 2 selected").click();
    await question().getByText("This is permanent.").waitFor();
    await question().getByRole("button", { name: "Delete", exact: true }).click();
    await expect.poll(async () => (await names())[0]).toBe("003");
    await openBucket();
    await page.getByLabel("Select many/").check();
    await page.getByLabel("Select lost.txt").check();
    await button("Delete 2 selected").click();
    await question().getByText("Delete 1 object and 1 folder?").waitFor();
    await examine("delete many");
    await question().getByRole("button", { name: "Delete", exact: true }).click();
    await shows([
      "reports/",
      "broken.png",
      "large.bin",
      "notes.txt",
      "page.html",
      "picture.svg",
      "pixel.png",
      "small.bin",
    ]);
  },
  TEST_MS,
);

it(
  "settings are saved, and what is wrong with a rule is said beside its field",
  async () => {
    await openBucket("?tab=settings");
    await page.getByLabel("Public", { exact: true }).check();
    await page.getByLabel("Keep older versions").check();
    await button("Save changes").click();
    await page.locator("header").getByText("public", { exact: true }).waitFor();
    const address = `${server.url}/v1/s3/${REPORTS}/notes.txt`;
    await expect.poll(async () => (await fetch(address)).status).toBe(200);

    await button("Add lifecycle rule").click();
    await button("Save lifecycle rules").click();
    await page.getByText("Enter at least one number of days.").waitFor();
    await page.getByLabel("Delete objects after").fill("0");
    await button("Save lifecycle rules").click();
    await page.getByText("Enter 1 or more.").waitFor();
    await page.getByLabel("Delete objects after").fill("30");
    await page.getByLabel("Move to warm after").fill("9");
    await page.getByLabel("Move to cold after").fill("5");
    await button("Save lifecycle rules").click();
    await page.getByText("Enter more days than for warm").waitFor();
    await page.getByLabel("Move to cold after").fill("20");
    await button("Save lifecycle rules").click();
    await page.getByText("Lifecycle rules saved.").waitFor();

    await button("Add CORS rule").click();
    await page.getByLabel("Origins").fill("https://app.example/");
    await button("Save CORS rules").click();
    await page.getByText("is not an origin").waitFor();
    await page.getByLabel("Origins").fill("https://app.example");
    await page.getByLabel("GET").uncheck();
    await button("Save CORS rules").click();
    await page.getByText("Choose at least one method.").waitFor();
    await examine("settings");
    await page.getByLabel("PUT").check();
    await button("Save CORS rules").click();
    await page.getByText("CORS rules saved.").waitFor();

    await openBucket("?tab=settings");
    await expect.poll(() => page.getByLabel("Delete objects after").inputValue()).toBe("30");
    expect(await page.getByLabel("Origins").inputValue()).toBe("https://app.example");
    expect(await page.getByLabel("PUT").isChecked()).toBe(true);
    expect(await page.getByLabel("Move to cold after").inputValue()).toBe("20");
    await page.getByLabel("Public", { exact: true }).uncheck();
    await page.getByLabel("Storage class of new objects").selectOption("archive");
    await button("Save changes").click();
    await expect.poll(async () => (await fetch(address)).status).toBe(403);
  },
  TEST_MS,
);

it(
  "a policy is edited as JSON, what the server says of it is beside it, and the encryption is chosen",
  async () => {
    const policy = () => page.getByRole("textbox", { name: /^Policy/ });
    const save = async (text: string) => {
      await policy().fill(text);
      await button("Save policy").click();
    };
    const allowed = {
      Effect: "Allow",
      Principal: "*",
      Action: "s3:GetObject",
      Resource: `arn:aws:s3:::${REPORTS}/notes.txt`,
    };
    const policyWith = (...statements: object[]) => JSON.stringify({ Version: "2012-10-17", Statement: statements });
    await openBucket("?tab=settings");
    await save("{");
    await page.getByText("The policy is not valid JSON: ").waitFor();
    await expect.poll(() => policy().getAttribute("aria-invalid")).toBe("true");
    await save(policyWith(allowed, { ...allowed, Principal: { AWS: "anyone" } }));
    await page.getByText('Statement 2: Principal has "anyone"').waitFor();
    await examine("refused policy");
    await save(policyWith(allowed));
    await page.getByText("Policy saved.").waitFor();
    await page.getByLabel("Encryption of new objects").selectOption("AES256");
    await button("Save changes").click();
    await page.getByText("Bucket saved.").waitFor();

    await openBucket("?tab=settings");
    await expect.poll(() => policy().inputValue()).toBe(JSON.stringify(JSON.parse(policyWith(allowed)), null, 2));
    expect(await page.getByLabel("Encryption of new objects").inputValue()).toBe("AES256");
    await examine("policy");
    await save("");
    await page.getByText("Policy saved.").waitFor();
    await openBucket("?tab=settings");
    await expect.poll(() => policy().inputValue()).toBe("");
  },
  TEST_MS,
);

it(
  "an object of the archive is labelled, and restored for some days",
  async () => {
    await openBucket();
    await choose(file("frozen.txt", "text/plain", "ice"));
    await page.getByRole("rowheader").getByText("archive", { exact: true }).waitFor();
    await openObject("frozen.txt archive");
    await dialog().getByText("must be restored before it can be read").waitFor();
    await dialog().getByLabel("Readable for days").fill("3");
    await dialog().getByRole("button", { name: "Restore", exact: true }).click();
    await dialog()
      .getByText(/^It can be read from/)
      .waitFor();
    await examine("archived object");
  },
  TEST_MS,
);

it(
  "the usage is shown now and over time, and in the list",
  async () => {
    await openBucket("?tab=usage");
    await page.getByRole("img", { name: "Size of the bucket over time" }).waitFor();
    await page.getByText("Figures", { exact: true }).click();
    await expect
      .poll(async () => (await rowsOf(page, "Size and objects over time"))[0]?.slice(1))
      .toEqual(["8 MB", "10"]);
    await openList();
    await expect
      .poll(() => rowsOf(page, "Buckets"))
      .toEqual([[REPORTS, "8 MB", "10", "private", "on", expect.any(String)]]);
  },
  TEST_MS,
);

it(
  "a bucket is deleted by typing its name, with its progress; an empty one at once",
  async () => {
    await createBucket(EMPTY);
    await deleteBucket(EMPTY);
    await page.waitForURL(/\/cloud\/storage$/);
    await expect.poll(names).toEqual([REPORTS]);
    const held = await holdDeletion();
    await openBucket();
    await page.getByRole("rowheader").first().waitFor();
    await deleteBucket(REPORTS);
    await page.getByText(`${REPORTS} is being deleted: 1,200 of 5,000 object versions so far.`).waitFor();
    await examine("deletion");
    await held.release();
    await page.getByRole("heading", { name: "The bucket has been deleted" }).waitFor();
    await page.getByRole("link", { name: "All buckets" }).click();
    await page.getByRole("heading", { name: "No buckets in live mode yet" }).waitFor();
    expect(visit.faults).toEqual([]);
  },
  TEST_MS,
);

async function deleteBucket(name: string): Promise<void> {
  await page.getByRole("tab", { name: "Settings" }).click();
  await button("Delete bucket").click();
  const confirm = dialog().getByRole("button", { name: "Delete bucket" });
  await confirm.click();
  await dialog().getByText(`Type ${name} to confirm.`).waitFor();
  await dialog().getByRole("textbox").fill(name);
  await confirm.click();
}

interface Answer {
  result?: { data: { deletion: object | null } };
}

/** What the page loads of a bucket stays in the middle of its deletion, from the deletion on until it is released. */
async function holdDeletion(): Promise<{ release: () => Promise<void> }> {
  const deletion = { started_at: new Date().toISOString(), deleted: 1200, total: 5000 };
  let isDeleting = false;
  let known: Answer["result"];
  const pattern = /\/api\/trpc\/[^?]*(getBucket|deleteBucket)/;
  const hold = async (route: Route) => {
    // A request can be for several procedures at once.
    const asked = new URL(route.request().url()).pathname.split("/").at(-1)?.split(",") ?? [];
    if (asked.includes("deleteBucket")) isDeleting = true;
    const response = await route.fetch();
    const answers = (await response.json()) as Answer[];
    const at = asked.indexOf("getBucket");
    known = answers[at]?.result ?? known;
    if (at < 0 || !isDeleting) return route.fulfill({ response });
    answers[at] = { result: { data: { ...known?.data, deletion } } };
    return route.fulfill({ status: 200, json: answers });
  };
  await page.route(pattern, hold);
  // Requests under way are answered first.
  return { release: () => page.unrouteAll({ behavior: "wait" }) };
}
