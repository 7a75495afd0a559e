import type { Metadata } from "next";
import { Alert } from "../../components/ui/alert";
import { AuthCard } from "../auth-card";
import { VerifyEmail } from "./verify-email";

export const metadata: Metadata = { title: "Confirm the e-mail address", referrer: "no-referrer" };

interface PageProps {
  searchParams: Promise<{ token?: string }>;
}

export default async function VerifyEmailPage({ searchParams }: PageProps) {
  const { token } = await searchParams;
  return (
    <AuthCard title="Confirm the e-mail address">
      {token ? (
        <VerifyEmail token={token} />
      ) : (
        <Alert tone="bad">The link is incomplete. Open it from the letter.</Alert>
      )}
    </AuthCard>
  );
}
