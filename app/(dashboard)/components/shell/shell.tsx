"use client";

import { Menu } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Brand } from "../../../components/brand";
import { SearchButton } from "../../../components/search-dialog";
import { ThemeSwitch } from "../../../components/theme-switch";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { AccountMenu } from "./account-menu";
import { CommandPalette } from "./command-palette";
import { ModeSwitch, useMode } from "./mode";
import { Navigation } from "./navigation";
import type { Feature } from "./navigation-section";
import { SimulatedNotice } from "./simulated-notice";

interface ShellProps {
  email: string;
  tenantName: string;
  isDemo: boolean;
  features: readonly Feature[];
  children: ReactNode;
}

/** The dashboard's frame: a sidebar from 768 px on, below that a bar whose menu opens as a dialog. */
export function Shell({ email, tenantName, isDemo, features, children }: ShellProps) {
  const [open, setOpen] = useState(false);
  const [searching, setSearching] = useState(false);
  const sidebar = (onNavigate?: () => void) => (
    <>
      <AccountMenu email={email} tenantName={tenantName} onNavigate={onNavigate} />
      <ModeSwitch />
      <Navigation features={features} {...(onNavigate ? { onNavigate } : {})} />
    </>
  );
  return (
    <div className="min-h-dvh md:grid md:grid-cols-[15rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-md focus:bg-card focus:px-3 focus:py-2"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh flex-col gap-5 overflow-y-auto border-r bg-sidebar p-4 md:flex">
        <div className="flex items-center justify-between">
          <Brand href="/dashboard" />
          <ThemeSwitch />
        </div>
        <SearchButton label="Search" onClick={() => setSearching(true)} />
        {sidebar()}
      </aside>
      <div className="min-w-0">
        <header className="sticky top-0 z-40 flex h-14 items-center justify-between border-b bg-background/95 px-4 backdrop-blur-sm md:hidden">
          <Brand href="/dashboard" />
          <div className="flex items-center gap-1">
            <SearchButton label="Search" onClick={() => setSearching(true)} />
            <ThemeSwitch />
            <Button variant="ghost" size="icon" aria-label="Open menu" onClick={() => setOpen(true)}>
              <Menu />
            </Button>
          </div>
        </header>
        <Dialog open={open} onOpenChange={setOpen} title="Menu" className="max-w-sm">
          {sidebar(() => setOpen(false))}
        </Dialog>
        <CommandPalette open={searching} onOpenChange={setSearching} features={features} />
        <main id="content" tabIndex={-1} className="mx-auto max-w-6xl px-4 py-6 outline-none sm:px-8 sm:py-8">
          <ModeNotice />
          {isDemo && <SimulatedNotice />}
          {children}
        </main>
      </div>
    </div>
  );
}

function ModeNotice() {
  const { mode } = useMode();
  return (
    <p aria-live="polite" className={mode === "test" ? "mb-5 text-warning-foreground text-xs" : "sr-only"}>
      <span className={mode === "test" ? "inline-block rounded-lg bg-warning px-2.5 py-1 font-medium" : ""}>
        {mode === "test" ? "Test mode: nothing here is billed or served on live channels" : "Live mode"}
      </span>
    </p>
  );
}
