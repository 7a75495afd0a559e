"use client";

import { useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { TextField } from "../../components/form/fields";
import { Form } from "../../components/form/form";
import { textIn } from "../../components/form/read-fields";
import { Alert } from "../../components/ui/alert";
import { Button } from "../../components/ui/button";
import { useTRPC } from "../../trpc/client";
import { TEXT_LINK } from "../auth-card";

export function ForgotPasswordForm({ outbox }: { outbox: boolean }) {
  const trpc = useTRPC();
  const request = useMutation(trpc.auth.requestPasswordReset.mutationOptions({ meta: { inline: true } }));
  if (request.isSuccess) {
    return (
      <Alert tone="good">
        If an account has this address, a letter with a link is on its way. It works once, for a short while.
        {outbox && (
          <>
            {" "}
            On this machine letters land in the{" "}
            <Link href="/outbox" className={TEXT_LINK}>
              outbox
            </Link>
            .
          </>
        )}
      </Alert>
    );
  }
  return (
    <Form error={request.error} onSubmit={(fields) => request.mutate({ email: textIn(fields, "email") })}>
      <TextField name="email" label="E-mail address" type="email" autoComplete="username" />
      <Button type="submit" className="w-full" pending={request.isPending}>
        Send the link
      </Button>
    </Form>
  );
}
