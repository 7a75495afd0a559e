import type { Metadata } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { surfaces } from "../../server/surfaces";
import { Brand } from "../components/brand";
import { ThemeSwitch } from "../components/theme-switch";
import { Button } from "../components/ui/button";
import { Link } from "../components/ui/link";
import { redirectToPublicOrigin } from "../redirect-to-public-origin";
import { DocsFrame } from "./docs-frame";
import { DocsSearch } from "./docs-search";
import { firstBrowserKey } from "./first-browser-key";
import { type KnownToReader, RunnerProvider } from "./runner";

export const metadata: Metadata = { title: { default: "Documentation", template: "%s · svc documentation" } };

export default async function DocsLayout({ children }: { children: ReactNode }) {
  await redirectToPublicOrigin();
  const { session, publicUrl } = surfaces();
  const isLoggedIn = (await session(await headers())) !== undefined;
  const known = isLoggedIn ? await knownToReader() : {};
  return (
    <RunnerProvider publicUrl={publicUrl} known={known}>
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
            <Link
              href="/docs"
              className="hidden rounded-md text-muted-foreground text-sm hover:text-foreground min-[26rem]:inline"
            >
              Documentation
            </Link>
          </div>
          <div className="flex items-center gap-1.5">
            <DocsSearch />
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

/** What a logged-in reader may read of their newest channels: an ID in test mode, and a browser key; never a secret key. */
async function knownToReader(): Promise<KnownToReader> {
  const { listChannels, listChannelKeys } = surfaces().trpc.caller(await headers());
  const orNone = <T,>(list: Promise<{ data: T[] }>): Promise<T[]> =>
    list.then(
      ({ data }) => data,
      () => [],
    );
  const [[test], [live]] = await Promise.all([
    orNone(listChannels({ mode: "test", limit: 1 })),
    orNone(listChannels({ mode: "live", limit: 1 })),
  ]);
  for (const channel of [live, test]) {
    const text = channel && firstBrowserKey(await orNone(listChannelKeys({ id: channel.id })));
    if (text) return { channelId: test?.id, browserKey: { text, channelName: channel.name } };
  }
  return { channelId: test?.id };
}
