import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { storageLines } from "../../../test/factories/storage-lines";
import { md5 } from "../../s3/etags";

const MIB = 1024 * 1024;
const storage = storageLines();
const { at, start, svc, write, stored, sent } = storage;

describe("svc storage cp, to files", () => {
  it("downloads an object into a file or a folder, with its modification time", async () => {
    storage.server.store("p/a.txt", Buffer.from("hello"), { headers: { "x-amz-meta-mtime": "1700000000.250" } });
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
    const { etag } = storage.server.store("big", content);
    writeFileSync(at("big"), "before");
    let isHeld = true;
    storage.server.state.intercept = (line, { response }) => {
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
    storage.server.state.intercept = (line, { request }) => {
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
    const { etag } = storage.server.store("big", content);
    let breaks = 12;
    storage.server.state.intercept = async (line, { request, response }) => {
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
    storage.server.store("a", Buffer.from("new content"));
    writeFileSync(at("a.part"), "old");
    writeFileSync(at("a.part.etag"), md5(Buffer.from("old content")).toString("hex"));
    expect((await svc("cp svc://box/a ~/a")).code).toBe(0);
    expect(readFileSync(at("a"), "utf8")).toBe("new content");
    storage.server.store("b", Buffer.from("tampered"), { etag: md5(Buffer.from("original")).toString("hex") });
    const { code, err } = await svc("cp svc://box/b ~/b");
    expect([code, existsSync(at("b")), existsSync(at("b.part"))]).toEqual([1, false, false]);
    expect(err).toContain("its MD5 differs");
  });

  it("never writes outside the folder, whatever the keys are", async () => {
    const bad = ["p/../up", "p//abs", "p/a/./b", "p/c:\\x", "p/C:/x", "p/nul\u0000", "p/a\nb", "p/link/x", "p/a\\b"];
    for (const key of [...bad, "p/good/x"]) storage.server.store(key, Buffer.from(key));
    storage.server.store("p/folder/", Buffer.from(""));
    mkdirSync(at("out"));
    mkdirSync(at("elsewhere"));
    symlinkSync(at("elsewhere"), at("out/link"));
    const { code, err } = await svc("cp svc://box/p ~/out --recursive");
    expect([code, err.match(/^svc: download of .* failed: /gm)?.length]).toEqual([1, bad.length]);
    expect(readFileSync(at("out/good/x"), "utf8")).toBe("p/good/x");
    expect(existsSync(at("up")) || existsSync(at("elsewhere/x"))).toBe(false);
  });

  it("copies objects within svc without downloading them", async () => {
    for (const key of ["p/a b", "p/c/d"]) storage.server.store(key, Buffer.from(key));
    expect((await svc("cp svc://box/p svc://box/q --recursive")).code).toBe(0);
    expect((await svc("cp svc://box/p/c/d svc://box/r/")).code).toBe(0);
    expect([stored("q/a b"), stored("q/c/d"), stored("r/d")]).toEqual(["p/a b", "p/c/d", "p/c/d"]);
    expect(sent(/^GET .*(a b|d)$/)).toEqual([]);
  });

  it("does not let two objects write to one file", async () => {
    for (const key of ["p/a", "p/a.part", "p/b.part"]) storage.server.store(key, Buffer.from(key));
    for (const command of ["cp svc://box/p ~/out --recursive", "sync svc://box/p ~/out2"]) {
      const { code, err } = await svc(command);
      expect([code, err.match(/^svc: download of .*a\.part failed: .*unfinished download/gm)?.length]).toEqual([1, 1]);
    }
    expect([readFileSync(at("out/a"), "utf8"), readFileSync(at("out2/b.part"), "utf8")]).toEqual(["p/a", "p/b.part"]);
  });

  it.each(["cp svc://box/a ~/a", "cp svc://box/p ~ --recursive", "ls svc://box", "rm svc://box/a", "sync svc://box ~"])(
    "ends without a trace when %s is interrupted before a transfer",
    async (command) => {
      storage.server.state.intercept = (line) => !line.startsWith("POST");
      const { done, said, stop } = start(command);
      await expect.poll(() => storage.server.state.requests).toHaveLength(2);
      stop.abort();
      expect([await done, said]).toEqual([130, { out: "", err: "svc: interrupted.\n" }]);
    },
  );

  it("needs S3 credentials once, and does not print them", async () => {
    for (const n of [1, 2, 3]) write(`in/${n}`, String(n));
    const { out, err } = await svc("cp ~/in svc://box/ --recursive");
    expect(storage.server.state.credentials).toBe(1);
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
