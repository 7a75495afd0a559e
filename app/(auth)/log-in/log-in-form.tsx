"use client";

import { useState } from "react";
import { TextField } from "../../components/form/fields";
import { Form } from "../../components/form/form";
import { rawTextIn, textIn } from "../../components/form/read-fields";
import { Button } from "../../components/ui/button";
import { Link } from "../../components/ui/link";
import { failureOf } from "../../trpc/failure";
import { useMutationOf } from "../../trpc/use-operation";
import { LINK_STYLE } from "../auth-card";

/** Error reasons after which the form asks for a login code. */
const CODE_REASONS = new Set(["code_required", "code_accepted", "code_invalid"]);

/** Redirects to `next`, a path on this site, after a successful login. */
export function LogInForm({ next }: { next: string }) {
  const [needsCode, setNeedsCode] = useState(false);
  const logIn = useMutationOf("openBrowserSession", {
    meta: { inline: true, leaves: true },
    onSuccess: () => window.location.assign(next),
    onError: (error) => CODE_REASONS.has(failureOf(error).reason ?? "") && setNeedsCode(true),
  });
  return (
    <Form
      error={logIn.error}
      onSubmit={(fields) =>
        logIn.mutate({
          email: textIn(fields, "email"),
          password: rawTextIn(fields, "password"),
          ...(needsCode ? { code: textIn(fields, "code") } : {}),
        })
      }
    >
      <TextField name="email" label="Email address" type="email" autoComplete="username" />
      <TextField name="password" label="Password" type="password" autoComplete="current-password" />
      {needsCode && (
        <TextField
          name="code"
          label="Login code"
          inputMode="numeric"
          autoComplete="one-time-code"
          optional
          hint="8 digits, from your email or from the operator of this site. Leave empty to receive one by email."
        />
      )}
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Button type="submit" pending={logIn.isPending || logIn.isSuccess}>
          Log in
        </Button>
        <Link href="/forgot-password" className={`${LINK_STYLE} text-sm`}>
          Forgot your password?
        </Link>
      </div>
    </Form>
  );
}
