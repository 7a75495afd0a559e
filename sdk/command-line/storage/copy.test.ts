import { randomBytes } from "node:crypto";
import { statSync, symlinkSync, utimesSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fail } from "../../../test/factories/object-server";
import { storageLines } from "../../../test/factories/storage-lines";
import { md5, multipartEtag } from "../../s3/etags";

const MIB = 1024 * 1024;
const storage = storageLines();
const { at, start, svc, write, stored, sent } = storage;

describe("svc storage cp, from files", () => {
  it("uploads a file with its type and modification time", async () => {
    utimesSync(write("Grüße +&.txt", "hello"), 1, 1_700_000_000.25);
    const direct = storage.type(["cp", at("Grüße +&.txt"), "svc://box/a b/"]);
    expect([await direct.done, direct.said.err]).toEqual([0, ""]);
    expect(direct.said.out).toBe(`upload ${at("Grüße +&.txt")} -> svc://box/a b/Grüße +&.txt  5 B\n`);
    expect(storage.server.state.objects.get("a b/Grüße +&.txt")).toMatchObject({
      body: Buffer.from("hello"),
      headers: { "content-type": "text/plain; charset=utf-8", "x-amz-meta-mtime": "1700000000.250" },
    });
  });

  it("uploads a file of 16 MiB and more in parts, several at a time", async () => {
    const content = randomBytes(40 * MIB + 1);
    write("big.bin", content);
    const { code, out } = await svc("cp ~/big.bin s3://box --json");
    const parts = [0, 16, 32].map((from) => md5(content.subarray(from * MIB, (from + 16) * MIB)).toString("hex"));
    expect([code, JSON.parse(out)]).toEqual([
      0,
      {
        action: "upload",
        from: at("big.bin"),
        to: "svc://box/big.bin",
        size: content.length,
        status: "done",
        etag: multipartEtag(parts),
      },
    ]);
    expect(storage.server.state.objects.get("big.bin")?.body.equals(content)).toBe(true);
  });

  it("continues an interrupted upload: parts that are there are not sent again", async () => {
    const content = randomBytes(50 * MIB);
    write("big.bin", content);
    let parts = 0;
    // The third part never gets a response.
    storage.server.state.intercept = (line) => /partNumber/.test(line) && line.startsWith("PUT") && ++parts === 3;
    const first = start("cp ~/big.bin svc://box/big.bin --parallel 1");
    await expect.poll(() => parts).toBe(3);
    first.stop.abort();
    expect([await first.done, first.said.err]).toEqual([
      130,
      "svc: interrupted. Run the same command again to continue: what has been transferred is kept.\n",
    ]);
    expect([...storage.server.state.uploads.values()].map((one) => one.parts.size)).toEqual([2]);
    storage.server.state.requests.length = 0;
    storage.server.state.intercept = undefined;
    expect((await svc("cp ~/big.bin svc://box/big.bin")).code).toBe(0);
    expect(sent(/^PUT .*partNumber/)).toHaveLength(2);
    expect(storage.server.state.objects.get("big.bin")?.body.equals(content)).toBe(true);
    expect(storage.server.state.uploads.size).toBe(0);
  });

  it("does not continue an upload of other bytes", async () => {
    write("big.bin", randomBytes(17 * MIB));
    let parts = 0;
    storage.server.state.intercept = (line) => /partNumber/.test(line) && ++parts === 2;
    const first = start("cp ~/big.bin svc://box/big.bin --parallel 1");
    await expect.poll(() => parts).toBe(2);
    first.stop.abort();
    await first.done;
    storage.server.state.intercept = undefined;
    const other = randomBytes(17 * MIB);
    const { mtimeMs } = statSync(at("big.bin"));
    write("big.bin", other);
    // As if the file had not changed since the upload began.
    utimesSync(at("big.bin"), mtimeMs / 1000, mtimeMs / 1000);
    expect((await svc("cp ~/big.bin svc://box/big.bin")).code).toBe(0);
    expect(storage.server.state.objects.get("big.bin")?.body.equals(other)).toBe(true);
  });

  it("succeeds when the response to the completion is lost", async () => {
    write("big.bin", randomBytes(17 * MIB));
    let isLost = false;
    storage.server.state.intercept = (line, call) => {
      if (isLost || !/^POST .*uploadId/.test(line)) return false;
      isLost = true;
      const [id, upload] = [...storage.server.state.uploads][0] ?? [];
      const parts = [...(upload?.parts ?? [])].sort(([a], [b]) => a - b).map(([, bytes]) => bytes);
      const etag = multipartEtag(parts.map((bytes) => md5(bytes).toString("hex")));
      storage.server.store("big.bin", Buffer.concat(parts), { etag });
      storage.server.state.uploads.delete(id ?? "");
      call.request.socket.destroy();
      return true;
    };
    expect(await svc("cp ~/big.bin svc://box/big.bin")).toMatchObject({ code: 0 });
  });

  it("retries after 503 with Retry-After, 429 and a broken connection, and says so", async () => {
    write("a.txt", "a");
    const failures = [503, 429, 0];
    storage.server.state.intercept = (line, call) => {
      const status = line.startsWith("PUT") ? failures.shift() : undefined;
      if (status === undefined) return false;
      if (status === 0) call.request.socket.destroy();
      else fail(call, status, "SlowDown");
      return true;
    };
    const { code, err } = await svc("cp ~/a.txt svc://box/a.txt");
    expect([code, stored("a.txt"), err.match(/retrying/g)?.length]).toEqual([0, "a", 3]);
  });

  it("uploads a folder with --recursive, without symbolic links, and names each failure", async () => {
    write("in/a.txt", "a");
    write("in/sub/b.txt", "b");
    write("secret", "s");
    symlinkSync(at("secret"), at("in/link"));
    storage.server.state.intercept = (line, call) => {
      if (line !== "PUT /box/p/sub/b.txt") return false;
      fail(call, 403, "AccessDenied");
      return true;
    };
    const { code, out, err } = await svc("cp ~/in svc://box/p --recursive");
    expect([code, out]).toEqual([1, `upload ${at("in/a.txt")} -> svc://box/p/a.txt  1 B\n`]);
    expect(err.split("\n")).toEqual([
      `svc: skipped ${at("in/link")}: a symbolic link; see --follow-symlinks`,
      `svc: upload of ${at("in/sub/b.txt")} -> svc://box/p/sub/b.txt failed: It is AccessDenied. (AccessDenied, request req_1)`,
      "svc: 1 of 2 failed; run the same command again.",
      "",
    ]);
    storage.server.state.intercept = undefined;
    expect((await svc("cp ~/in svc://box/p --recursive --follow-symlinks --quiet")).out).toBe("");
    expect([...storage.server.state.objects.keys()].sort()).toEqual(["p/a.txt", "p/link", "p/sub/b.txt"]);
  });

  it("uploads standard input, in parts from 16 MiB on", async () => {
    const content = randomBytes(33 * MIB);
    expect((await svc("cp - svc://box/small.json", { input: "{}" })).code).toBe(0);
    expect((await svc("cp - svc://box/big", { input: content })).code).toBe(0);
    expect(stored("small.json")).toBe("{}");
    expect(storage.server.state.objects.get("small.json")?.headers["content-type"]).toBe("application/json");
    expect(storage.server.state.objects.get("big")?.body.equals(content)).toBe(true);
    expect((await svc("cp - svc://box/empty")).code).toBe(0);
    expect(stored("empty")).toBe("");
  });

  it.each([
    ["cp a b", "One of <from> and <to> must be an address"],
    ["cp ~/none svc://box/a", "no such file or folder."],
    ["cp ~ svc://box/a", "is a folder; add --recursive"],
    ["cp svc://box/ x", "names no object; add --recursive"],
    ["cp svc://Box/a x", "a bucket's name has 3 to 63"],
    ["cp - svc://box/", "names no object"],
    ["cp - svc://box/a --recursive", "--recursive: a folder is needed"],
    ["rm svc://box/p/", "names no object"],
    ["rm svc://box/p/ --recursive", "--recursive needs --yes"],
    ["sync a b", "One of <from> and <to> must be a folder"],
    ["sync ~/none svc://box", "no such folder."],
    ["presign svc://box/a --expires 8d", "--expires: it must be a time such as"],
  ])("%s is wrong usage; nothing is sent", async (argv, message) => {
    const { code, err } = await svc(argv);
    expect([code, err, storage.server.state.requests]).toEqual([2, expect.stringContaining(message), []]);
  });
});

describe("bars", () => {
  it("show each file and the total on a terminal, and nothing stays", async () => {
    write("in/a.txt", "a".repeat(2000));
    write("in/b.txt", "b");
    const { code, err, out } = await svc("cp ~/in svc://box --recursive", { columns: 100 });
    expect([code, out.split("\n").length]).toEqual([0, 3]);
    expect(err).toMatch(/a\.txt\s+\[#+-*\] +\d+ % {2}/);
    expect(err).toMatch(/2 of 2 files\s+\[#{20}\] 100 % {2}2\.0 kB of 2\.0 kB {2}\S+ \S+\/s/);
    const marked = err.replaceAll("\u001b", "␛");
    for (const line of marked.split("\n")) expect(line.replace(/␛\[\d*[AJ]/g, "").length).toBeLessThan(100);
    const up = [...marked.matchAll(/␛\[(\d)A␛\[J/g)].reduce((sum, [, n]) => sum + Number(n), 0);
    expect(up).toBe(marked.split("\n").length - 1);
    expect((await svc("cp ~/in svc://box --recursive --quiet", { columns: 100 })).err).toBe("");
  });
});
