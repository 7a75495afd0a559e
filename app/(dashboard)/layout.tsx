import { cookies, headers } from "next/headers";
import { redirect } from "next/navigation";
import { type ReactNode, Suspense } from "react";
import { surfaces } from "../../server/surfaces";
import { UnsavedProvider } from "../components/form/unsaved";
import { redirectToPublicOrigin } from "../redirect-to-public-origin";
import { ApiClientProvider } from "../trpc/client";
import { AccessProvider } from "./components/shell/access";
import { type Mode, ModeProvider } from "./components/shell/mode";
import type { Feature } from "./components/shell/navigation-section";
import { Shell } from "./components/shell/shell";

/** Requires a session; other visitors are redirected to the login page and return afterwards. */
export default async function DashboardLayout({ children }: { children: ReactNode }) {
  await redirectToPublicOrigin();
  const requestHeaders = await headers();
  const session = await surfaces().session(requestHeaders);
  if (!session) redirect(`/log-in?next=${encodeURIComponent(requestHeaders.get("x-path") ?? "/dashboard")}`);
  const mode = initialMode((await cookies()).get("svc_mode")?.value, session.tenant);
  const features: Feature[] = surfaces().mailDelivery === "outbox" ? ["outbox"] : [];
  return (
    <ApiClientProvider>
      <Suspense>
        <ModeProvider remembered={mode}>
          <AccessProvider scopes={[...session.actor.scopes]}>
            <UnsavedProvider>
              <Shell
                email={session.user.email}
                tenantName={session.tenant.name}
                isDemo={session.tenant.is_demo}
                features={features}
              >
                {children}
              </Shell>
            </UnsavedProvider>
          </AccessProvider>
        </ModeProvider>
      </Suspense>
    </ApiClientProvider>
  );
}

/** The last choice; by default test, and live for the demo tenant, whose page and campaigns are live. */
function initialMode(remembered: string | undefined, tenant: { is_demo: boolean }): Mode {
  if (remembered === "live" || remembered === "test") return remembered;
  return tenant.is_demo ? "live" : "test";
}
