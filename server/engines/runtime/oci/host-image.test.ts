import { existsSync } from "node:fs";
import { extract } from "tar-stream";
import { describe, expect, it } from "vitest";
import { missingOf, readHostImage } from "./host-image";
import { isHostImage, recipeOf, SLURM_IMAGE } from "./host-images";

// Any folder with modules, which this node has if it has Perl.
const recipe = {
  programs: ["cat"],
  modules: "perl-base",
  without: [],
  packages: ["coreutils"],
  texts: { "/etc/passwd": "root\n" },
};
const missing = process.platform === "linux" && existsSync("/usr/bin/ldd") ? await missingOf(recipe) : "no ldd";

async function namesIn(tar: NodeJS.ReadableStream): Promise<Map<string, number>> {
  const names = new Map<string, number>();
  const entries = tar.pipe(extract());
  for await (const entry of entries) {
    names.set(entry.header.name, entry.header.size ?? 0);
    entry.resume();
  }
  return names;
}

describe.skipIf(missing !== undefined)(
  `an image of programs of this node${missing ? ` (skipped: ${missing})` : ""}`,
  () => {
    it("has the programs, their libraries and the texts, and the same digest each time", async () => {
      const [image, again] = [await readHostImage(recipe), await readHostImage(recipe)];
      expect(image.digest).toBe(again.digest);
      const other = await readHostImage({ ...recipe, texts: { "/etc/passwd": "other\n" } });
      expect(other.digest).not.toBe(image.digest);
      const names = await namesIn(image.tar());
      expect(names.get("usr/bin/cat")).toBeGreaterThan(1000);
      expect(names.get("etc/passwd")).toBe(5);
      expect([...names.keys()].filter((name) => /^usr\/lib.*\/libc\.so\.6$/.test(name))).toHaveLength(1);
      expect([...names.keys()].slice(0, 4)).toEqual(["bin", "sbin", "lib", "lib64"]);
    });
  },
);

describe("an image that this node cannot make", () => {
  it("names the packages with what is missing", async () => {
    const made = readHostImage({ ...recipe, programs: ["no-such-program"] });
    await expect(made).rejects.toMatchObject({
      reason: "image_not_found",
      message: expect.stringMatching(/no-such-program; install .* coreutils/),
    });
  });

  it("is any other name of its host", () => {
    expect([isHostImage(SLURM_IMAGE), isHostImage("docker.io/node.svc/slurm")]).toEqual([true, false]);
    expect(() => recipeOf("node.svc/toString")).toThrow(SLURM_IMAGE);
  });
});
