"use client";

import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { cn } from "../components/ui/cn";
import { DocsNavigation } from "./docs-navigation";

/** Text pages have the list of pages beside them; the reference has its own list and takes the full width. */
export function DocsFrame({ children }: { children: ReactNode }) {
  const isReference = usePathname().startsWith("/docs/reference/");
  // The reference contains its own <main>.
  const Content = isReference ? "div" : "main";
  return (
    <div
      className={cn(
        "grid gap-6",
        !isReference && "mx-auto max-w-7xl px-4 py-6 sm:px-8 sm:py-8 md:grid-cols-[13rem_minmax(0,1fr)] md:gap-10",
      )}
    >
      {!isReference && <DocsNavigation />}
      <Content id="content" tabIndex={-1} className={cn("min-w-0 outline-none", !isReference && "pb-16")}>
        {children}
      </Content>
    </div>
  );
}
