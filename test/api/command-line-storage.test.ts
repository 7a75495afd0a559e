import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { makeTenant } from "../factories/app";
import { manage, platformKey, raiseRate } from "../factories/calls";
import { fileFolder } from "../factories/file-folder";
import { openForFile } from "../factories/open-for-file";
import { servedSvc } from "../factories/served-svc";
import { testProgram } from "../factories/test-program";
import { type TypedLine, typeLine } from "../factories/typed-line";

const MIB = 1024 * 1024;
const folder = fileFolder("svc-storage-");
const program = await testProgram(path.resolve(import.meta.dirname, "../../sdk/command-line/svc.ts"), {
  packages: "bundle",
  target: "es2022",
});
const at = (...names: string[]): string => path.join(folder, ...names);

const svc = await openForFile(servedSvc());
const ctx = await makeTenant(svc.test);
await raiseRate(svc.test, ctx.tenantId);
const key = await platformKey(ctx, { scopes: ["storage:read", "storage:write"], mode: "test" });
const made = await manage(svc.test, "/v1/storage/buckets", { key, body: { name: "command-line" } });
expect(made.status).toBe(201);
beforeEach(() => {
  svc.state.requests.length = 0;
  svc.state.holds = () => false;
});

/** Types a line at the real svc; `~` is the folder of this test, and `box` its bucket. */
async function type(argv: string, more: Partial<TypedLine> = {}) {
  const words = argv.split(" ").map((word) => word.replace("~", folder).replace("://box", "://command-line"));
  const { done, said, written } = typeLine(["storage", ...words], { key, svc: svc.url, ...more });
  return { code: await done, ...said, written };
}

/** The program as a process. */
function start(...argv: string[]) {
  const env = { ...process.env, SVC_API_KEY: key, SVC_BASE_URL: svc.url };
  const child = spawn(process.execPath, [program, "storage", ...argv], { env, stdio: "ignore" });
  return { child, ended: new Promise((resolve) => child.on("exit", (code, signal) => resolve(signal ?? code))) };
}
const partsSent = (): string[] => svc.state.requests.filter((line) => /^PUT .*partNumber=/.test(line));

