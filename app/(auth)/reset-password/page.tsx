import type { Metadata } from "next";
import { Alert } from "../../components/ui/alert";
import { AuthCard } from "../auth-card";
import { ResetPasswordForm } from "./reset-password-form";

export const metadata: Metadata = { title: "New password", referrer: "no-referrer" };

interface PageProps {
  searchParams: Promise<{ token?: string }>;
}

export default async function ResetPasswordPage({ searchParams }: PageProps) {
  const { token } = await searchParams;
  return (
    <AuthCard title="Set a new password" description="All sessions of the account end; log in with the new password.">
      {token ? (
        <ResetPasswordForm token={token} />
      ) : (
        <Alert tone="bad">The link is incomplete. Open it from the letter again, or ask for a new one.</Alert>
      )}
    </AuthCard>
  );
}
