import { useState } from "react";
import { SelectField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { choiceIn, textIn } from "../../../components/form/read-fields";
import { QueryContent } from "../../../components/query-content";
import { Alert } from "../../../components/ui/alert";
import { Button } from "../../../components/ui/button";
import { Section } from "../../../components/ui/card";
import { CodeBlock } from "../../../components/ui/code-block";
import { RowMenu } from "../../../components/ui/row-menu";
import { formatRelativeTime } from "../../../format/dates";
import type { Outputs } from "../../../trpc/client";
import { useMutationOf, useQueryOf } from "../../../trpc/use-operation";
import { type Columns, DataTable } from "../../components/data-table";
import { revokeAction } from "../../components/row-actions";
import type { Account } from "./account";

const REFRESH_MS = 30_000;
const ROLES = ["member", "admin", "owner"] as const;

export function Invitations({ account }: { account: Account }) {
  const [invited, setInvited] = useState<Outputs["inviteMember"]>();
  const query = useQueryOf("listInvitations", undefined, { refetchInterval: REFRESH_MS });
  const invite = useMutationOf("inviteMember", {
    meta: { inline: true, done: "Invitation sent." },
    onSuccess: setInvited,
  });
  const submit = (fields: FormData) =>
    invite.mutate({ email: textIn(fields, "email"), role: choiceIn(fields, "role", ROLES) });
  return (
    <Section
      id="invitations"
      title="Invitations"
      description="An invitation can be used once, with the invited email address."
    >
      <div className="space-y-5">
        <Form key={invited?.invitation.id} error={invite.error} onSubmit={submit}>
          <div className="grid items-start gap-4 sm:grid-cols-[minmax(0,1fr)_10rem_auto]">
            <TextField name="email" label="Email address" type="email" />
            <SelectField
              name="role"
              label="Role"
              choices={ROLES.filter((role) => role !== "owner" || account.role === "owner")}
            />
            <Button type="submit" pending={invite.isPending} className="sm:mt-6.5">
              Invite
            </Button>
          </div>
        </Form>
        {invited?.link && !invite.error && (
          <div className="space-y-3">
            <Alert>This installation does not send email. Copy this link and send it yourself.</Alert>
            <CodeBlock label={`For ${invited.invitation.email}`} code={invited.link} />
          </div>
        )}
        <QueryContent query={query}>{(invitations) => <OpenInvitations invitations={invitations} />}</QueryContent>
      </div>
    </Section>
  );
}

type Invitation = Outputs["listInvitations"][number];

const COLUMNS: Columns<Invitation> = [
  { label: "Email address", className: "min-w-44 break-words", cell: ({ email }) => email },
  { label: "Role", cell: ({ role }) => role },
  {
    label: "Expires",
    className: "whitespace-nowrap text-muted-foreground",
    cell: ({ expires_at }) => formatRelativeTime(expires_at),
  },
];

const OpenInvitations = ({ invitations }: { invitations: Invitation[] }) =>
  invitations.length === 0 ? (
    <p className="text-muted-foreground text-sm">No open invitations.</p>
  ) : (
    <DataTable
      caption="Open invitations"
      rows={invitations}
      keyOf={({ id }) => id}
      columns={COLUMNS}
      menu={(invitation) => <InvitationMenu invitation={invitation} />}
    />
  );

function InvitationMenu({ invitation: { id, email } }: { invitation: Invitation }) {
  const revoke = useMutationOf("revokeInvitation", { meta: { done: "Invitation revoked." } });
  const name = `the invitation for ${email}`;
  const revoking = revokeAction({
    noun: "invitation",
    name,
    consequence: "The link in the email stops working immediately. You can invite the same address again.",
    onConfirm: () => revoke.mutateAsync({ invitation_id: id }),
  });
  return <RowMenu name={name} actions={[revoking]} />;
}
