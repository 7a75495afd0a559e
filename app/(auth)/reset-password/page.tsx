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
    <AuthCard
      title="Set a new password"
      description="A new password logs you out on all devices. Log in again with the new password."
    >
      {token ? (
        <ResetPasswordForm token={token} />
      ) : (
        <Alert tone="bad">This link is incomplete. Open it from the email again, or request a new one.</Alert>
      )}
    </AuthCard>
  );
}
