import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { chunked, describeBlobStore, namesIn, newName, readAll } from "../../../test/factories/blob-store-contract";
import { fileFolder } from "../../../test/factories/file-folder";
import { limitDisk } from "./disk-share";
import { blobFile, FileBlobStore } from "./file-blob-store";

const base = fileFolder("svc-blobs-");
const root = path.join(base, "objects");
const open = (at = root, diskShare = 1) => FileBlobStore.open({ root: at, diskShare });
const store = await open();

const drafts = (at: string) =>
  readdirSync(path.join(at, ".drafts"), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

describeBlobStore("files", () => ({
  store,
  change: async (name, change) => {
    const file = blobFile(root, name);
    writeFileSync(file, change(readFileSync(file)));
  },
}));

it("leaves no draft behind, and files for its owner alone", async () => {
  const name = newName();
  await store.put(name, chunked(randomBytes(10)));
  expect(drafts(root)).toEqual([]);
  expect(statSync(blobFile(root, name)).mode & 0o777).toBe(0o600);
  expect(statSync(path.dirname(blobFile(root, name))).mode & 0o777).toBe(0o700);
});

it("removes the drafts of processes that have ended, and not those of others", async () => {
  const at = path.join(base, "with-drafts");
  const first = await open(at);
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  const dead = path.join(at, ".drafts", `${pid}.12345`);
  mkdirSync(dead);
  writeFileSync(path.join(dead, "draft"), "torn");
  const name = newName();
  async function* slow() {
    yield randomBytes(300_000);
    await open(at);
    yield randomBytes(10);
  }
  await first.put(name, slow());
  expect(existsSync(dead)).toBe(false);
  expect(await first.verify(name, 300_010)).toBe("ok");
});

it("removes old drafts of this process too, which a reboot can leave under the same process id", async () => {
  const at = path.join(base, "old-drafts");
  const one = await open(at);
  const [own] = readdirSync(path.join(at, ".drafts"));
  writeFileSync(path.join(at, ".drafts", own ?? "", "draft"), "torn");
  await one.removeUnfinished({ olderThan: new Date(Date.now() - 60_000) });
  expect(drafts(at)).toHaveLength(1);
  await one.removeUnfinished({ olderThan: new Date(Date.now() + 60_000) });
  expect(drafts(at)).toEqual([]);
});

it("shares a folder with other stores", async () => {
  const other = await open();
  const name = newName();
  await other.put(name, chunked(randomBytes(10)));
  expect(await store.verify(name, 10)).toBe("ok");
});

it("removes folders that have become empty, and creates them again", async () => {
  const at = path.join(base, "emptied");
  const one = await open(at);
  const name = newName();
  await one.put(name, chunked(randomBytes(10)));
  await one.remove([name]);
  expect(await namesIn(one, new Date(Date.now() - 60_000))).toEqual([]);
  expect(existsSync(path.dirname(blobFile(at, name)))).toBe(true);
  for (let round = 0; round < 2; round++) await namesIn(one, new Date(Date.now() + 60_000));
  expect(readdirSync(at)).toEqual([".drafts"]);
  await one.put(name, chunked(Buffer.from("again")));
  expect((await readAll(one, name, { size: 5 })).toString()).toBe("again");
});

it("stores nothing while more of the disk is in use than is allowed, and says what to do", async () => {
  const full = await open(root, 1e-9);
  const name = newName();
  await expect(full.put(name, chunked(randomBytes(10)))).rejects.toMatchObject({
    code: "unavailable",
    details: { reason: "disk_full" },
    message: expect.stringMatching(/is [\d.]+ % full, and svc stores objects up to 0 %: .*SVC_OBJECTS_DISK_SHARE/),
  });
  expect(await full.verify(name, 10)).toBe("missing");
});

it.each([
  { share: 0.8, used: 790, isAllowed: true },
  { share: 0.8, used: 810, isAllowed: false },
  { share: 1, used: 930, isAllowed: true },
  // 64 MiB are always left for the databases.
  { share: 1, used: 940, isAllowed: false },
])("at a share of $share, $used MiB of 1000 in use: $isAllowed", async ({ share, used, isAllowed }) => {
  const free = 1000 - used;
  // 100 MiB more are reserved for root.
  const space = { bsize: 2 ** 20, blocks: 1100, bfree: free + 100, bavail: free };
  const check = limitDisk({ dir: root, share, spaceOf: async () => space });
  const outcome = await check().then(
    () => true,
    () => false,
  );
  expect(outcome).toBe(isAllowed);
});
