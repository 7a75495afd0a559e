"use client";

import { useTheme } from "next-themes";
import { Toaster } from "sonner";

/** Short messages at the page's edge, in the theme that was chosen. */
export function Toasts() {
  const { resolvedTheme } = useTheme();
  const theme = resolvedTheme === "dark" ? "dark" : "light";
  // Scalar's reference has "Notifications" of its own.
  return <Toaster position="bottom-right" theme={theme} containerAriaLabel="Messages" closeButton />;
}
