import type { Metadata } from "next";
import { Alert } from "../../components/ui/alert";
import { AuthCard } from "../auth-card";
import { VerifyEmail } from "./verify-email";

export const metadata: Metadata = { title: "Verify your email address", referrer: "no-referrer" };

interface PageProps {
  searchParams: Promise<{ token?: string }>;
}

export default async function VerifyEmailPage({ searchParams }: PageProps) {
  const { token } = await searchParams;
  return (
    <AuthCard title="Verify your email address">
      {token ? (
        <VerifyEmail token={token} />
      ) : (
        <Alert tone="bad">This link is incomplete. Open it from the email.</Alert>
      )}
    </AuthCard>
  );
}
