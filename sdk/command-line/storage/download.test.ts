import { randomBytes } from "node:crypto";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { objectServer } from "../../../test/factories/object-server";
import { type TypedLine, typeLine } from "../../../test/factories/typed-line";
import { md5 } from "../../s3/etags";

const KEY = `svc_test_${"a".repeat(48)}`;
const MIB = 1024 * 1024;
let server: Awaited<ReturnType<typeof objectServer>>;
let folder: string;
beforeEach(async () => {
  server = await objectServer();
  folder = mkdtempSync(path.join(os.tmpdir(), "svc-copy-"));
});
afterEach(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

const at = (...names: string[]): string => path.join(folder, ...names);
const start = (argv: string, more: Partial<TypedLine> = {}) =>
  typeLine(["storage", ...argv.split(" ").map((word) => word.replace("~", folder))], {
    key: KEY,
    svc: server.url,
    ...more,
  });
async function svc(argv: string, more: Partial<TypedLine> = {}) {
  const { done, said, written } = start(argv, more);
  return { code: await done, ...said, written };
}
function write(name: string, content: string | Uint8Array): string {
  mkdirSync(path.dirname(at(name)), { recursive: true });
  writeFileSync(at(name), content);
  return at(name);
}
const stored = (key: string): string | undefined => server.state.objects.get(key)?.body.toString();
const sent = (pattern: RegExp): string[] => server.state.requests.filter((line) => pattern.test(line));

describe("svc storage cp, to files", () => {
  it("downloads an object into a file or a folder, with its modification time", async () => {
    server.store("p/a.txt", Buffer.from("hello"), { headers: { "x-amz-meta-mtime": "1700000000.250" } });
    expect((await svc("cp svc://box/p/a.txt ~/b.txt")).code).toBe(0);
    expect([readFileSync(at("b.txt"), "utf8"), statSync(at("b.txt")).mtimeMs]).toEqual(["hello", 1_700_000_000_250]);
    expect((await svc("cp svc://box/p/a.txt ~/new/")).out).toBe(
      `download svc://box/p/a.txt -> ${at("new/a.txt")}  5 B\n`,
    );
    expect(readFileSync(at("new/a.txt"), "utf8")).toBe("hello");
    const { written, out } = await svc("cp svc://box/p/a.txt -");
    expect([written().toString(), out]).toEqual(["hello", ""]);
  });

  it("continues an interrupted download with Range and If-Match, and never shows half a file", async () => {
    const content = randomBytes(3 * MIB);
    const { etag } = server.store("big", content);
    writeFileSync(at("big"), "before");
    let isHeld = true;
    server.state.intercept = (line, { response }) => {
      if (!isHeld || !line.startsWith("GET")) return false;
      response.writeHead(200, { etag: `"${etag}"`, "content-length": String(content.length) });
      response.write(content.subarray(0, MIB));
      return true;
    };
    const first = start("cp svc://box/big ~/big");
    await expect.poll(() => (existsSync(at("big.part")) ? statSync(at("big.part")).size : 0)).toBe(MIB);
    first.stop.abort();
    expect(await first.done).toBe(130);
    expect(readFileSync(at("big"), "utf8")).toBe("before");
    isHeld = false;
    let headers: object = {};
    server.state.intercept = (line, { request }) => {
      if (line.startsWith("GET")) headers = request.headers;
      return false;
    };
    expect((await svc("cp svc://box/big ~/big")).code).toBe(0);
    expect(headers).toMatchObject({ range: `bytes=${MIB}-`, "if-match": `"${etag}"` });
    expect(readFileSync(at("big")).equals(content)).toBe(true);
    expect([existsSync(at("big.part")), existsSync(at("big.part.etag"))]).toEqual([false, false]);
  });

  it("continues by itself when the connection breaks", async () => {
    const content = randomBytes(2 * MIB);
    const { etag } = server.store("big", content);
    let breaks = 12;
    server.state.intercept = async (line, { request, response }) => {
      if (!line.startsWith("GET") || breaks-- <= 0) return false;
      const start = Number(/\d+/.exec(request.headers.range ?? "")?.[0] ?? 0);
      response.writeHead(start > 0 ? 206 : 200, {
        etag: `"${etag}"`,
        "content-length": String(content.length - start),
      });
      await new Promise((resolve) => response.write(content.subarray(start, start + 65_536), resolve));
      request.socket.end();
      return true;
    };
    expect(await svc("cp svc://box/big ~/big --quiet")).toMatchObject({ code: 0, err: "" });
    expect(readFileSync(at("big")).equals(content)).toBe(true);
  });

  it("starts again when the object was replaced, and fails when the bytes are not those of its ETag", async () => {
    server.store("a", Buffer.from("new content"));
    writeFileSync(at("a.part"), "old");
    writeFileSync(at("a.part.etag"), md5(Buffer.from("old content")).toString("hex"));
    expect((await svc("cp svc://box/a ~/a")).code).toBe(0);
    expect(readFileSync(at("a"), "utf8")).toBe("new content");
    server.store("b", Buffer.from("tampered"), { etag: md5(Buffer.from("original")).toString("hex") });
    const { code, err } = await svc("cp svc://box/b ~/b");
    expect([code, existsSync(at("b")), existsSync(at("b.part"))]).toEqual([1, false, false]);
    expect(err).toContain("its MD5 differs");
  });

  it("never writes outside the folder, whatever the keys are", async () => {
    const bad = ["p/../up", "p//abs", "p/a/./b", "p/c:\\x", "p/C:/x", "p/nul\u0000", "p/a\nb", "p/link/x", "p/a\\b"];
    for (const key of [...bad, "p/good/x"]) server.store(key, Buffer.from(key));
    server.store("p/folder/", Buffer.from(""));
    mkdirSync(at("out"));
    mkdirSync(at("elsewhere"));
    symlinkSync(at("elsewhere"), at("out/link"));
    const { code, err } = await svc("cp svc://box/p ~/out --recursive");
    expect([code, err.match(/^svc: download of .* failed: /gm)?.length]).toEqual([1, bad.length]);
    expect(readFileSync(at("out/good/x"), "utf8")).toBe("p/good/x");
    expect(existsSync(at("up")) || existsSync(at("elsewhere/x"))).toBe(false);
  });

  it("copies objects within svc without downloading them", async () => {
    for (const key of ["p/a b", "p/c/d"]) server.store(key, Buffer.from(key));
    expect((await svc("cp svc://box/p svc://box/q --recursive")).code).toBe(0);
    expect((await svc("cp svc://box/p/c/d svc://box/r/")).code).toBe(0);
    expect([stored("q/a b"), stored("q/c/d"), stored("r/d")]).toEqual(["p/a b", "p/c/d", "p/c/d"]);
    expect(sent(/^GET .*(a b|d)$/)).toEqual([]);
  });

  it("does not let two objects write to one file", async () => {
    for (const key of ["p/a", "p/a.part", "p/b.part"]) server.store(key, Buffer.from(key));
    for (const command of ["cp svc://box/p ~/out --recursive", "sync svc://box/p ~/out2"]) {
      const { code, err } = await svc(command);
      expect([code, err.match(/^svc: download of .*a\.part failed: .*unfinished download/gm)?.length]).toEqual([1, 1]);
    }
    expect([readFileSync(at("out/a"), "utf8"), readFileSync(at("out2/b.part"), "utf8")]).toEqual(["p/a", "p/b.part"]);
  });

  it.each(["cp svc://box/a ~/a", "cp svc://box/p ~ --recursive", "ls svc://box", "rm svc://box/a", "sync svc://box ~"])(
    "ends without a trace when %s is interrupted before a transfer",
    async (command) => {
      server.state.intercept = (line) => !line.startsWith("POST");
      const { done, said, stop } = start(command);
      await expect.poll(() => server.state.requests).toHaveLength(2);
      stop.abort();
      expect([await done, said]).toEqual([130, { out: "", err: "svc: interrupted.\n" }]);
    },
  );

  it("needs S3 credentials once, and does not print them", async () => {
    for (const n of [1, 2, 3]) write(`in/${n}`, String(n));
    const { out, err } = await svc("cp ~/in svc://box/ --recursive");
    expect(server.state.credentials).toBe(1);
    expect(`${out}${err}`).not.toContain("very-secret");
  });

  it("reports a missing object with its name, status and request", async () => {
    const { code, err } = await svc("cp svc://box/none ~/x");
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/^svc: There is no object none in a bucket box\.\n.*NotFound \(404\).*req_1/s),
    ]);
  });
});
