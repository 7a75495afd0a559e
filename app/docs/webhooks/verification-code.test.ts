import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, describe, expect, it } from "vitest";
import { webhooks } from "../../../sdk/webhooks";
import { fileFolder } from "../../../test/factories/file-folder";
import { freePort } from "../../../test/factories/free-port";
import { VERIFICATION_CODE } from "./verification-code";

const SECRET = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 8).toString("base64")}`;
const BODY = JSON.stringify({ id: "evt_1", type: "project.created", data: { name: "Käse 🧀" } });
/** Few machines have it. */
const GO = "go";
const TOO_LATE_MS = 301_000;

const started: ChildProcess[] = [];
const folder = fileFolder("svc-snippets-");
afterAll(() => {
  for (const child of started) child.kill("SIGKILL");
});

type Language = keyof typeof VERIFICATION_CODE;

/** Starts the program of the documentation on a free port, and resolves with its address when it responds. */
async function receiver(language: Language): Promise<string> {
  const port = await freePort();
  const code = VERIFICATION_CODE[language].code.replace("4000", String(port));
  const [program, ...args] = await PREPARE[language](code);
  const child = spawn(program, args, {
    env: { ...process.env, SVC_WEBHOOK_SECRET: SECRET },
    stdio: "ignore",
  });
  started.push(child);
  const address = `http://localhost:${port}/`;
  await expect.poll(() => statusOf(address, BODY, {}).catch(() => 0)).toBe(400);
  return address;
}

/** Writes the program to a file, and returns the command that runs it. */
const PREPARE: Record<Language, (code: string) => Promise<[string, ...string[]]>> = {
  node: async (code) => {
    await bundle(code, path.join(folder, "receiver.mjs"));
    return [process.execPath, path.join(folder, "receiver.mjs")];
  },
  python: async (code) => {
    writeFileSync(path.join(folder, "receiver.py"), code);
    return ["python3", path.join(folder, "receiver.py")];
  },
  go: async (code) => {
    writeFileSync(path.join(folder, "receiver.go"), code);
    const env = { ...process.env, GO111MODULE: "off", CGO_ENABLED: "0" };
    execFileSync(GO, ["build", "-o", "receiver", "receiver.go"], { cwd: folder, env });
    return [path.join(folder, "receiver")];
  },
};

/** With the SDK of this repository in place of the installed package. */
const bundle = (code: string, outfile: string) =>
  build({
    stdin: { contents: code, resolveDir: import.meta.dirname, loader: "js" },
    alias: { "@svc/sdk": path.resolve(import.meta.dirname, "../../../sdk/webhooks.ts") },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    tsconfigRaw: {},
    logLevel: "silent",
  });

const statusOf = async (address: string, body: string, headers: Record<string, string>): Promise<number> =>
  (await fetch(address, { method: "POST", body, headers })).status;

const has = (...command: [string, string]): boolean => spawnSync(command[0], [command[1]]).status === 0;
const IS_INSTALLED: Record<Language, boolean> = {
  node: true,
  python: has("python3", "--version"),
  go: has(GO, "version"),
};

describe.each(["node", "python", "go"] as const)("the receiver for %s", (language) => {
  const why = IS_INSTALLED[language] ? "" : " (skipped: it is not installed)";
  it.skipIf(!IS_INSTALLED[language])(`accepts what is signed with its secret, and nothing else${why}`, async () => {
    const address = await receiver(language);
    const sent = async (secret: string | string[], { ms = 0, body = BODY } = {}) =>
      statusOf(address, body, await webhooks.sign(BODY, secret, { now: () => Date.now() + ms }));
    expect({
      own: await sent(SECRET),
      rotated: await sent([OTHER_SECRET, SECRET]),
      other: await sent(OTHER_SECRET),
      changed: await sent(SECRET, { body: `${BODY} ` }),
      // Far enough from the edge of 300 s for a busy machine.
      withinTolerance: await sent(SECRET, { ms: -200_000 }),
      old: await sent(SECRET, { ms: -TOO_LATE_MS }),
      future: await sent(SECRET, { ms: 2 * TOO_LATE_MS }),
    }).toEqual({ own: 204, rotated: 204, other: 400, changed: 400, withinTolerance: 204, old: 400, future: 400 });
    const malformed = ["", "t=,v1=", "v1=00", `t=${"9".repeat(500)},v1=00`, "t=1,v1=é".normalize("NFD"), "t=-1,v1=0"];
    for (const header of malformed) {
      const headers = { "X-SVC-Signature": Buffer.from(header).toString("latin1"), "X-SVC-Timestamp": "1" };
      expect(await statusOf(address, BODY, headers), header).toBe(400);
    }
  });
});

it("reads the secret from the environment in every language", () => {
  for (const { code } of Object.values(VERIFICATION_CODE)) expect(code).toContain("SVC_WEBHOOK_SECRET");
});
