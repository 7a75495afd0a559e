import type { Metadata } from "next";
import { surfaces } from "../../../server/surfaces";
import { Alert } from "../../components/ui/alert";
import { Link } from "../../components/ui/link";
import { AuthCard, LINK_STYLE } from "../auth-card";
import { safeRedirect } from "../safe-redirect";
import { LogInForm } from "./log-in-form";

export const metadata: Metadata = { title: "Log in" };

interface PageProps {
  searchParams: Promise<{ next?: string | string[] }>;
}

export default async function LogInPage({ searchParams }: PageProps) {
  const { next } = await searchParams;
  const { isLoopback, demo, publicUrl } = surfaces();
  const isDemo = isLoopback && demo() !== undefined;
  return (
    <AuthCard
      title="Log in"
      description="Welcome back."
      footer={
        <>
          No account yet?{" "}
          <Link href="/sign-up" className={LINK_STYLE}>
            Sign up
          </Link>
        </>
      }
    >
      <LogInForm next={safeRedirect(next, publicUrl)} />
      {isDemo && (
        <Alert>
          The server printed the demo account's credentials when it started. They are also in <code>demo.json</code> in
          the data directory.
        </Alert>
      )}
    </AuthCard>
  );
}
