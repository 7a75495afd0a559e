import type { Metadata } from "next";
import { headers } from "next/headers";
import Link from "next/link";
import type { ReactNode } from "react";
import { surfaces } from "../../server/surfaces";
import { Brand } from "../components/brand";
import { ThemeSwitch } from "../components/theme-switch";
import { Button } from "../components/ui/button";
import { redirectToPublicOrigin } from "../redirect-to-public-origin";
import { DocsFrame } from "./docs-frame";
import { RunnerProvider } from "./runner";

export const metadata: Metadata = { title: { default: "Documentation", template: "%s · svc documentation" } };

export default async function DocsLayout({ children }: { children: ReactNode }) {
  await redirectToPublicOrigin();
  const { session, publicUrl } = surfaces();
  const isLoggedIn = (await session(await headers())) !== undefined;
  const initialIds = isLoggedIn ? await knownIds() : {};
  return (
    <RunnerProvider publicUrl={publicUrl} initialIds={initialIds}>
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-card focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
      <header className="sticky top-0 z-40 border-b bg-background/95 backdrop-blur-sm">
        <div className="mx-auto flex h-14 max-w-7xl items-center justify-between gap-3 px-4 sm:px-8">
          <div className="flex items-center gap-3">
            <Brand />
            <Link href="/docs" className="rounded-md text-muted-foreground text-sm hover:text-foreground">
              Documentation
            </Link>
          </div>
          <div className="flex items-center gap-1.5">
            <ThemeSwitch />
            <Button asChild size="sm" variant="outline">
              <Link href={isLoggedIn ? "/dashboard" : "/log-in"}>{isLoggedIn ? "Dashboard" : "Log in"}</Link>
            </Button>
          </div>
        </div>
      </header>
      <DocsFrame>{children}</DocsFrame>
    </RunnerProvider>
  );
}

/** Initial IDs for the examples of a logged-in user: their first channel, if they can read it. */
async function knownIds(): Promise<Record<string, string>> {
  const caller = surfaces().trpc.caller(await headers());
  const [channel] = await caller.channels.list({ limit: 1 }).then(
    ({ data }) => data,
    () => [],
  );
  return channel ? { channel_id: channel.id } : {};
}
