import type { LucideIcon } from "lucide-react";

/** What only some installations have; the outbox exists where svc keeps its email instead of sending it. */
export type Feature = "outbox";

export interface NavigationEntry {
  href: string;
  label: string;
  icon: LucideIcon;
  /** The entry is hidden where the installation lacks this. */
  feature?: Feature;
}

/** The pages of one product, in the order of the sidebar. */
export interface NavigationSection {
  label: string;
  entries: readonly NavigationEntry[];
}

/**
 * The entry to mark for a page: the longest one that the page's path is at or below, so that a product's overview is
 * not marked on every page of the product.
 */
export function currentHref(sections: readonly NavigationSection[], pathname: string): string | undefined {
  return sections
    .flatMap(({ entries }) => entries.map(({ href }) => href))
    .filter((href) => pathname === href || pathname.startsWith(`${href}/`))
    .sort((a, b) => b.length - a.length)[0];
}
