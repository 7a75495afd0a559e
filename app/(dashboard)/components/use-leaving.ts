"use client";

import { useRouter } from "next/navigation";

interface Leaving {
  /** The toast. */
  done: string;
  /** The list that is opened. */
  href: string;
  /** Whether the page shows an error itself. */
  inline?: boolean;
}

/** The options of a mutation that deletes what the page shows: the page is left. */
export function useLeaving({ done, href, inline = false }: Leaving) {
  const router = useRouter();
  const meta = { done, inline, leaves: true as const };
  return { meta, onSuccess: () => router.push(href) };
}
