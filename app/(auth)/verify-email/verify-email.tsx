"use client";

import { FailureAlert } from "../../components/form/form";
import { Alert } from "../../components/ui/alert";
import { Button } from "../../components/ui/button";
import { Link } from "../../components/ui/link";
import { failureOf } from "../../trpc/failure";
import { useMutationOf } from "../../trpc/use-operation";

/** The button uses the token, not the page load: email scanners follow links but do not press buttons. */
export function VerifyEmail({ token }: { token: string }) {
  const verify = useMutationOf("verifyEmail", { meta: { inline: true } });
  if (verify.data) {
    return (
      <div className="space-y-4">
        <Alert tone="good">{verify.data.email} is verified.</Alert>
        <Button asChild>
          <Link href="/dashboard">Go to the dashboard</Link>
        </Button>
      </div>
    );
  }
  return (
    <div className="space-y-4">
      {verify.error && <FailureAlert failure={failureOf(verify.error)} />}
      <Button pending={verify.isPending} onClick={() => verify.mutate({ token })}>
        Verify email address
      </Button>
    </div>
  );
}
