import { SelectField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { textIn } from "../../../components/form/read-fields";
import { QueryContent } from "../../../components/query-content";
import { Alert } from "../../../components/ui/alert";
import { Button } from "../../../components/ui/button";
import { CodeBlock } from "../../../components/ui/code-block";
import { Dialog } from "../../../components/ui/dialog";
import { Link } from "../../../components/ui/link";
import type { Outputs } from "../../../trpc/client";
import { useMutationOf, useQueryOf } from "../../../trpc/use-operation";
import { useMode } from "../../components/shell/mode";

const KEYS_MAX = 100;

interface S3CredentialsDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** Derives S3 credentials for an API key and shows them once. */
export function S3CredentialsDialog({ open, onOpenChange }: S3CredentialsDialogProps) {
  const create = useMutationOf("createStorageCredentials", { meta: { inline: true } });
  const show = (next: boolean) => {
    if (!next) create.reset();
    onOpenChange(next);
  };
  return (
    <Dialog
      open={open}
      onOpenChange={show}
      // A stray click must not lose the secret.
      dismissable={!create.data}
      title="Connect an S3 client"
      description="S3 credentials belong to an API key: they have its project, its scopes and its life, and end when it is rotated or revoked."
      className="max-w-2xl"
    >
      {create.data ? (
        <Shown credentials={create.data} onDone={() => show(false)} />
      ) : (
        <KeyChoice create={create} onCancel={() => show(false)} />
      )}
    </Dialog>
  );
}

interface KeyChoiceProps {
  create: { error: unknown; isPending: boolean; mutate: (input: { api_key_id: string }) => void };
  onCancel: () => void;
}

function KeyChoice({ create, onCancel }: KeyChoiceProps) {
  const { mode } = useMode();
  const keys = useQueryOf("listKeys", { mode, limit: KEYS_MAX });
  return (
    <QueryContent query={keys}>
      {({ data }) => {
        const usable = data.filter(
          ({ revoked_at, scopes }) => revoked_at === null && scopes.some((scope) => scope.startsWith("storage:")),
        );
        if (usable.length === 0) {
          return (
            <Alert>
              No {mode} key has the scope storage:read or storage:write.{" "}
              <Link href="/account/api-keys" className="underline underline-offset-2">
                Create one
              </Link>{" "}
              first.
            </Alert>
          );
        }
        return (
          <Form error={create.error} onSubmit={(fields) => create.mutate({ api_key_id: textIn(fields, "api_key_id") })}>
            <SelectField
              name="api_key_id"
              label="API key"
              choices={usable.map(({ id, name, last_four }) => ({ value: id, label: `${name} (…${last_four})` }))}
            />
            <div className="flex flex-wrap justify-end gap-2">
              <Button variant="outline" onClick={onCancel}>
                Cancel
              </Button>
              <Button type="submit" pending={create.isPending}>
                Create credentials
              </Button>
            </div>
          </Form>
        );
      }}
    </QueryContent>
  );
}

type S3Credentials = Outputs["createStorageCredentials"];

const Shown = ({ credentials, onDone }: { credentials: S3Credentials; onDone: () => void }) => (
  <div className="space-y-4">
    <Alert tone="warn">
      Store them now. You will not be able to see the secret again; new credentials can be created at any time.
    </Alert>
    <CodeBlock label="Environment of AWS tools and SDKs" code={environmentOf(credentials)} />
    <p className="text-muted-foreground text-sm">
      Clients that ask for an addressing style need path style; any region works.{" "}
      <Link href="/docs/storage" className="underline underline-offset-2">
        Settings of common clients
      </Link>
    </p>
    <div className="flex justify-end">
      <Button onClick={onDone}>I have stored them</Button>
    </div>
  </div>
);

const environmentOf = ({ access_key_id, secret_access_key, endpoint, region }: S3Credentials): string =>
  [
    `AWS_ENDPOINT_URL_S3=${endpoint}`,
    `AWS_REGION=${region}`,
    `AWS_ACCESS_KEY_ID=${access_key_id}`,
    `AWS_SECRET_ACCESS_KEY=${secret_access_key}`,
  ].join("\n");
