import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import type { DirectPath } from "../http/create-server";
import { staticAsset } from "../http/static-asset";

const HEADERS = {
  "content-type": "image/svg+xml",
  "cache-control": "public, max-age=86400",
  "content-security-policy": "default-src 'none'",
  "x-content-type-options": "nosniff",
};

/** `/demo/pictures/<name>.svg`: the pictures of the demo's products. */
export function demoPicturePaths({ rootDir }: { rootDir: string }): DirectPath[] {
  const folder = path.join(rootDir, "app/demo/pictures");
  return readdirSync(folder)
    .filter((name) => name.endsWith(".svg"))
    .map((name) => ({
      path: `/demo/pictures/${name}`,
      answer: staticAsset({ plain: readFileSync(path.join(folder, name)) }, HEADERS),
    }));
}
