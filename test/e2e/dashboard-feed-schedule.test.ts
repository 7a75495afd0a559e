import { expect, it } from "vitest";
import { openForFile } from "../factories/open-for-file";
import { ownDemo } from "../factories/shared-server";
import { fieldState, visitDashboard } from "./campaign-visit";
import { flawsOfState } from "./look";

/** A name that never exists (RFC 6761); without a network its lookup may take as long as a fetch may wait. */
const FEED_URL = "https://shop.invalid/feed.xml";
const FETCHED_WITHIN_MS = 60_000;

const server = await ownDemo();
const visit = await openForFile(visitDashboard(server));
const page = visit.page;
await page.goto(`${server.url}/offers/campaigns`);
await page.getByRole("table", { name: "Campaigns" }).getByRole("link").first().click();
await page.waitForURL(/\/offers\/campaigns\/cmp_/);
await page.goto(`${page.url()}?tab=products`);

const section = () => page.getByRole("region", { name: "Fetch the feed from a URL" });
const dialog = () => page.getByRole("dialog", { name: "Feed schedule" });
const save = () => dialog().getByRole("button", { name: "Save schedule" }).click();

it("a feed URL is checked, saved, fetched, edited and deleted", async () => {
  await section().getByRole("button", { name: "Set a feed URL" }).click();
  await dialog().getByLabel("Feed URL").fill("http://shop.invalid/feed.xml");
  await save();
  await dialog().getByText("Expected an https URL").waitFor();
  expect(await fieldState(page, "Feed URL")).toMatchObject({ invalid: "true", focused: true });
  await dialog().getByLabel("Feed URL").fill(FEED_URL);
  await dialog().getByLabel("User name").fill("shop");
  await save();
  await dialog().getByText("Enter the password: it is required").waitFor();
  await dialog().getByLabel("Password").fill("s3cret");
  expect(await flawsOfState(page)).toEqual([]);
  await save();
  await dialog().waitFor({ state: "hidden" });
  await section().getByText(FEED_URL).waitFor();
  // The page follows the fetch to its end without a reload.
  await section().getByRole("alert").getByText("The last fetch failed.").waitFor({ timeout: FETCHED_WITHIN_MS });
  await section().getByText("Every 24 hours, as user shop").waitFor();
  expect(await flawsOfState(page)).toEqual([]);

  await section().getByRole("button", { name: "Edit schedule" }).click();
  await dialog().getByLabel("Fetch", { exact: true }).selectOption("6h");
  await dialog().getByLabel("Remove products that are no longer in the feed").uncheck();
  // The password stays without being sent.
  await save();
  await dialog().waitFor({ state: "hidden" });
  await section().getByText("Every 6 hours, as user shop").waitFor();
  await section().getByText("Kept", { exact: true }).waitFor();

  await section().getByRole("button", { name: "Delete schedule" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Delete schedule" }).click();
  await section().getByRole("button", { name: "Set a feed URL" }).waitFor();
  expect(visit.faults).toEqual([]);
});
