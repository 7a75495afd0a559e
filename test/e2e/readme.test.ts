import { spawn } from "node:child_process";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { expect, it } from "vitest";
import {
  AGENTS,
  CHAT,
  COMMAND_LINE,
  EXPLAIN,
  OBJECT,
  OFFERS,
  ORDER,
  QUEUE,
  REPORTS,
  SECRET,
  SETUP,
} from "../../app/docs/tour/examples";
import { fileFolder } from "../factories/file-folder";
import { openForFile } from "../factories/open-for-file";
import { startServerProcess } from "../factories/server-process";

const rootDir = path.resolve(import.meta.dirname, "../..");
const SHELL_BLOCK = /^( *)```sh\n([\s\S]*?)^ *```/gm;
const BETWEEN = "=== next block ===";

const readme = await readFile(path.join(rootDir, "README.md"), "utf8");
const home = fileFolder("svc-readme-");
// Another port and another data folder than the default.
const server = await openForFile(startServerProcess({ dataDir: path.join(home, "data folder") }));

/** The shell examples of a section, without their indentation. */
function shellBlocks(title: string): string[] {
  const section = readme.split(/^## /m).find((text) => text.startsWith(`${title}\n`)) ?? "";
  return [...section.matchAll(SHELL_BLOCK)].map(([, indent = "", text = ""]) =>
    text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
  );
}

/** Pastes the blocks into one shell, in order, and returns what each of them printed. */
async function paste(blocks: readonly string[]): Promise<string[]> {
  await mkdir(path.join(home, "bin"), { recursive: true });
  const env = {
    HOME: home,
    PATH: `${home}/bin:${process.env.PATH}`,
    SVC_DATA_DIR: server.dataDir,
    npm_config_prefix: home,
    npm_config_offline: "true",
    npm_config_update_notifier: "false",
  };
  const child = spawn("bash", ["-eu", "-o", "pipefail"], { cwd: rootDir, env: { NODE_ENV: "production", ...env } });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (chunk) => (said.stdout += chunk));
  child.stderr.on("data", (chunk) => (said.stderr += chunk));
  child.stdin.end(blocks.join(`\necho "${BETWEEN}"\n`));
  const code = await new Promise((resolve) => child.once("close", resolve));
  expect(code, said.stderr).toBe(0);
  return said.stdout.split(`${BETWEEN}\n`);
}

it("has five things to try that work by copy and paste, on any port and data folder", async () => {
  const blocks = shellBlocks("Five things to try");
  const [setup, offers, explained, queue, called, ...rest] = await paste(blocks);
  expect(rest).toEqual([]);
  expect(setup).toBe("");
  expect(JSON.parse(offers ?? "").offers).toHaveLength(3);
  expect(JSON.parse(explained ?? "").channel_id).toBe(server.demo.channel.id);
  expect(queue).toMatch(/que_\w+/);
  expect(queue).toContain('{"to":"ada@example.com"}');
  expect(called).toContain('"content":"Hello"');
  expect(called).toContain('"simulated":true');
  expect(called).toContain('"gpu": "h100"');
}, 300_000);

it("goes on with a tour whose steps work in the same way", async () => {
  const steps = [OFFERS, REPORTS, EXPLAIN, ORDER, COMMAND_LINE, QUEUE, OBJECT, SECRET, CHAT, AGENTS];
  const [setup, offers, managed, explained, order, commandLine, queue, ...cloud] = await paste([SETUP, ...steps]);
  expect(setup).toBe("");
  expect(JSON.parse(offers ?? "").offers).toHaveLength(3);
  const [campaigns = "", report] = managed?.split(/\ufeff(?=day,campaign,)/) ?? [];
  expect(JSON.parse(campaigns).data.length).toBeGreaterThan(0);
  expect(report).toContain("impressions,");
  expect(JSON.parse(explained ?? "").channel_id).toBe(server.demo.channel.id);
  expect(JSON.parse(order ?? "")).toMatchObject({ attribution: "click", value_micros: 49_900_000, reason: null });
  expect(commandLine).toContain(`Logged in at ${server.url}.`);
  expect(commandLine).toMatch(/^cmp_\w+ .* live /m);
  expect(commandLine).toMatch(/scopes +ads:read/);
  expect(queue).toMatch(/que_\w+/);
  expect(queue).toContain('{"to":"ada@example.com"}');
  const [stored, secret, chat, tools, ...rest] = cloud;
  expect(rest).toEqual([]);
  expect(stored).toMatch(/bkt_\w+/);
  expect(stored).toMatch(/hello\.txt[^\n]*\nHello from a bucket\n$/);
  expect(secret).toMatch(/sct_\w+/);
  expect(secret).toMatch(/\ncorrect horse battery staple\n?$/);
  expect(chat).toContain('"content":"Hello"');
  expect(chat).toContain('"simulated":true');
  expect(chat).toMatch(/What is an idempotency key\?\n$/);
  expect(tools).toMatch(/^svc_pods_create +Creates a pod/m);
  expect(tools).toMatch(/"url": "[^"]+notes\/today\.txt\?/);
}, 300_000);

it("puts no key into the arguments of the command line", () => {
  expect(COMMAND_LINE).toContain("svc login");
  const commands = [...shellBlocks("Five things to try"), COMMAND_LINE].join("\n");
  expect(commands).not.toMatch(/--key (?!-( |$))/m);
});
