import { chmod, mkdir, symlink, writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fileFolder } from "../../../../test/factories/file-folder";
import { probeProgram } from "../namespaces/probe-program";
import { linkInRoot } from "./link-in-root";
import { resolveProgram } from "./resolve-program";

const root = fileFolder("svc-image-");
const put = async (name: string, content: string | Buffer, mode = 0o755) => {
  await mkdir(path.dirname(path.join(root, name)), { recursive: true });
  await writeFile(path.join(root, name), content);
  await chmod(path.join(root, name), mode);
};
const at = (name: string) => path.join(root, name);
const resolve = (command: string[], env: Record<string, string> = {}) =>
  resolveProgram(command, { root, workingDir: "/work", env: new Map(Object.entries(env)), architecture: "amd64" });

/** A program with a dynamic loader: a program header that names it, before the code. */
function dynamicProgram(loader: string): Buffer {
  const program = Buffer.concat([probeProgram("amd64") as Buffer, Buffer.from(`${loader}\0`)]);
  program.writeUInt32LE(3, 64);
  program.writeBigUInt64LE(BigInt(program.length - loader.length - 1), 64 + 8);
  program.writeBigUInt64LE(BigInt(loader.length + 1), 64 + 32);
  return program;
}

describe("the command of an image", async () => {
  await put("bin/static", probeProgram("amd64") as Buffer);
  await put("usr/bin/dynamic", dynamicProgram("/lib64/ld-linux-x86-64.so.2"));
  await put("usr/bin/musl", dynamicProgram("/lib/ld-musl-x86_64.so.1"));
  await put("lib/ld-musl-x86_64.so.1", "");
  await put("usr/lib64/ld-2.31.so", "");
  await symlink("/usr/lib64/ld-2.31.so", at("usr/lib64/ld-linux-x86-64.so.2"));
  await symlink("usr/lib64", at("lib64"));
  await symlink("/usr/bin/dynamic", at("bin/link"));
  await put("etc/ld.so.conf.d/own.conf", "# ours\n/opt/lib\n");
  await mkdir(at("opt/lib"), { recursive: true });
  await mkdir(at("usr/lib"), { recursive: true });

  it("is looked for in PATH of the image, and runs with its own loader and libraries", async () => {
    expect(await resolve(["static", "a"], { PATH: "/none:/bin" })).toEqual([at("bin/static"), "a"]);
    const libraries = [at("opt/lib"), at("usr/lib64"), at("lib"), at("usr/lib")].join(":");
    const options = ["--inhibit-cache", "--library-path", libraries];
    expect(await resolve(["link", "a"])).toEqual([at("usr/lib64/ld-2.31.so"), ...options, at("bin/link"), "a"]);
    const musl = [at("lib/ld-musl-x86_64.so.1"), "--library-path", `${at("bin")}:${libraries}`, at("usr/bin/musl")];
    expect(await resolve(["musl"], { LD_LIBRARY_PATH: "/bin" })).toEqual(musl);
  });

  it("of a script begins with the interpreter in the image that its first line names", async () => {
    await put("work/script", "#!/bin/static -x  y\n");
    await put("bin/by-env", "#!/usr/bin/env static\n");
    await put("bin/nested", "#!/bin/by-env\n");
    expect(await resolve(["./script", "a"])).toEqual([at("bin/static"), "-x  y", at("work/script"), "a"]);
    expect(await resolve(["nested"])).toEqual([at("bin/static"), at("bin/by-env"), at("bin/nested")]);
    await put("bin/endless", "#!/bin/endless\n");
    await expect(resolve(["endless"])).rejects.toThrow("whose interpreter is a script, too often");
  });

  it.each([
    ["none", "", "the image has no program none"],
    ["../etc/passwd", "", "has no program ../etc/passwd"],
    ["/usr/bin/text", "text", "neither a program for Linux nor a script"],
    ["/usr/bin", "", "is not a file that can be run"],
    ["/usr/bin/arm", probeProgram("arm64") as Buffer, "a program for another processor"],
    ["/usr/bin/other", dynamicProgram("/lib/ld-other.so"), "lacks the loader /lib/ld-other.so of /usr/bin/other"],
    ["/usr/bin/lacks", "#!/none/python\n", "the image has no program /none/python"],
  ])("%s fails with the reason", async (name, content, why) => {
    if (content.length > 0) await put(name, content);
    await expect(resolve([name])).rejects.toMatchObject({
      reason: "start_failed",
      message: expect.stringContaining(why),
    });
  });

  it("follows links as if the image were the whole file system", () => {
    expect(linkInRoot("bin", "/bin/busybox")).toBe("../bin/busybox");
    expect(linkInRoot("", "/usr/lib")).toBe("usr/lib");
    expect(linkInRoot("a/b", "../c")).toBe("../c");
    expect(linkInRoot("a", "../../../etc/passwd")).toBe("../etc/passwd");
    expect(linkInRoot("a", "/../../etc")).toBe("../etc");
    expect(linkInRoot("var/log", "/dev/stdout")).toBe("/dev/stdout");
  });
});
