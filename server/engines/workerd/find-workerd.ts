import { access, constants } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";

const PACKAGES: Readonly<Record<string, string>> = {
  "linux x64": "@cloudflare/workerd-linux-64",
  "linux arm64": "@cloudflare/workerd-linux-arm64",
};

/** The path of workerd's program, or a sentence on why there is none. `rootDir` contains package.json. */
export async function findWorkerd(rootDir: string): Promise<{ program: string } | { missing: string }> {
  const platform = `${process.platform} ${process.arch}`;
  const name = PACKAGES[platform];
  if (name === undefined) return { missing: `workerd runs workers on Linux only, and this is ${platform}.` };
  try {
    const own = createRequire(path.join(rootDir, "package.json"));
    const program = createRequire(own.resolve("workerd/package.json")).resolve(`${name}/bin/workerd`);
    await access(program, constants.X_OK);
    return { program };
  } catch {
    return { missing: `The package ${name} is not installed; npm install --include=optional adds it.` };
  }
}
