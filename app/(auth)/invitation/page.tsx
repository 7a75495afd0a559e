import type { Metadata } from "next";
import { headers } from "next/headers";
import { surfaces } from "../../../server/surfaces";
import { Alert } from "../../components/ui/alert";
import { AuthCard } from "../auth-card";
import { Invitation } from "./invitation";

export const metadata: Metadata = { title: "Invitation", referrer: "no-referrer" };

interface PageProps {
  searchParams: Promise<{ token?: string }>;
}

export default async function InvitationPage({ searchParams }: PageProps) {
  const { token } = await searchParams;
  const session = await surfaces().session(await headers());
  return (
    <AuthCard title="You have been invited">
      {token ? (
        <Invitation token={token} loggedInAs={session?.user.email} />
      ) : (
        <Alert tone="bad">This link is incomplete. Open it from the email, or ask for a new invitation.</Alert>
      )}
    </AuthCard>
  );
}
