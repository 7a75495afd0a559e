"use client";

import { useInfiniteQuery, useMutation } from "@tanstack/react-query";
import { Ban, KeyRound } from "lucide-react";
import { useState } from "react";
import { Badge } from "../../../../components/ui/badge";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { CodeBlock } from "../../../../components/ui/code-block";
import { CopyButton } from "../../../../components/ui/copy-button";
import { EmptyState } from "../../../../components/ui/empty-state";
import { RowMenu } from "../../../../components/ui/row-menu";
import { ActionsCell, Cell, Row, RowHeading, Table } from "../../../../components/ui/table";
import { formatDateTime, formatRelativeTime } from "../../../../format/dates";
import { type Outputs, useTRPC } from "../../../../trpc/client";
import { LastUsed } from "../../../components/last-used";
import { nextCursor, PagedContent } from "../../../components/paged-content";
import { SecretDialog } from "../../../components/secret-dialog";
import type { Channel } from "./channel";
import { NewBrowserKey } from "./new-browser-key";
import { serverCall } from "./snippet-text";
import type { Key } from "./use-active-keys";

/** Keeps "Last used" current. */
const REFRESH_MS = 15_000;

export function ChannelKeys({ channel, publicUrl }: { channel: Channel; publicUrl: string }) {
  const trpc = useTRPC();
  const [created, setCreated] = useState<Outputs["createChannelKey"]>();
  const query = useInfiniteQuery(
    trpc.listChannelKeys.infiniteQueryOptions(
      { id: channel.id },
      { getNextPageParam: nextCursor, refetchInterval: REFRESH_MS },
    ),
  );
  const create = useMutation(trpc.createChannelKey.mutationOptions({ onSuccess: setCreated }));
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
      <NewBrowserKey channelId={channel.id} />
    </>
  );
  return (
    <Section
      id="keys"
      title="Keys"
      description="A browser key is public and works only on the channel's origins. A server key is secret and shown once."
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
        title="Your server key"
        description="Keep it on your servers: anyone who has it can request offers on your behalf."
        secret={created?.key}
        onDone={() => setCreated(undefined)}
      >
        {created && <CodeBlock label="Try it" code={serverCall(publicUrl, created.key)} />}
      </SecretDialog>
    </Section>
  );
}

const COLUMNS = [{ label: "Key" }, { label: "State" }, { label: "Last used" }, { label: "Created" }, { label: "" }];

const KeyTable = ({ keys, channelId }: { keys: Key[]; channelId: string }) => (
  <Table caption="Keys of this channel" columns={COLUMNS}>
    {keys.map((key) => (
      <Row key={key.id}>
        <RowHeading>
          <KeyText apiKey={key} />
          <span className="block font-normal text-muted-foreground text-xs">{key.kind}</span>
        </RowHeading>
        <Cell>{key.revoked_at ? <Badge tone="bad">revoked</Badge> : <Badge tone="good">active</Badge>}</Cell>
        <Cell className="whitespace-nowrap text-muted-foreground">
          {key.last_used_at ? formatRelativeTime(key.last_used_at) : "never"}
        </Cell>
        <Cell className="whitespace-nowrap text-muted-foreground">{formatDateTime(key.created_at)}</Cell>
        <ActionsCell>{!key.revoked_at && <KeyMenu channelId={channelId} apiKey={key} />}</ActionsCell>
      </Row>
    ))}
  </Table>
);

/** An active browser key in full, to copy; of any other key the last four characters. */
const KeyText = ({ apiKey: { kind, key, last_four, revoked_at } }: { apiKey: Key }) =>
  key && !revoked_at ? (
    <span className="flex items-center gap-2">
      <span className="w-52 select-all break-all font-mono text-xs">{key}</span>
      <CopyButton text={key} />
    </span>
  ) : (
    <span className="whitespace-nowrap font-mono text-xs">
      {kind === "server" ? "svc_srv_" : "svc_pub_"}…{last_four}
    </span>
  );

function KeyMenu({ channelId, apiKey }: { channelId: string; apiKey: Key }) {
  const trpc = useTRPC();
  const revoke = useMutation(trpc.revokeChannelKey.mutationOptions({ meta: { done: "Key revoked." } }));
  const question = {
    title: `Revoke the ${apiKey.kind} key …${apiKey.last_four}?`,
    consequence: (
      <>
        <LastUsed at={apiKey.last_used_at} list={trpc.listChannelKeys.pathKey()} /> Pages and servers that use it stop
        receiving offers immediately. This cannot be undone; create a replacement first.
      </>
    ),
    action: "Revoke key",
  };
  const onConfirm = () => revoke.mutateAsync({ id: channelId, key_id: apiKey.id });
  return (
    <RowMenu
      name={`the key ending in ${apiKey.last_four}`}
      actions={[{ label: "Revoke", icon: Ban, question, onConfirm }]}
    />
  );
}
