"use client";

import { useMutation } from "@tanstack/react-query";
import { toast } from "sonner";
import { Badge } from "../../components/ui/badge";
import { Button } from "../../components/ui/button";
import { Section } from "../../components/ui/card";
import { formatMoment } from "../../format/dates";
import { useTRPC } from "../../trpc/client";
import type { Account } from "./account";

export function AccountSection({ account: { user } }: { account: Account }) {
  const trpc = useTRPC();
  const resend = useMutation(
    trpc.auth.resendVerification.mutationOptions({
      onSuccess: ({ sent }) =>
        sent
          ? toast.success("A new letter is on its way.")
          : toast.info("No letter was sent: none is needed or possible."),
    }),
  );
  return (
    <Section title="Account">
      <dl className="grid gap-4 text-sm sm:grid-cols-2">
        <div className="space-y-1">
          <dt className="text-muted-foreground">E-mail address</dt>
          <dd className="flex flex-wrap items-center gap-2">
            <span className="break-all font-medium">{user.email}</span>
            {user.email_verified_at ? <Badge tone="good">confirmed</Badge> : <Badge tone="warn">not confirmed</Badge>}
          </dd>
          {!user.email_verified_at && (
            <dd>
              <Button variant="outline" size="sm" pending={resend.isPending} onClick={() => resend.mutate()}>
                Send the letter again
              </Button>
            </dd>
          )}
        </div>
        <div className="space-y-1">
          <dt className="text-muted-foreground">Member since</dt>
          <dd>{formatMoment(user.created_at)}</dd>
        </div>
      </dl>
    </Section>
  );
}
