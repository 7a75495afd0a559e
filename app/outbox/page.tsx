import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { connection } from "next/server";
import { surfaces } from "../../server/surfaces";
import { Brand } from "../components/shell/brand";
import { ThemeSwitch } from "../components/shell/theme-switch";
import { DashboardClient } from "../trpc/client";
import { Outbox } from "./outbox";

export const metadata: Metadata = { title: "Outbox", referrer: "no-referrer" };

/** Outside the dashboard's frame: a link that confirms or resets is needed before anybody can log in. */
export default async function OutboxPage() {
  await connection();
  if (surfaces().mailDelivery !== "outbox") notFound();
  return (
    <DashboardClient>
      <div className="mx-auto max-w-3xl px-4 pb-16 sm:px-8">
        <header className="flex items-center justify-between py-4">
          <Brand href="/dashboard" />
          <ThemeSwitch />
        </header>
        <main className="pt-4">
          <Outbox />
        </main>
      </div>
    </DashboardClient>
  );
}
