import type { ReactNode } from "react";
import { Brand } from "../components/brand";
import { ThemeSwitch } from "../components/theme-switch";
import { redirectToPublicOrigin } from "../redirect-to-public-origin";
import { ApiClientProvider } from "../trpc/client";

export default async function AuthLayout({ children }: { children: ReactNode }) {
  await redirectToPublicOrigin();
  return (
    <ApiClientProvider>
      <div className="flex min-h-dvh flex-col">
        <header className="flex items-center justify-between px-4 py-4 sm:px-8">
          <Brand />
          <ThemeSwitch />
        </header>
        <main className="mx-auto flex w-full max-w-md flex-1 flex-col px-4 pt-[6vh] pb-16">{children}</main>
      </div>
    </ApiClientProvider>
  );
}
