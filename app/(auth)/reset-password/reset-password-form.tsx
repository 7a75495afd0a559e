"use client";

import { TextField } from "../../components/form/fields";
import { FailureAlert, Form } from "../../components/form/form";
import { rawTextIn } from "../../components/form/read-fields";
import { Alert } from "../../components/ui/alert";
import { Button } from "../../components/ui/button";
import { Link } from "../../components/ui/link";
import { failureOf } from "../../trpc/failure";
import { useMutationOf } from "../../trpc/use-operation";
import { LINK_STYLE } from "../auth-card";

export function ResetPasswordForm({ token }: { token: string }) {
  const reset = useMutationOf("resetPassword", { meta: { inline: true } });
  if (reset.isSuccess) {
    return (
      <Alert tone="good">
        Your password has been set.{" "}
        <Link href="/log-in" className={LINK_STYLE}>
          Log in
        </Link>
      </Alert>
    );
  }
  const failure = reset.error ? failureOf(reset.error) : undefined;
  if (failure?.fields.some(({ param }) => param === "token")) {
    return (
      <div className="space-y-4">
        <FailureAlert failure={failure} />
        <Link href="/forgot-password" className={LINK_STYLE}>
          Request a new link
        </Link>
      </div>
    );
  }
  return (
    <Form error={reset.error} onSubmit={(fields) => reset.mutate({ token, password: rawTextIn(fields, "password") })}>
      <TextField
        name="password"
        label="New password"
        type="password"
        autoComplete="new-password"
        hint="At least 10 characters."
      />
      <Button type="submit" className="w-full" pending={reset.isPending}>
        Set password
      </Button>
    </Form>
  );
}
