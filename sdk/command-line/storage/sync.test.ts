import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fail } from "../../../test/factories/object-server";
import { storageLines } from "../../../test/factories/storage-lines";
import { md5, multipartEtag } from "../../s3/etags";

const storage = storageLines();
const { at, svc } = storage;
const write = (files: Record<string, string>): void => {
  for (const [name, content] of Object.entries(files)) storage.write(name, content);
};
const store = (objects: Record<string, string>): void => {
  for (const [key, content] of Object.entries(objects)) storage.server.store(key, Buffer.from(content));
};
const remote = (): Record<string, string> =>
  Object.fromEntries([...storage.server.state.objects].map(([key, { body }]) => [key, body.toString()]));

describe("svc storage sync", () => {
  it("uploads only what differs, and deletes only with --delete", async () => {
    write({ "s/same": "same", "s/longer": "12", "s/changed": "new", "s/sub/new": "n" });
    store({ "p/same": "same", "p/longer": "1", "p/changed": "old", "p/extra": "x", other: "o" });
    const plan = await svc("sync ~/s svc://box/p --dry-run --delete");
    expect(
      plan.out.match(/^would upload .*(changed|longer|new) {2}|^would delete svc:\/\/box\/p\/extra$/gm),
    ).toHaveLength(4);
    expect(remote()["p/extra"]).toBe("x");
    expect((await svc("sync ~/s svc://box/p")).out.match(/^upload /gm)).toHaveLength(3);
    expect((await svc("sync ~/s svc://box/p --delete")).out).toBe("delete svc://box/p/extra\n");
    expect(remote()).toEqual({
      "p/same": "same",
      "p/longer": "12",
      "p/changed": "new",
      "p/sub/new": "n",
      other: "o",
    });
    expect(await svc("sync ~/s svc://box/p --delete")).toMatchObject({ code: 0, out: "", err: "Nothing differs.\n" });
  });

  it("names what it cannot read, exits with 1, transfers the rest and deletes nothing", async () => {
    write({ "s/good": "good", "s/sub/deep": "deep" });
    store({ "p/extra": "x" });
    writeFileSync(Buffer.from(at("s", "caf\xe9"), "latin1"), "lost");
    mkdirSync(Buffer.from(at("s", "d\xff"), "latin1"));
    symlinkSync(at("nowhere"), at("s", "dangling"));
    const plan = await svc("sync ~/s svc://box/p --dry-run --follow-symlinks");
    expect([plan.code, plan.out.match(/^would upload /gm)?.length]).toEqual([1, 2]);
    const { code, err } = await svc("sync ~/s svc://box/p --delete --follow-symlinks");
    expect(code).toBe(1);
    for (const name of ["caf%E9", "d%FF", "dangling"]) {
      expect(err).toContain(`svc: upload of ${at("s", name)} -> svc://box/p/ failed: `);
      expect(plan.err).toContain(`svc: ${at("s", name)}: `);
    }
    expect(err).toContain("svc: 3 of 5 failed");
    expect(remote()).toEqual({ "p/good": "good", "p/sub/deep": "deep", "p/extra": "x" });
    expect((await svc("sync ~/s svc://box/p")).code).toBe(1);
    expect((await svc("cp ~/s svc://box/q --recursive")).code).toBe(1);
    expect(remote()).toMatchObject({ "q/good": "good" });
    // What is only the target of a download is not transferred.
    expect((await svc("sync svc://box/p ~/s")).code).toBe(0);
  });

  it("downloads only what differs, in pages, and deletes only with --delete", async () => {
    storage.server.state.pageKeys = 2;
    write({ "d/same": "same", "d/changed": "old", "d/extra": "x", "d/sub/extra": "x" });
    store({ "p/same": "same", "p/changed": "new", "p/a/b/c": "deep", "p/z": "z", "q/other": "o" });
    const { inode } = { inode: statSync(at("d/same")).ino };
    expect((await svc("sync svc://box/p/ ~/d")).out.match(/^download /gm)).toHaveLength(3);
    expect(existsSync(at("d/extra"))).toBe(true);
    const lines = (await svc("sync svc://box/p/ ~/d --delete --json")).out.trim().split("\n");
    expect(lines.map((line) => JSON.parse(line).from).sort()).toEqual([at("d/extra"), at("d/sub/extra")]);
    expect(["same", "changed", "a/b/c", "z"].map((name) => readFileSync(at("d", name), "utf8"))).toEqual([
      "same",
      "new",
      "deep",
      "z",
    ]);
    expect([existsSync(at("d/extra")), statSync(at("d/same")).ino]).toEqual([false, inode]);
    expect((await svc("sync svc://box/p ~/d")).err).toBe("Nothing differs.\n");
    expect((await svc("sync svc://box/p ~/fresh")).code).toBe(0);
    expect(readFileSync(at("fresh/a/b/c"), "utf8")).toBe("deep");
  });

  it("compares parts of other clients, and otherwise the stored modification time", async () => {
    write({ "s/parts": "x".repeat(9 * 1024 * 1024), "s/unknown": "content", "s/old": "content" });
    const bytes = readFileSync(at("s/parts"));
    const size = 8 * 1024 * 1024;
    const etag = multipartEtag([bytes.subarray(0, size), bytes.subarray(size)].map((one) => md5(one).toString("hex")));
    storage.server.store("p/parts", bytes, { etag });
    utimesSync(at("s/unknown"), 1, 1_700_000_000);
    const headers = { "x-amz-meta-mtime": "1700000000.000" };
    for (const name of ["p/unknown", "p/old"])
      storage.server.store(name, Buffer.from("content"), { etag: "opaque", headers });
    expect((await svc("sync ~/s svc://box/p")).out).toMatch(/^upload [^\n]*old {2}7 B\n$/);
  });

  it("refuses to delete everything because the source is empty", async () => {
    mkdirSync(at("empty"));
    write({ "d/a": "a" });
    store({ "p/a": "a" });
    expect(await svc("sync ~/empty svc://box/p --delete")).toMatchObject({ code: 2 });
    expect((await svc("sync svc://box/misspelled ~/d --delete")).err).toContain(
      "--delete: svc://box/misspelled/ is empty",
    );
    expect([remote(), existsSync(at("d/a"))]).toEqual([{ "p/a": "a" }, true]);
  });

  it("deletes nothing when a transfer failed, and leaves unfinished downloads alone", async () => {
    write({ "s/a": "a", "s/b.part": "half", "s/b.part.etag": "e" });
    store({ "p/extra": "x" });
    storage.server.state.intercept = (line, call) => {
      if (line !== "PUT /box/p/a") return false;
      fail(call, 403, "QuotaExceeded");
      return true;
    };
    expect(await svc("sync ~/s svc://box/p --delete")).toMatchObject({ code: 1, out: "" });
    storage.server.state.intercept = undefined;
    expect((await svc("sync ~/s svc://box/p --delete")).code).toBe(0);
    expect(remote()).toEqual({ "p/a": "a" });
  });
});

