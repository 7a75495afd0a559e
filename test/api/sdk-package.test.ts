import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { launchBrowser } from "../factories/browser";
import { sdkProject } from "./sdk-project";

const rootDir = path.resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

const installed = await sdkProject(rootDir);
/** A project of somebody else that has installed the packed file. */
const project = installed.dir;
const packages = path.join(project, "node_modules");
await mkdir(path.join(packages, "@types"));
for (const name of ["react", "@types/react", "csstype", "@types/node", "undici-types"])
  await symlink(path.join(rootDir, "node_modules", name), path.join(packages, name));
afterAll(() => installed?.remove());

describe("the packed file", () => {
  it("contains what was built and nothing else", async () => {
    const { stdout } = await run("tar", ["-tzf", installed.packed]);
    const names = stdout.trim().split("\n");
    expect(names.filter((name) => !/^package\/dist\/.+\.(js|d\.ts)$/.test(name)).sort()).toEqual([
      "package/README.md",
      "package/package.json",
    ]);
    expect(names.filter((name) => name.includes(".test."))).toEqual([]);
  });

  it("loads in plain Node by every name that it exports", async () => {
    const program = `
      const doors = ["", "/platform", "/command-line", "/chat", "/conversions", "/prompt", "/react", "/webhooks", "/widget"];
      for (const name of doors.map((door) => "@svc/sdk" + door)) console.log(name, Object.keys(await import(name)).sort().join());`;
    await writeFile(path.join(project, "load.js"), program);
    const { stdout } = await run(process.execPath, ["load.js"], { cwd: project });
    expect(stdout.trim().split("\n")).toEqual([
      "@svc/sdk OffersClient,OffersError,SvcClient,SvcError,WebhookVerificationError,createOffersClient,parseJson,stringifyJson,webhooks",
      "@svc/sdk/platform SvcError,createCaller,createPlatformClient,parseJson,stringifyJson",
      "@svc/sdk/command-line main",
      "@svc/sdk/chat ResponseError,createChatClient",
      "@svc/sdk/conversions createConversionsClient",
      "@svc/sdk/prompt disclosure,offersPrompt",
      "@svc/sdk/react Offers",
      "@svc/sdk/webhooks WebhookVerificationError,webhooks",
      "@svc/sdk/widget svc",
    ]);
  });

  it("keeps the mark of a client component where Next looks for it", async () => {
    const component = await readFile(path.join(project, "node_modules/@svc/sdk/dist/react/offers.js"), "utf8");
    expect(component.startsWith('"use client";')).toBe(true);
  });

  it.each(["node16", "nodenext", "bundler"])(
    "has types for a strict project that resolves like %s",
    async (resolution) => {
      const page = `
      import { createOffersClient, OffersClient, OffersError, SvcClient, type Offer } from "@svc/sdk";
      import { type ChatChunk, createChatClient, ResponseError } from "@svc/sdk/chat";
      import { createConversionsClient } from "@svc/sdk/conversions";
      import { type CreateKeyInput, createPlatformClient, SvcError } from "@svc/sdk/platform";
      import { disclosure, offersPrompt } from "@svc/sdk/prompt";
      import { Offers } from "@svc/sdk/react";
      import { type WebhookEvent, webhooks } from "@svc/sdk/webhooks";
      import { svc } from "@svc/sdk/widget";
      const client = createOffersClient({ baseUrl: "https://svc.example", apiKey: "svc_srv_" });
      const short: OffersClient = new OffersClient({ baseUrl: "https://svc.example", apiKey: "svc_srv_" });
      export const shown = async (): Promise<void> => short.impressions(["a"]);
      const both: SvcClient = new SvcClient({ baseUrl: "https://svc.example", key: "svc_test_" });
      export const own = async (): Promise<string> => (await both.tenants.get()).name;
      // @ts-expect-error: there is no such operation
      both.tenants.fly();
      export const first = async (): Promise<Offer | undefined> => (await client.offers({ query: "a" })).offers[0];
      export const prompt = (offers: Offer[]): string => offersPrompt(offers, { locale: "de" }) + disclosure;
      export const code = (error: unknown) => error instanceof OffersError && error.code === "rate_limited";
      export const order = createConversionsClient({ baseUrl: "", apiKey: "" }).report({ order_id: "1" });
      const platform = createPlatformClient({ baseUrl: "https://svc.example", key: "svc_test_" });
      const ci: CreateKeyInput = { name: "ci", project: "p", scopes: ["pods:read"] };
      export const made = async (): Promise<string> => (await platform.keys.create(ci)).key;
      export async function names(): Promise<string[]> {
        const found: string[] = [];
        for await (const { name } of platform.projects.list({ limit: 10 })) found.push(name);
        return found;
      }
      const chat = createChatClient({ baseUrl: "https://svc.example", key: "svc_test_" });
      export async function* words(): AsyncGenerator<string> {
        const pieces: AsyncGenerator<ChatChunk> = chat.stream({ model: "m", messages: [{ role: "user", content: "a" }] });
        for await (const { choices } of pieces) yield choices[0]?.delta.content ?? "";
      }
      export const status = (error: unknown) => error instanceof ResponseError && error.status === 429;
      export const csv = async (): Promise<string> => platform.reports.get({ format: "csv" });
      export const wait = (error: unknown): number | undefined => error instanceof SvcError ? error.retry_after : undefined;
      export const event = (body: Uint8Array, headers: Headers): Promise<WebhookEvent> =>
        webhooks.verify(body, headers, ["whsec_b2xk", "whsec_bmV3"], { toleranceSeconds: 60 });
      export const fromNode = (body: string, headers: Record<string, string | string[] | undefined>) =>
        webhooks.verify<WebhookEvent<{ campaign_id: string }>>(body, headers, "whsec_b2xk").then(({ data }) => data.campaign_id);
      // @ts-expect-error: there is no such scope
      export const scope = platform.keys.create({ name: "ci", scopes: ["pods:fly"] });
      svc("on", "rendered", ({ ids }) => ids.join());
      // @ts-expect-error: there is no such layout
      export const wrong = <Offers layout="tower" />;
      export const slot = <Offers query="a" limit={3} layout="list" onClick={({ id }) => id.trim()} />;`;
      await writeFile(path.join(project, "page.tsx"), page);
      const module = resolution === "bundler" ? "esnext" : resolution;
      const options = [
        "--noEmit",
        "--strict",
        "--exactOptionalPropertyTypes",
        "--jsx",
        "react-jsx",
        "--target",
        "es2022",
      ];
      const tsc = path.join(rootDir, "node_modules/typescript/bin/tsc");
      const args = [tsc, ...options, "--module", module, "--moduleResolution", resolution, "page.tsx"];
      const { stdout } = await run(process.execPath, args, { cwd: project }).catch((failure) => failure);
      expect(stdout).toBe("");
    },
    60_000,
  );

  it("works in Chromium from one import, with a browser key and without a secret one", async () => {
    const program = `
      import { OffersClient, SvcClient } from "@svc/sdk";
      const letters = "a".repeat(48);
      const refused = (make) => { try { make(); return "accepted"; } catch (error) { return error.message; } };
      window.secrets = [
        refused(() => new OffersClient({ baseUrl: location.origin, apiKey: "svc_srv_" + letters })),
        refused(() => new SvcClient({ baseUrl: location.origin, key: "svc_live_" + letters })),
        refused(() => new SvcClient({ baseUrl: location.origin, channelKey: "svc_srv_" + letters })),
      ];
      const apiKey = "svc_pub_" + letters;
      const asked = [
        new OffersClient({ baseUrl: location.origin, apiKey }).offers({ query: "boots" }),
        new SvcClient({ baseUrl: location.origin, channelKey: apiKey }).offers.serve({ query: "hats" }),
      ];
      Promise.all(asked).then((found) => (window.found = found), (error) => (window.found = String(error)));`;
    await writeFile(path.join(project, "page.js"), program);
    const { outputFiles } = await build({
      entryPoints: [path.join(project, "page.js")],
      bundle: true,
      write: false,
      format: "iife",
    });
    const script = outputFiles[0]?.text ?? "";
    const seen: string[] = [];
    const server = createServer(async (request, response) => {
      if (request.method === "GET") return void response.setHeader("content-type", "text/html").end("<!doctype html>");
      let body = "";
      for await (const chunk of request) body += chunk;
      seen.push(`${request.url} ${request.headers["x-svc-api-key"]} ${JSON.parse(body).query}`);
      response.setHeader("content-type", "application/json").end('{"offers":[]}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const browser = await launchBrowser();
    try {
      const page = await browser.newPage();
      await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
      await page.addScriptTag({ content: script });
      const found = await page.waitForFunction(() => Reflect.get(window, "found"));
      expect(await found.jsonValue()).toEqual([{ offers: [] }, { offers: [] }]);
      const key = `svc_pub_${"a".repeat(48)}`;
      expect(seen.sort()).toEqual([`/api/v1/offers ${key} boots`, `/api/v1/offers ${key} hats`]);
      const secrets = (await page.evaluate(() => Reflect.get(window, "secrets"))) as string[];
      expect(secrets).toHaveLength(3);
      for (const message of secrets) expect(message).toContain("must not be used in a page");
    } finally {
      await browser.close();
      server.close().closeAllConnections();
    }
  });
});
