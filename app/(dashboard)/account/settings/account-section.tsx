"use client";

import { useMutation } from "@tanstack/react-query";
import { toast } from "sonner";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { Section } from "../../../components/ui/card";
import { formatDateTime } from "../../../format/dates";
import { useTRPC } from "../../../trpc/client";
import type { Account } from "./account";

export function AccountSection({ account: { user } }: { account: Account }) {
  const trpc = useTRPC();
  const resend = useMutation(
    trpc.resendVerification.mutationOptions({
      onSuccess: ({ sent }) =>
        sent
          ? toast.success("Verification email sent.")
          : toast.info("No email was sent: the address is already verified, or this installation cannot send email."),
    }),
  );
  return (
    <Section title="Account">
      <dl className="grid gap-4 text-sm sm:grid-cols-2">
        <div className="space-y-1">
          <dt className="text-muted-foreground">Email address</dt>
          <dd className="flex flex-wrap items-center gap-2">
            <span className="break-all font-medium">{user.email}</span>
            {user.email_verified_at ? <Badge tone="good">verified</Badge> : <Badge tone="warn">not verified</Badge>}
          </dd>
          {!user.email_verified_at && (
            <dd>
              <Button variant="outline" size="sm" pending={resend.isPending} onClick={() => resend.mutate()}>
                Resend verification email
              </Button>
            </dd>
          )}
        </div>
        <div className="space-y-1">
          <dt className="text-muted-foreground">Member since</dt>
          <dd>{formatDateTime(user.created_at)}</dd>
        </div>
      </dl>
    </Section>
  );
}
