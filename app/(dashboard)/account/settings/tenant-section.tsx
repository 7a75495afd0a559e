import { TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { textIn } from "../../../components/form/read-fields";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { Section } from "../../../components/ui/card";
import { useMutationOf, useQueryOf } from "../../../trpc/use-operation";
import type { Account } from "./account";

export function TenantSection({ account: { tenant, role } }: { account: Account }) {
  const rename = useMutationOf("renameTenant", {
    meta: { inline: true, done: "Renamed." },
    onSuccess: () => window.location.reload(),
  });
  return (
    <Section title="Tenant" description={`Billing and access belong to the tenant. Your role: ${role}.`}>
      {role === "member" ? (
        <p className="font-medium text-sm">{tenant.name}</p>
      ) : (
        <Form error={rename.error} onSubmit={(fields) => rename.mutate({ name: textIn(fields, "name") })}>
          <div className="flex flex-wrap items-end gap-3">
            <TextField
              name="name"
              label="Name"
              defaultValue={tenant.name}
              maxLength={100}
              className="min-w-56 flex-1"
            />
            <Button type="submit" variant="outline" pending={rename.isPending}>
              Rename
            </Button>
          </div>
        </Form>
      )}
      <OtherTenants />
    </Section>
  );
}

/** Shown to people who belong to more than one tenant. */
function OtherTenants() {
  const { data: tenants = [] } = useQueryOf("listTenants");
  const move = useMutationOf("switchTenant", { onSuccess: () => window.location.assign("/dashboard") });
  if (tenants.length < 2) return null;
  return (
    <ul className="mt-5 divide-y rounded-lg border" aria-label="Your tenants">
      {tenants.map(({ id, name, role, current }) => (
        <li key={id} className="flex flex-wrap items-center justify-between gap-3 px-4 py-2.5 text-sm">
          <span className="min-w-0 break-words">
            {name} <span className="text-muted-foreground">({role})</span>
          </span>
          {current ? (
            <Badge tone="accent">current</Badge>
          ) : (
            <Button variant="outline" size="sm" pending={move.isPending} onClick={() => move.mutate({ tenant_id: id })}>
              Switch
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}
