"use client";

import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { KeyRound } from "lucide-react";
import { useState } from "react";
import { Badge } from "../../../../components/ui/badge";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { CodeBlock } from "../../../../components/ui/code-block";
import { Confirm } from "../../../../components/ui/confirm";
import { EmptyState } from "../../../../components/ui/empty-state";
import { Cell, Row, RowHeading, Table } from "../../../../components/ui/table";
import { formatDateTime, formatRelativeTime, lastUsedText } from "../../../../format/dates";
import { type Outputs, useTRPC } from "../../../../trpc/client";
import { nextCursor, PagedContent } from "../../../components/paged-content";
import { SecretDialog } from "../../../components/secret-dialog";
import type { Channel } from "./channel";
import { serverCall, widgetSnippet } from "./snippet-text";

/** Keeps "Last used" current. */
const REFRESH_MS = 15_000;

type Key = Outputs["channels"]["listKeys"]["data"][number];

export function ChannelKeys({ channel, publicUrl }: { channel: Channel; publicUrl: string }) {
  const trpc = useTRPC();
  const [created, setCreated] = useState<Outputs["channels"]["createKey"]>();
  const query = useInfiniteQuery(
    trpc.channels.listKeys.infiniteQueryOptions(
      { id: channel.id },
      { getNextPageParam: nextCursor, refetchInterval: REFRESH_MS },
    ),
  );
  const create = useMutation(trpc.channels.createKey.mutationOptions({ onSuccess: setCreated }));
  const actions = (
    <>
      <Button
        variant="outline"
        size="sm"
        pending={create.isPending}
        onClick={() => create.mutate({ id: channel.id, kind: "server" })}
      >
        New server key
      </Button>
      <Button size="sm" pending={create.isPending} onClick={() => create.mutate({ id: channel.id, kind: "browser" })}>
        New browser key
      </Button>
    </>
  );
  return (
    <Section
      id="keys"
      title="Keys"
      description="A browser key goes into your pages and works only on the channel's origins. A server key is secret."
      actions={actions}
    >
      <PagedContent
        query={query}
        empty={
          <EmptyState icon={KeyRound} title="No keys yet">
            Requests for offers need a key.{" "}
            {channel.origins.length === 0 && "Add an origin below before you use a browser key."}
          </EmptyState>
        }
      >
        {(keys) => <KeyTable keys={keys} channelId={channel.id} />}
      </PagedContent>
      <SecretDialog
        title={created?.kind === "browser" ? "Your browser key" : "Your server key"}
        description={
          created?.kind === "browser"
            ? "You can use it in public pages: it works only on the channel's origins."
            : "Keep it on your servers: anyone who has it can request offers on your behalf."
        }
        secret={created?.key}
        onDone={() => setCreated(undefined)}
      >
        {created?.kind === "browser" && (
          <CodeBlock label="Ready to paste" code={widgetSnippet({ publicUrl, key: created.key })} />
        )}
        {created?.kind === "server" && <CodeBlock label="Try it" code={serverCall(publicUrl, created.key)} />}
      </SecretDialog>
    </Section>
  );
}

const COLUMNS = [{ label: "Key" }, { label: "State" }, { label: "Last used" }, { label: "Created" }, { label: "" }];

const KeyTable = ({ keys, channelId }: { keys: Key[]; channelId: string }) => (
  <Table caption="Keys of this channel" columns={COLUMNS}>
    {keys.map((key) => (
      <Row key={key.id}>
        <RowHeading className="whitespace-nowrap">
          <span className="font-mono text-xs">
            {key.kind === "server" ? "svc_srv_" : "svc_pub_"}…{key.last_four}
          </span>
          <span className="block font-normal text-muted-foreground text-xs">{key.kind}</span>
        </RowHeading>
        <Cell>{key.revoked_at ? <Badge tone="bad">revoked</Badge> : <Badge tone="good">active</Badge>}</Cell>
        <Cell className="whitespace-nowrap text-muted-foreground">
          {key.last_used_at ? formatRelativeTime(key.last_used_at) : "never"}
        </Cell>
        <Cell className="whitespace-nowrap text-muted-foreground">{formatDateTime(key.created_at)}</Cell>
        <Cell numeric>{!key.revoked_at && <RevokeKey channelId={channelId} apiKey={key} />}</Cell>
      </Row>
    ))}
  </Table>
);

function RevokeKey({ channelId, apiKey }: { channelId: string; apiKey: Key }) {
  const trpc = useTRPC();
  const revoke = useMutation(trpc.channels.revokeKey.mutationOptions({ meta: { done: "Key revoked." } }));
  return (
    <Confirm
      trigger={
        <Button variant="ghost" size="sm" aria-label={`Revoke the key ending in ${apiKey.last_four}`}>
          Revoke
        </Button>
      }
      title={`Revoke the ${apiKey.kind} key …${apiKey.last_four}?`}
      consequence={`${lastUsedText(apiKey.last_used_at)} Pages and servers that use it stop receiving offers immediately. This cannot be undone; create a replacement first.`}
      action="Revoke key"
      onConfirm={() => revoke.mutateAsync({ id: channelId, key_id: apiKey.id })}
    />
  );
}
