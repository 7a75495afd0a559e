"use client";

import { TextField } from "../../components/form/fields";
import { Form } from "../../components/form/form";
import { rawTextIn, textIn } from "../../components/form/read-fields";
import { Button } from "../../components/ui/button";
import { useMutationOf } from "../../trpc/use-operation";

interface SignUpFormProps {
  /** The invitation: its address cannot be changed, and its tenant may already exist. */
  invited?: { email: string; token: string; joinsTenant: boolean };
}

export function SignUpForm({ invited }: SignUpFormProps) {
  const signUp = useMutationOf("signUp", {
    meta: { inline: true, leaves: true },
    onSuccess: () => window.location.assign("/dashboard"),
  });
  const submit = (fields: FormData) => {
    const tenantName = textIn(fields, "tenant_name");
    signUp.mutate({
      email: invited?.email ?? textIn(fields, "email"),
      password: rawTextIn(fields, "password"),
      ...(tenantName ? { tenant_name: tenantName } : {}),
      ...(invited ? { invitation_token: invited.token } : {}),
    });
  };
  return (
    <Form error={signUp.error} onSubmit={submit}>
      <TextField
        name="email"
        label="Email address"
        type="email"
        autoComplete="username"
        {...(invited ? { defaultValue: invited.email, readOnly: true } : {})}
      />
      {!invited?.joinsTenant && (
        <TextField name="tenant_name" label="Company or site" optional autoComplete="organization" maxLength={100} />
      )}
      <TextField
        name="password"
        label="Password"
        type="password"
        autoComplete="new-password"
        hint="At least 10 characters. A phrase of several words is easy to remember and hard to guess."
      />
      <Button type="submit" className="w-full" pending={signUp.isPending || signUp.isSuccess}>
        Create account
      </Button>
    </Form>
  );
}
