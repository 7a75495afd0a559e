import { toast } from "sonner";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { Section } from "../../../components/ui/card";
import { formatDateTime } from "../../../format/dates";
import { useMutationOf } from "../../../trpc/use-operation";
import { Fact, Facts } from "../../components/facts";
import type { Account } from "./account";

export function AccountSection({ account: { user } }: { account: Account }) {
  const resend = useMutationOf("resendVerification", {
    onSuccess: ({ sent }) =>
      sent
        ? toast.success("Verification email sent.")
        : toast.info("No email was sent: the address is already verified, or this installation cannot send email."),
  });
  return (
    <Section title="Account">
      <Facts>
        <Fact name="Email address">
          <span className="flex flex-wrap items-center gap-2">
            <span className="break-all font-medium">{user.email}</span>
            {user.email_verified_at ? <Badge tone="good">verified</Badge> : <Badge tone="warn">not verified</Badge>}
          </span>
          {!user.email_verified_at && (
            <Button
              variant="outline"
              size="sm"
              className="mt-1"
              pending={resend.isPending}
              onClick={() => resend.mutate()}
            >
              Resend verification email
            </Button>
          )}
        </Fact>
        <Fact name="Member since">{formatDateTime(user.created_at)}</Fact>
      </Facts>
    </Section>
  );
}
