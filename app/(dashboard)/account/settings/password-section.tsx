import { useState } from "react";
import { TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { rawTextIn } from "../../../components/form/read-fields";
import { Button } from "../../../components/ui/button";
import { Section } from "../../../components/ui/card";
import { useMutationOf } from "../../../trpc/use-operation";

export function PasswordSection() {
  const [round, setRound] = useState(0);
  const change = useMutationOf("changePassword", {
    meta: { inline: true, done: "Password changed. Your other sessions have ended." },
    onSuccess: () => setRound(round + 1),
  });
  return (
    <Section title="Password" description="Changing it ends every other session.">
      <Form
        key={round}
        error={change.error}
        onSubmit={(fields) =>
          change.mutate({
            current_password: rawTextIn(fields, "current_password"),
            new_password: rawTextIn(fields, "new_password"),
          })
        }
      >
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField name="current_password" label="Current password" type="password" autoComplete="current-password" />
          <TextField name="new_password" label="New password" type="password" autoComplete="new-password" />
        </div>
        <Button type="submit" variant="outline" pending={change.isPending}>
          Change password
        </Button>
      </Form>
    </Section>
  );
}
