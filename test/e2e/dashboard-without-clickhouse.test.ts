import { expect, it } from "vitest";
import { sharedBrowser } from "../factories/browser";
import { openForFile } from "../factories/open-for-file";
import { commandOf, processTree } from "../factories/process-tree";
import { startServerProcess } from "../factories/server-process";
import { waitFor } from "../factories/wait-for";
import { logIn, openPage, region } from "./dashboard-visit";

/** Counts are stored every few seconds. */
const COUNTED_WITHIN_MS = 60_000;

/** A server of its own: its engine is stopped, which other tests would notice. */
const server = await openForFile(startServerProcess());
const context = await openForFile(
  (await sharedBrowser()).newContext({ viewport: { width: 1280, height: 900 }, locale: "en-US" }),
);
await logIn(context, server);
const page = await openPage(context, []);

const requests = () => page.getByRole("region", { name: "API requests", exact: true });
const row = () =>
  requests()
    .getByRole("table", { name: "API requests by key" })
    .getByRole("row", { name: /^live key/ });

async function shownAfterAnotherTry(): Promise<void> {
  await waitFor(
    async () => {
      const again = requests().getByRole("button", { name: "Try again" });
      if (await again.isVisible()) await again.click();
      expect(await row().count()).toBe(1);
    },
    { timeout: COUNTED_WITHIN_MS, interval: 500 },
  );
}

it("while ClickHouse does not respond, the page of usage says so and the rest of it works; a later try shows the history", async () => {
  const answer = await fetch(`${server.url}/v1/projects`, {
    headers: { authorization: `Bearer ${server.demo.api.live_key}` },
  });
  expect(answer.status).toBe(200);
  const engine = processTree(server.child.pid ?? 0).filter((pid) => commandOf(pid).includes("sidecar.mjs"));
  expect(engine).not.toEqual([]);
  for (const pid of engine) process.kill(pid, "SIGSTOP");
  try {
    await page.goto(`${server.url}/account/usage?mode=live`);
    await requests().getByText("ClickHouse, which serves the reports, is unavailable").waitFor({
      timeout: COUNTED_WITHIN_MS,
    });
    await region(page, "Limits").getByRole("heading", { name: "Projects", exact: true }).waitFor();
    await region(page, "Request rates").getByText("600 per minute").waitFor();
  } finally {
    for (const pid of engine) process.kill(pid, "SIGCONT");
  }
  await shownAfterAnotherTry();
});
