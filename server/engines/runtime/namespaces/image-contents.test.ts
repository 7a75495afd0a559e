import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type LayerEntry, layerOf } from "../../../../test/factories/image-layers";
import { type RuntimeScene, runtimeScene, SHELL_CONFIG } from "../../../../test/factories/runtime-scene";

const scene = await runtimeScene();
const skipped = typeof scene === "string" ? ` (skipped: ${scene})` : "";

describe.skipIf(skipped)(`what an image contains${skipped}`, () => {
  const { runtime, registry, shellLayer, script, exited, output, close } = scene as RuntimeScene;
  let outside: string;
  beforeAll(async () => {
    outside = await mkdtemp(path.join(os.tmpdir(), "svc-outside-"));
    await writeFile(path.join(outside, "kept"), "kept");
  });
  afterAll(async () => {
    await close();
    await rm(outside, { recursive: true });
  });

  /** An image of the shell and further layers. */
  async function image(name: string, layers: readonly (readonly LayerEntry[])[], config: object = {}) {
    const further = await Promise.all(layers.map((entries) => layerOf(entries)));
    return {
      reference: registry.add(name, { layers: [shellLayer, ...further], config: { ...SHELL_CONFIG, ...config } })
        .reference,
    };
  }

  it("is deleted and replaced by its upper layers", async () => {
    const layered = await image("layered", [
      [
        { name: "folder/low", content: "1" },
        { name: "folder/both", content: "low" },
        { name: "other/low", content: "1" },
        { name: "gone/file", content: "1" },
        { name: "again/low", content: "1" },
      ],
      [
        { name: "other/.wh..wh..opq", content: "" },
        { name: "other/high", content: "1" },
        { name: "folder/.wh.low", content: "" },
        { name: "folder/both", content: "high" },
        { name: ".wh.gone", content: "" },
        { name: "pipe", type: "fifo", mode: 0o640, uid: 7, gid: 8 },
        { name: "again/high", content: "1" },
        { name: ".wh.again", content: "" },
      ],
    ]);
    const seen = "ls /folder /other /again; cat /folder/both; ls -d /gone; ls -ln /pipe";
    await runtime.ensure(script("layered", seen, { image: layered }));
    await exited("layered");
    const printed = await output("layered");
    expect(printed).toContain("/again:\nhigh\n\n/folder:\nboth\n\n/other:\nhigh\n");
    expect(printed).toContain("high");
    expect(printed).toContain("'/gone': No such file");
    // An ordinary user has one user only.
    expect(printed).toMatch(process.getuid?.() === 0 ? /^prw-r----- +1 +7 +8 /m : /^prw-r----- /m);
  });

  it.skipIf(process.getuid?.() !== 0)("names the users that may run in it", async () => {
    const accounts = [
      { name: "etc/passwd", content: "root:x:0:0::/root:/bin/sh\nweb:x:33:34::/home/web:/bin/sh\n" },
      { name: "etc/group", content: "web:x:34:\nmedia:x:50:other,web\nother:x:51:other\n" },
      { name: "home/web/", type: "directory" as const, mode: 0o700, uid: 33, gid: 34 },
    ];
    const withAccounts = await image("accounts", [accounts], { User: "web" });
    const seen = "id -u; id -G; echo $HOME; echo written > ~/file && ls -ln ~/file";
    await runtime.ensure(script("account", seen, { image: withAccounts }));
    await exited("account");
    expect(await output("account")).toMatch(/^33\n34 50\n\/home\/web\n-rw-r--r-- 1 33 34 8 .*\n$/);
    await runtime.ensure(script("group", "id -u; id -g", { image: withAccounts, user: "7:media" }));
    await exited("group");
    expect(await output("group")).toBe("7\n50\n");
    const unknown = runtime.ensure(script("unknown-user", "id", { image: withAccounts, user: "nobody-here" }));
    await expect(unknown).rejects.toThrow("the image has no user nobody-here");
  });

  it.each(["dev", "proc", "sys"])("cannot move what is mounted on /%s to another place", async (name) => {
    const hostile = await image(`link-${name}`, [[{ name, type: "symlink", linkname: outside }]]);
    await expect(runtime.ensure(script(`link-${name}`, "echo no", { image: hostile }))).rejects.toThrow(
      `/${name} of the image is not a folder`,
    );
    expect(await readdir(outside)).toEqual(["kept"]);
  });

  it("cannot make a start write to a file of the node, or wait", async () => {
    const hostile = await image("links", [
      [
        { name: "etc/hosts", type: "symlink", linkname: `${outside}/hosts` },
        { name: "work", type: "symlink", linkname: outside },
        { name: "etc/passwd", type: "fifo" },
      ],
    ]);
    await runtime.ensure(script("links", "echo started", { image: hostile }));
    await exited("links");
    expect(await output("links")).toBe("started\n");
    const inLink = runtime.ensure(script("in-link", "echo no", { image: hostile, workingDir: "/work/dir" }));
    await expect(inLink).rejects.toThrow("did not start: the working directory /work/dir cannot be entered");
    expect(await readdir(outside)).toEqual(["kept"]);
  });

  it("cannot delete or mark a file of the node", async () => {
    const hostile = await image("marks", [
      [
        { name: "folder/.wh.kept", content: "" },
        { name: "folder/.wh.more", content: "" },
        { name: "folder/.wh..wh..opq", content: "" },
        { name: "folder", type: "symlink", linkname: outside },
      ],
    ]);
    await runtime.ensure(script("marks", "echo started", { image: hostile })).catch(() => undefined);
    expect(await readdir(outside)).toEqual(["kept"]);
    expect(await readFile(path.join(outside, "kept"), "utf8")).toBe("kept");
  });
});
