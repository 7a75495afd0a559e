"use client";

import { useMutation } from "@tanstack/react-query";
import Link from "next/link";
import { TextField } from "../../components/form/fields";
import { Form } from "../../components/form/form";
import { rawTextIn, textIn } from "../../components/form/read-fields";
import { Button } from "../../components/ui/button";
import { useTRPC } from "../../trpc/client";
import { TEXT_LINK } from "../auth-card";

/** Goes on to `next`, a path of this site. */
export function LogInForm({ next }: { next: string }) {
  const trpc = useTRPC();
  const logIn = useMutation(
    trpc.auth.logIn.mutationOptions({ meta: { inline: true }, onSuccess: () => window.location.assign(next) }),
  );
  return (
    <Form
      error={logIn.error}
      onSubmit={(fields) => logIn.mutate({ email: textIn(fields, "email"), password: rawTextIn(fields, "password") })}
    >
      <TextField name="email" label="E-mail address" type="email" autoComplete="username" />
      <TextField name="password" label="Password" type="password" autoComplete="current-password" />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Button type="submit" pending={logIn.isPending || logIn.isSuccess}>
          Log in
        </Button>
        <Link href="/forgot-password" className={`${TEXT_LINK} text-sm`}>
          Forgot the password?
        </Link>
      </div>
    </Form>
  );
}
