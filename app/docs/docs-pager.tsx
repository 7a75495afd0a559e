"use client";

import { ArrowLeft, ArrowRight } from "lucide-react";
import { usePathname } from "next/navigation";
import { Link } from "../components/ui/link";
import { DOCS_SECTIONS } from "./docs-sections";

interface DocsEntry {
  href: string;
  label: string;
}

const PAGES: readonly DocsEntry[] = DOCS_SECTIONS.flatMap(({ places }): readonly DocsEntry[] => places);
const LINK_STYLE = "inline-flex items-center gap-1.5 rounded-md py-1 font-medium text-primary text-sm hover:underline";

/** Links to the previous and the next page in reading order. */
export function DocsPager() {
  const pathname = usePathname();
  const index = PAGES.findIndex(({ href }) => href === pathname);
  const before = PAGES[index - 1];
  const after = PAGES[index + 1];
  return (
    <nav aria-label="Reading order" className="mt-12 flex flex-wrap justify-between gap-3 border-t pt-5">
      {before && (
        <Link href={before.href} className={LINK_STYLE}>
          <ArrowLeft aria-hidden className="size-4" />
          {before.label}
        </Link>
      )}
      {after && (
        <Link href={after.href} className={`${LINK_STYLE} ml-auto`}>
          {after.label}
          <ArrowRight aria-hidden className="size-4" />
        </Link>
      )}
    </nav>
  );
}
