import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { type ReactNode, Suspense } from "react";
import { surfaces } from "../../server/surfaces";
import { AccessProvider } from "../components/shell/access";
import { type Mode, ModeProvider } from "../components/shell/mode";
import { Shell } from "../components/shell/shell";
import { stayOnPublicOrigin } from "../stay-on-public-origin";
import { DashboardClient } from "../trpc/client";

/** Lets in who is logged in; everybody else goes to the log-in page and comes back afterwards. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  await stayOnPublicOrigin();
  const requestHeaders = await headers();
  const session = await surfaces().session(requestHeaders);
  if (!session) redirect(`/log-in?next=${encodeURIComponent(requestHeaders.get("x-path") ?? "/dashboard")}`);
  const mode = modeOf((await cookies()).get("svc_mode")?.value, session.tenant);
  const hasOutbox = surfaces().mailDelivery === "outbox";
  return (
    <DashboardClient>
      <Suspense>
        <ModeProvider remembered={mode}>
          <AccessProvider scopes={[...session.actor.scopes]}>
            <Shell email={session.user.email} tenantName={session.tenant.name} outbox={hasOutbox}>
              {children}
            </Shell>
          </AccessProvider>
        </ModeProvider>
      </Suspense>
    </DashboardClient>
  );
}

/** The last choice; without one test, except that the demo's own page and campaigns are live. */
function modeOf(remembered: string | undefined, tenant: { is_demo: boolean }): Mode {
  if (remembered === "live" || remembered === "test") return remembered;
  return tenant.is_demo ? "live" : "test";
}
