"use client";

import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { LoadedPages, nextCursorOf } from "../../components/loaded-pages";
import { PageHeader } from "../../components/page-header";
import { SecretDialog } from "../../components/secret-dialog";
import { useMode } from "../../components/shell/mode";
import { Badge } from "../../components/ui/badge";
import { Button } from "../../components/ui/button";
import { Confirm } from "../../components/ui/confirm";
import { Empty } from "../../components/ui/empty";
import { Cell, Row, RowHeading, Table } from "../../components/ui/table";
import { formatAgo, formatMoment, lastUseText } from "../../format/dates";
import { type Outputs, useTRPC } from "../../trpc/client";
import { CreateApiKeyDialog } from "./create-api-key-dialog";

const REFRESH_MS = 30_000;

type ApiKey = Outputs["keys"]["list"]["data"][number];

export function ApiKeyList() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const [creating, setCreating] = useState(false);
  const [secret, setSecret] = useState<string>();
  const query = useInfiniteQuery(
    trpc.keys.list.infiniteQueryOptions({ mode }, { getNextPageParam: nextCursorOf, refetchInterval: REFRESH_MS }),
  );
  const create = (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        description="Platform keys for scripts and servers that manage things. To ask for offers, use a channel's key."
        actions={create}
      />
      <LoadedPages
        query={query}
        empty={
          <Empty icon={KeyRound} title={`No ${mode} keys yet`} action={create}>
            A platform key acts in one mode, with the scopes that you choose.
          </Empty>
        }
      >
        {(keys) => <ApiKeyTable keys={keys} />}
      </LoadedPages>
      <CreateApiKeyDialog
        open={creating}
        onOpenChange={setCreating}
        onCreated={(key) => {
          setCreating(false);
          setSecret(key);
        }}
      />
      <SecretDialog
        title="Your platform key"
        description="Keep it on your servers: it acts in your name within its scopes."
        secret={secret}
        onDone={() => setSecret(undefined)}
      />
    </>
  );
}

const COLUMNS = [
  { label: "Name" },
  { label: "State" },
  { label: "Scopes" },
  { label: "Last used" },
  { label: "Created" },
  { label: "" },
];

const ApiKeyTable = ({ keys }: { keys: ApiKey[] }) => (
  <Table caption="Platform keys" columns={COLUMNS}>
    {keys.map((key) => (
      <Row key={key.id}>
        <RowHeading>
          {key.name}
          <span className="block whitespace-nowrap font-mono font-normal text-muted-foreground text-xs">
            svc_{key.mode}_…{key.last_four}
          </span>
        </RowHeading>
        <Cell>
          <KeyState apiKey={key} />
        </Cell>
        <Cell className="min-w-48 text-muted-foreground text-xs">{key.scopes.join(", ")}</Cell>
        <Cell className="whitespace-nowrap text-muted-foreground">
          {key.last_used_at ? formatAgo(key.last_used_at) : "never"}
        </Cell>
        <Cell className="whitespace-nowrap text-muted-foreground">{formatMoment(key.created_at)}</Cell>
        <Cell numeric>{!key.revoked_at && <RevokeApiKey apiKey={key} />}</Cell>
      </Row>
    ))}
  </Table>
);

function KeyState({ apiKey: { revoked_at, expires_at } }: { apiKey: ApiKey }) {
  if (revoked_at) return <Badge tone="bad">revoked</Badge>;
  if (!expires_at) return <Badge tone="good">active</Badge>;
  return new Date(expires_at) < new Date() ? (
    <Badge tone="neutral">expired</Badge>
  ) : (
    <Badge tone="warn">expires {formatAgo(expires_at)}</Badge>
  );
}

function RevokeApiKey({ apiKey: { id, name, last_used_at } }: { apiKey: ApiKey }) {
  const trpc = useTRPC();
  const revoke = useMutation(trpc.keys.revoke.mutationOptions({ meta: { done: "Key revoked." } }));
  return (
    <Confirm
      trigger={
        <Button variant="ghost" size="sm" aria-label={`Revoke ${name}`}>
          Revoke
        </Button>
      }
      title={`Revoke ${name}?`}
      consequence={`${lastUseText(last_used_at)} Whatever uses it is refused at once. This cannot be undone; create the replacement first.`}
      action="Revoke key"
      onConfirm={() => revoke.mutateAsync({ key_id: id })}
    />
  );
}
