"use client";

import { useTheme } from "next-themes";
import { Toaster } from "sonner";

/** Short messages at the page's edge, in the theme that was chosen. */
export function Toasts() {
  const { resolvedTheme } = useTheme();
  return <Toaster position="bottom-right" theme={resolvedTheme === "dark" ? "dark" : "light"} closeButton />;
}
