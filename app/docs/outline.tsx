"use client";

import { usePathname } from "next/navigation";
import { useEffect, useState } from "react";
import { cn } from "../components/ui/cn";
import outline from "./generated/outline.json";

interface OutlineSection {
  id: string;
  title: string;
}

const OUTLINES: Readonly<Record<string, readonly OutlineSection[]>> = outline;
/** A section is the current one from a little below the sticky header to the upper third of the window. */
const READING_AREA = "-72px 0px -66% 0px";

/** Links to the sections of the page, on wide screens; the section that is being read is marked. */
export function Outline() {
  const sections = OUTLINES[usePathname()] ?? [];
  const current = useSectionInView(sections);
  if (sections.length < 2) return null;
  return (
    <nav aria-labelledby="outline" className="sticky top-20 hidden max-h-[calc(100dvh-6rem)] overflow-y-auto xl:block">
      <p id="outline" className="pb-2 font-medium text-muted-foreground text-xs">
        On this page
      </p>
      <ul className="border-l text-sm">
        {sections.map(({ id, title }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === current ? "location" : undefined}
              className={cn(
                "-ml-px block border-transparent border-l-2 py-1 pl-3 leading-5 hover:text-foreground",
                id === current ? "border-primary text-foreground" : "text-muted-foreground",
              )}
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function useSectionInView(sections: readonly OutlineSection[]): string | undefined {
  const [current, setCurrent] = useState<string>();
  useEffect(() => {
    setCurrent(undefined);
    const observer = new IntersectionObserver(
      (entries) => {
        const entered = entries.find(({ isIntersecting }) => isIntersecting);
        if (entered) setCurrent(entered.target.getAttribute("aria-labelledby") ?? undefined);
      },
      { rootMargin: READING_AREA },
    );
    for (const { id } of sections) {
      const section = document.getElementById(id)?.closest("section");
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [sections]);
  return current;
}