describe("svc storage, at a real svc", () => {
  it("copies 40 MiB both ways in parts, byte for byte", async () => {
    const content = randomBytes(40 * MIB + 7);
    writeFileSync(at("big.bin"), content);
    expect(await type("cp ~/big.bin svc://box/in/ --json")).toMatchObject({ code: 0, err: "" });
    expect(partsSent()).toHaveLength(3);
    expect(await type("cp svc://box/in/big.bin ~/back.bin")).toMatchObject({ code: 0, err: "" });
    expect(readFileSync(at("back.bin")).equals(content)).toBe(true);
    expect(Math.round(statSync(at("back.bin")).mtimeMs)).toBe(Math.round(statSync(at("big.bin")).mtimeMs));
    const list = await type("ls svc://box/in/ --json");
    expect(JSON.parse(list.out)).toMatchObject({ key: "in/big.bin", size: content.length });
  });

  it("continues an upload that kill -9 has ended, with the parts that were missing", async () => {
    const content = randomBytes(34 * MIB);
    writeFileSync(at("killed.bin"), content);
    svc.state.holds = ({ url = "" }) => /partNumber=2/.test(url);
    const { child, ended } = start("cp", at("killed.bin"), "svc://command-line/killed.bin", "--parallel", "1");
    await expect.poll(() => partsSent().length, { timeout: 20_000 }).toBe(2);
    child.kill("SIGKILL");
    expect(await ended).toBe("SIGKILL");
    svc.state.holds = () => false;
    svc.state.requests.length = 0;
    expect(await type("cp ~/killed.bin svc://box/killed.bin")).toMatchObject({ code: 0, err: "" });
    expect(
      partsSent()
        .map((line) => /partNumber=(\d+)/.exec(line)?.[1])
        .sort(),
    ).toEqual(["2", "3"]);
    expect((await type("cp svc://box/killed.bin -")).written().equals(content)).toBe(true);
  });

  it("copies names with any characters, empty objects, standard input, and within svc", async () => {
    const names = ["Grüße 👋 +&%=?#.txt", "a/b'c(d)*!.txt", "empty", "~tilde$@:;,"];
    for (const name of names) {
      mkdirSync(path.dirname(at("names", name)), { recursive: true });
      writeFileSync(at("names", name), name === "empty" ? "" : name);
    }
    expect(await type("cp ~/names svc://box/names --recursive")).toMatchObject({ code: 0, err: "" });
    expect(await type("cp svc://box/names svc://box/copied --recursive")).toMatchObject({ code: 0, err: "" });
    expect(await type("cp svc://box/copied ~/got --recursive")).toMatchObject({ code: 0, err: "" });
    expect(names.map((name) => readFileSync(at("got", name), "utf8"))).toEqual(
      names.map((one) => (one === "empty" ? "" : one)),
    );
    expect((await type("cp - svc://box/piped.json", { input: "{}" })).code).toBe(0);
    expect((await type("cp svc://box/piped.json -")).written().toString()).toBe("{}");
  });

  it("syncs both ways, and transfers nothing when nothing differs", async () => {
    mkdirSync(at("site/sub"), { recursive: true });
    writeFileSync(at("site/a"), "a");
    writeFileSync(at("site/sub/b"), "b");
    writeFileSync(at("site/large"), randomBytes(17 * MIB));
    expect((await type("sync ~/site svc://box/site")).out.match(/^upload/gm)).toHaveLength(3);
    expect(await type("sync ~/site svc://box/site")).toMatchObject({ code: 0, out: "", err: "Nothing differs.\n" });
    expect((await type("sync svc://box/site ~/mirror")).out.match(/^download/gm)).toHaveLength(3);
    expect((await type("sync svc://box/site ~/mirror")).err).toBe("Nothing differs.\n");
    writeFileSync(at("site/a"), "A");
    rmSync(at("site/sub/b"));
    expect((await type("sync ~/site svc://box/site --delete")).out.match(/^(upload|delete) .*/gm)).toHaveLength(2);
    expect((await type("sync svc://box/site ~/mirror --delete")).code).toBe(0);
    expect(readFileSync(at("mirror/a"), "utf8")).toBe("A");
    expect(() => statSync(at("mirror/sub/b"))).toThrow("ENOENT");
  });

  it("presigns a download and an upload that fetch can use", async () => {
    const put = await type("presign svc://box/signed.txt --put --content-type text/plain --expires 5m");
    const sent = await fetch(put.out.trim(), {
      method: "PUT",
      body: "signed",
      headers: { "content-type": "text/plain" },
    });
    expect([put.code, sent.status]).toEqual([0, 200]);
    const get = await type("presign svc://box/signed.txt");
    expect(await (await fetch(get.out.trim())).text()).toBe("signed");
  });

  it("lists levels, deletes one and everything, and names what is missing", async () => {
    const level = (await type("ls svc://box --json")).out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(level.flatMap(({ prefix }) => prefix ?? [])).toEqual(["copied/", "in/", "names/", "site/"]);
    expect((await type("ls")).out).toContain("command-line");
    expect(await type("rm svc://box/signed.txt")).toMatchObject({ code: 0 });
    expect(await type("rm svc://box/signed.txt")).toMatchObject({ code: 1, err: expect.stringContaining("(404)") });
    expect(await type("rm svc://box --recursive --yes --quiet")).toMatchObject({ code: 0, out: "", err: "" });
    expect(await type("ls svc://box")).toMatchObject({ code: 0, out: "", err: "No objects.\n" });
    expect(await type("ls svc://no-such-bucket")).toMatchObject({
      code: 1,
      err: expect.stringContaining("NoSuchBucket"),
    });
  });
});
