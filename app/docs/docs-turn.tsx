"use client";

import { ArrowLeft, ArrowRight } from "lucide-react";
import Link from "next/link";
import { usePathname } from "next/navigation";
import { PLACES } from "./places";

interface Place {
  href: string;
  label: string;
}

const ORDER: readonly Place[] = PLACES.flatMap(({ places }): readonly Place[] => places);
const LOOK = "inline-flex items-center gap-1.5 rounded-md py-1 font-medium text-primary text-sm hover:underline";

/** The pages before and after this one, in reading order. */
export function DocsTurn() {
  const pathname = usePathname();
  const here = ORDER.findIndex(({ href }) => href === pathname);
  const before = ORDER[here - 1];
  const after = ORDER[here + 1];
  return (
    <nav aria-label="Reading order" className="mt-12 flex flex-wrap justify-between gap-3 border-t pt-5">
      {before && (
        <Link href={before.href} className={LOOK}>
          <ArrowLeft aria-hidden className="size-4" />
          {before.label}
        </Link>
      )}
      {after && (
        <Link href={after.href} className={`${LOOK} ml-auto`}>
          {after.label}
          <ArrowRight aria-hidden className="size-4" />
        </Link>
      )}
    </nav>
  );
}
