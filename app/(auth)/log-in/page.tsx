import type { Metadata } from "next";
import Link from "next/link";
import { surfaces } from "../../../server/surfaces";
import { Alert } from "../../components/ui/alert";
import { AuthCard, TEXT_LINK } from "../auth-card";
import { safeNext } from "../safe-next";
import { LogInForm } from "./log-in-form";

export const metadata: Metadata = { title: "Log in" };

interface PageProps {
  searchParams: Promise<{ next?: string }>;
}

export default async function LogInPage({ searchParams }: PageProps) {
  const { next } = await searchParams;
  const isDemo = surfaces().isLoopback && surfaces().demo() !== undefined;
  return (
    <AuthCard
      title="Log in"
      description="Welcome back."
      footer={
        <>
          No account yet?{" "}
          <Link href="/sign-up" className={TEXT_LINK}>
            Sign up
          </Link>
        </>
      }
    >
      <LogInForm next={safeNext(next)} />
      {isDemo && (
        <Alert>
          The demo account's log-in was printed when the server started; it also stands in <code>demo.json</code> in the
          data directory.
        </Alert>
      )}
    </AuthCard>
  );
}
