"use client";

import { FailureAlert } from "../../components/form/form";
import { QueryContent } from "../../components/query-content";
import { Button } from "../../components/ui/button";
import { Link } from "../../components/ui/link";
import type { Outputs } from "../../trpc/client";
import { failureOf } from "../../trpc/failure";
import { useMutationOf, useQueryOf } from "../../trpc/use-operation";
import { LINK_STYLE } from "../auth-card";
import { SignUpForm } from "../sign-up/sign-up-form";

interface InvitationProps {
  token: string;
  loggedInAs: string | undefined;
}

export function Invitation({ token, loggedInAs }: InvitationProps) {
  const query = useQueryOf("getInvitation", { token }, { retry: false });
  return (
    <QueryContent query={query}>
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
    </QueryContent>
  );
}

function NextStep({ token, invitation, loggedInAs }: InvitationProps & { invitation: Outputs["getInvitation"] }) {
  const accept = useMutationOf("acceptInvitation", {
    meta: { inline: true, leaves: true },
    onSuccess: () => window.location.assign("/dashboard"),
  });
  if (loggedInAs !== invitation.email || invitation.tenant_name === null) {
    return (
      <div className="space-y-5">
        <SignUpForm invited={{ email: invitation.email, token, joinsTenant: invitation.tenant_name !== null }} />
        {invitation.tenant_name !== null && (
          <p className="text-muted-foreground text-sm">
            Already have an account with this address?{" "}
            <Link href={`/log-in?next=${encodeURIComponent(`/invitation?token=${token}`)}`} className={LINK_STYLE}>
              Log in and accept
            </Link>
          </p>
        )}
      </div>
    );
  }
  return (
    <div className="space-y-4">
      {accept.error && <FailureAlert failure={failureOf(accept.error)} />}
      <Button pending={accept.isPending || accept.isSuccess} onClick={() => accept.mutate({ token })}>
        Accept invitation
      </Button>
    </div>
  );
}
