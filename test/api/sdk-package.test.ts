import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { buildSdk } from "../../sdk/build-sdk.mjs";

const rootDir = path.resolve(import.meta.dirname, "../..");
const run = promisify(execFile);

/** A project of somebody else that has installed the package. */
let project: string;

beforeAll(async () => {
  project = await mkdtemp(path.join(os.tmpdir(), "svc-sdk-"));
  const packages = path.join(project, "node_modules");
  await mkdir(path.join(packages, "@svc"), { recursive: true });
  const { outDir } = await buildSdk({ rootDir, outDir: path.join(project, "built") });
  await cp(outDir, path.join(packages, "@svc/sdk"), { recursive: true });
  await mkdir(path.join(packages, "@types"));
  for (const name of ["react", "@types/react", "csstype", "@types/node", "undici-types"])
    await symlink(path.join(rootDir, "node_modules", name), path.join(packages, name));
  await writeFile(path.join(project, "package.json"), '{ "type": "module" }');
}, 60_000);
afterAll(() => rm(project, { recursive: true, force: true }));

describe("the built package", () => {
  it("loads in plain Node by every name that it exports", async () => {
    const program = `
      const doors = ["", "/platform", "/command-line", "/conversions", "/prompt", "/react", "/widget"];
      for (const name of doors.map((door) => "@svc/sdk" + door)) console.log(name, Object.keys(await import(name)).sort().join());`;
    await writeFile(path.join(project, "load.js"), program);
    const { stdout } = await run(process.execPath, ["load.js"], { cwd: project });
    expect(stdout.trim().split("\n")).toEqual([
      "@svc/sdk OffersError,createOffersClient",
      "@svc/sdk/platform SvcError,createCaller,createPlatformClient",
      "@svc/sdk/command-line main",
      "@svc/sdk/conversions createConversionsClient",
      "@svc/sdk/prompt disclosure,offersPrompt",
      "@svc/sdk/react Offers",
      "@svc/sdk/widget svc",
    ]);
  });

  it("keeps the mark of a client component where Next looks for it", async () => {
    const component = await readFile(path.join(project, "node_modules/@svc/sdk/react/offers.js"), "utf8");
    expect(component.startsWith('"use client";')).toBe(true);
  });

  it.each(["nodenext", "bundler"])(
    "has types for a strict project that resolves like %s",
    async (resolution) => {
      const page = `
      import { createOffersClient, OffersError, type Offer } from "@svc/sdk";
      import { createConversionsClient } from "@svc/sdk/conversions";
      import { type CreateKeyInput, createPlatformClient, SvcError } from "@svc/sdk/platform";
      import { disclosure, offersPrompt } from "@svc/sdk/prompt";
      import { Offers } from "@svc/sdk/react";
      import { svc } from "@svc/sdk/widget";
      const client = createOffersClient({ baseUrl: "https://svc.example", apiKey: "svc_srv_" });
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
      export const csv = async (): Promise<string> => platform.reports.get({ format: "csv" });
      export const wait = (error: unknown): number | undefined => error instanceof SvcError ? error.retry_after : undefined;
      // @ts-expect-error: there is no such scope
      export const scope = platform.keys.create({ name: "ci", scopes: ["pods:fly"] });
      svc("on", "rendered", ({ ids }) => ids.join());
      // @ts-expect-error: there is no such layout
      export const wrong = <Offers layout="tower" />;
      export const slot = <Offers query="a" limit={3} layout="list" onClick={({ id }) => id.trim()} />;`;
      await writeFile(path.join(project, "page.tsx"), page);
      const module = resolution === "nodenext" ? "nodenext" : "esnext";
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
});
