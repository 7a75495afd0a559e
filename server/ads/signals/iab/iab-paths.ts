import type { Signal } from "../signal";
import { AD_PRODUCT_2 } from "./ad-product-2";
import { CONTENT_1 } from "./content-1";
import { CONTENT_2 } from "./content-2";
import { CONTENT_3 } from "./content-3";
import { taxonomy } from "./taxonomy";

const IDS_MAX = 50;

/** A minor version keeps the hierarchy of the one before it, so that one table serves them all. */
interface Edition {
  versions: readonly string[];
  pathOf: (id: string) => string | undefined;
}

const OLDEST_CONTENT: Edition = { versions: ["1.0"], pathOf: taxonomy(CONTENT_1) };

/** Newest first: without a version the newest that has the id tells what it means. */
const CONTENT: readonly Edition[] = [
  { versions: ["3.0", "3.1"], pathOf: taxonomy(CONTENT_3) },
  { versions: ["2.0", "2.1", "2.2"], pathOf: taxonomy(CONTENT_2) },
  OLDEST_CONTENT,
];

const AD_PRODUCT: readonly Edition[] = [{ versions: ["2.0"], pathOf: taxonomy(AD_PRODUCT_2) }];

const EDITIONS: ReadonlyMap<string, readonly Edition[]> = new Map([
  ["content", CONTENT],
  ["ad_product", AD_PRODUCT],
  ["product", AD_PRODUCT],
]);

/** Only Content 1.0 writes its ids this way, whatever type or version stands beside them. */
const OLDEST_CONTENT_ID = /^iab\d{1,2}(-\d{1,2})?$/;

/** "2.2" of "2.2" and "2.2.1": a patch changes no id. */
const VERSION = /^(\d\.\d)(\.\d{1,3})?$/;

/**
 * What the IAB ids of a signal mean: the category path of each known id, parent first, for example
 * "Technology & Computing > Consumer Electronics > Smartphones", in the order of the ids and each path once.
 *
 * Types: content (also when it is missing), ad_product and product; versions: content 1.0 to 3.1, ad product 2.0.
 * Unknown ids, types and versions are skipped, and so are the ids after the fiftieth; nothing is thrown.
 * The tables, their source and their licence stand in the files beside this one.
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
