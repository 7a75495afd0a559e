import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { type ReactNode, Suspense } from "react";
import { surfaces } from "../../server/surfaces";
import { ModeProvider } from "../components/shell/mode";
import { Shell } from "../components/shell/shell";
import { DashboardClient } from "../trpc/client";

/** Lets in who is logged in; everybody else goes to the log-in page and comes back afterwards. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  const requestHeaders = await headers();
  const session = await surfaces().session(requestHeaders);
  if (!session) redirect(`/log-in?next=${encodeURIComponent(requestHeaders.get("x-path") ?? "/dashboard")}`);
  const mode = (await cookies()).get("svc_mode")?.value === "live" ? "live" : "test";
  return (
    <DashboardClient>
      <Suspense>
        <ModeProvider remembered={mode}>
          <Shell email={session.user.email} tenantName={session.tenant.name} outbox={surfaces().hasOutbox}>
            {children}
          </Shell>
        </ModeProvider>
      </Suspense>
    </DashboardClient>
  );
}
