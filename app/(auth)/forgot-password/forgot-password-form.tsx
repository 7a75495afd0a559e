"use client";

import { TextField } from "../../components/form/fields";
import { Form } from "../../components/form/form";
import { textIn } from "../../components/form/read-fields";
import { Alert } from "../../components/ui/alert";
import { Button } from "../../components/ui/button";
import { useMutationOf } from "../../trpc/use-operation";

export function ForgotPasswordForm() {
  const request = useMutationOf("requestPasswordReset", { meta: { inline: true } });
  if (request.isSuccess) {
    return (
      <Alert tone="good">
        If an account with this address exists, we’ve emailed it a link. The link works once and expires after an hour.
      </Alert>
    );
  }
  return (
    <Form error={request.error} onSubmit={(fields) => request.mutate({ email: textIn(fields, "email") })}>
      <TextField name="email" label="Email address" type="email" autoComplete="username" />
      <Button type="submit" className="w-full" pending={request.isPending}>
        Send link
      </Button>
    </Form>
  );
}
