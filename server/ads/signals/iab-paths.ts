import adProduct2 from "./iab/ad-product-2.json";
import content1 from "./iab/content-1.json";
import content2 from "./iab/content-2.json";
import content3 from "./iab/content-3.json";
import { taxonomy } from "./iab/taxonomy";
import type { Signal } from "./signal";

const IDS_MAX = 50;

/** A minor version keeps the hierarchy of its predecessor, so one table serves all of them. */
interface Edition {
  versions: readonly string[];
  pathOf: (id: string) => string | undefined;
}

const OLDEST_CONTENT: Edition = { versions: ["1.0"], pathOf: taxonomy(content1.entries) };

/** Newest first: without a version, the newest taxonomy that contains the id is used. */
const CONTENT: readonly Edition[] = [
  { versions: ["3.0", "3.1"], pathOf: taxonomy(content3.entries) },
  { versions: ["2.0", "2.1", "2.2"], pathOf: taxonomy(content2.entries) },
  OLDEST_CONTENT,
];

const AD_PRODUCT: readonly Edition[] = [{ versions: ["2.0"], pathOf: taxonomy(adProduct2.entries) }];

const EDITIONS: ReadonlyMap<string, readonly Edition[]> = new Map([
  ["content", CONTENT],
  ["ad_product", AD_PRODUCT],
  ["product", AD_PRODUCT],
]);

/** Only Content 1.0 uses ids in this format, so the type and version of the signal are ignored. */
const OLDEST_CONTENT_ID = /^iab\d{1,2}(-\d{1,2})?$/;

/** "2.2" for both "2.2" and "2.2.1": patch versions do not change ids. */
const VERSION = /^(\d\.\d)(\.\d{1,3})?$/;

/**
 * Resolves the IAB ids of a signal to category paths, parent first, for example "Technology & Computing > Consumer
 * Electronics > Smartphones", in the order of the ids and without duplicates.
 *
 * Types: content (also if missing), ad_product and product; versions: content 1.0 to 3.1, ad product 2.0. Unknown ids,
 * types and versions are skipped, as are ids after the fiftieth; it never throws. The JSON files next to this one
 * contain the tables with their source and license.
 */
export function iabPaths(iab: Signal["iab"]): string[] {
  const editions = editionsOf(iab?.type, iab?.version);
  const paths = new Set<string>();
  for (const sent of iab?.ids?.slice(0, IDS_MAX) ?? []) {
    const path = pathIn(editions, sent.trim().toLowerCase());
    if (path !== undefined) paths.add(path);
  }
  return [...paths];
}

function editionsOf(type = "content", version?: string): readonly Edition[] {
  const editions = EDITIONS.get(type.trim().toLowerCase()) ?? [];
  if (version === undefined) return editions;
  const minor = VERSION.exec(version.trim())?.[1];
  return editions.filter(({ versions }) => minor !== undefined && versions.includes(minor));
}

function pathIn(editions: readonly Edition[], id: string): string | undefined {
  if (OLDEST_CONTENT_ID.test(id)) return OLDEST_CONTENT.pathOf(id);
  for (const { pathOf } of editions) {
    const path = pathOf(id);
    if (path !== undefined) return path;
  }
  return undefined;
}
