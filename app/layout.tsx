import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import { ThemeProvider } from "next-themes";
import type { ReactNode } from "react";
import { Toasts } from "./components/toasts";
import "./globals.css";

export const metadata: Metadata = {
  title: { default: "svc", template: "%s · svc" },
  description:
    "Contextual offers for publishers: matched by API or script tag, counted when seen, accounted to the cent.",
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#f8fafb" },
    { media: "(prefers-color-scheme: dark)", color: "#0d1216" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    <html lang="en" suppressHydrationWarning>
      <body>
        <ThemeProvider attribute="class" disableTransitionOnChange {...(nonce ? { nonce } : {})}>
          {children}
          <Toasts />
        </ThemeProvider>
      </body>
    </html>
  );
}
