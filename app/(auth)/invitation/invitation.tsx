"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import Link from "next/link";
import { FailureAlert } from "../../components/form/form";
import { Loaded } from "../../components/loaded";
import { Button } from "../../components/ui/button";
import { type Outputs, useTRPC } from "../../trpc/client";
import { failureOf } from "../../trpc/failure";
import { SignUpForm } from "../sign-up/sign-up-form";

interface InvitationProps {
  token: string;
  loggedInAs: string | undefined;
}

export function Invitation({ token, loggedInAs }: InvitationProps) {
  const trpc = useTRPC();
  const query = useQuery(trpc.auth.invitation.queryOptions({ token }, { retry: false }));
  return (
    <Loaded query={query}>
      {(invitation) => (
        <div className="space-y-5">
          <p className="text-sm">
            {invitation.tenant_name ? (
              <>
                Join <strong>{invitation.tenant_name}</strong> as {invitation.role}, with the address{" "}
              </>
            ) : (
              "Create an account with the address "
            )}
            <strong className="break-all">{invitation.email}</strong>.
          </p>
          <NextStep token={token} invitation={invitation} loggedInAs={loggedInAs} />
        </div>
      )}
    </Loaded>
  );
}

function NextStep({ token, invitation, loggedInAs }: InvitationProps & { invitation: Outputs["auth"]["invitation"] }) {
  const trpc = useTRPC();
  const accept = useMutation(
    trpc.auth.acceptInvitation.mutationOptions({
      meta: { inline: true },
      onSuccess: () => window.location.assign("/dashboard"),
    }),
  );
  if (!invitation.has_account) {
    return <SignUpForm invited={{ email: invitation.email, token, joinsTenant: invitation.tenant_name !== null }} />;
  }
  if (loggedInAs !== invitation.email) {
    return (
      <Button asChild>
        <Link href={`/log-in?next=${encodeURIComponent(`/invitation?token=${token}`)}`}>
          Log in as {invitation.email}
        </Link>
      </Button>
    );
  }
  return (
    <div className="space-y-4">
      {accept.error && <FailureAlert failure={failureOf(accept.error)} />}
      <Button pending={accept.isPending || accept.isSuccess} onClick={() => accept.mutate({ token })}>
        Accept the invitation
      </Button>
    </div>
  );
}
