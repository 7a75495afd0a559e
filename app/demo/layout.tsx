import type { Metadata } from "next";
import type { ReactNode } from "react";

export const metadata: Metadata = {
  title: { absolute: "Worn In: buying guides written after the warranty (demo)" },
  description: "A demonstration publisher: an invented magazine that carries offers by one script tag.",
  robots: { index: false },
};

export default function DemoLayout({ children }: { children: ReactNode }) {
  return children;
}