describe("svc storage ls", () => {
  it("lists buckets, one level with prefixes, or everything, page by page", async () => {
    storage.server.state.pageKeys = 2;
    store({ "a/1": "x", "a/2": "x", "b c": "xy", "d\u001b[31m": "" });
    expect((await svc("ls")).out).toMatch(/^NAME +CREATED_AT\nbox +2027-01-01T00:00:00.000Z\n$/);
    const level = (await svc("ls svc://box --json")).out
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(level.map(({ prefix, key, size }) => prefix ?? [key, size])).toEqual(["a/", ["b c", 2], ["d\u001b[31m", 0]]);
    const { out } = await svc("ls svc://box --recursive");
    expect(out.match(/2 {2}|1 B +a\/1|1 B +a\/2|2 B +b c|0 B +d \[31m/g)?.length).toBeGreaterThanOrEqual(4);
    expect(out).not.toContain("\u001b");
    expect(await svc("ls svc://box/none/")).toMatchObject({ code: 0, out: "", err: "No objects.\n" });
    expect(await svc("ls svc://other")).toMatchObject({ code: 1, err: expect.stringContaining("NoSuchBucket (404)") });
  });
});

describe("svc storage rm", () => {
  it("deletes one object, and names one that does not exist", async () => {
    store({ a: "a", b: "b" });
    expect(await svc("rm svc://box/a")).toMatchObject({ code: 0, out: "delete svc://box/a\n" });
    expect(Object.keys(remote())).toEqual(["b"]);
    expect(await svc("rm svc://box/a")).toMatchObject({
      code: 1,
      err: expect.stringContaining("There is no object a"),
    });
  });

  it("asks before it deletes everything under a prefix", async () => {
    store({ "p/1": "1", "p/<2>&": "2", "p/../3": "3", pq: "q" });
    const no = await svc("rm svc://box/p --recursive", { answers: ["n"] });
    expect([no.code, no.asked[0]?.[0], Object.keys(remote()).length]).toEqual([
      1,
      "Delete 3 objects under svc://box/p? [y/N] ",
      4,
    ]);
    expect((await svc("rm svc://box/p --recursive", { answers: ["y"] })).code).toBe(0);
    expect(Object.keys(remote())).toEqual(["pq"]);
    store({ "p/1": "1" });
    expect((await svc("rm svc://box/p --recursive --yes --quiet")).out).toBe("");
    expect(Object.keys(remote())).toEqual(["pq"]);
  });
});

describe("svc storage presign", () => {
  it("prints only the URL on standard output, and the headers that an upload needs beside it", async () => {
    const { out, err } = await svc("presign svc://box/a/b.png --put --expires 15m --content-type image/png");
    expect([out, err]).toEqual([
      `${storage.server.url}/signed\n`,
      "Send the PUT request with:\n  Content-Type: image/png\n",
    ]);
    await svc("presign svc://box/a --expires 7d");
    await svc("presign svc://box/a");
    expect(storage.server.state.presigned).toEqual([
      { bucket: "box", key: "a/b.png", operation: "put_object", expires_in: 900, content_type: "image/png" },
      { bucket: "box", key: "a", operation: "get_object", expires_in: 604_800 },
      { bucket: "box", key: "a", operation: "get_object", expires_in: 3600 },
    ]);
  });
});
