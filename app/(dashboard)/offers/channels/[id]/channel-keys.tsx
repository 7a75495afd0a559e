import { KeyRound } from "lucide-react";
import { useState } from "react";
import { Badge } from "../../../../components/ui/badge";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { CodeBlock } from "../../../../components/ui/code-block";
import { CopyButton } from "../../../../components/ui/copy-button";
import { RowMenu } from "../../../../components/ui/row-menu";
import { formatRelativeTime } from "../../../../format/dates";
import { type Outputs, useTRPC } from "../../../../trpc/client";
import { useMutationOf } from "../../../../trpc/use-operation";
import { Below, type Columns, timeColumn } from "../../../components/data-table";
import { LastUsed } from "../../../components/last-used";
import { PagedList } from "../../../components/paged-list";
import { pagesEvery } from "../../../components/pages";
import { revokeAction } from "../../../components/row-actions";
import { SecretDialog } from "../../../components/secret-dialog";
import type { Channel } from "./channel";
import { NewBrowserKey } from "./new-browser-key";
import { serverCall } from "./snippet-text";
import type { Key } from "./use-active-keys";

/** Keeps "Last used" current. */
const REFRESH_MS = 15_000;

const COLUMNS: Columns<Key> = [
  {
    label: "Key",
    cell: (key) => (
      <>
        <KeyText apiKey={key} />
        <Below>{key.kind}</Below>
      </>
    ),
  },
  {
    label: "State",
    cell: ({ revoked_at }) => (revoked_at ? <Badge tone="bad">revoked</Badge> : <Badge tone="good">active</Badge>),
  },
  {
    label: "Last used",
    className: "whitespace-nowrap text-muted-foreground",
    cell: ({ last_used_at }) => (last_used_at ? formatRelativeTime(last_used_at) : "never"),
  },
  timeColumn("Created", ({ created_at }) => created_at),
];

export function ChannelKeys({ channel, publicUrl }: { channel: Channel; publicUrl: string }) {
  const [created, setCreated] = useState<Outputs["createChannelKey"]>();
  const create = useMutationOf("createChannelKey", { onSuccess: setCreated });
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
      <PagedList
        noun="key"
        icon={KeyRound}
        emptyTitle="No keys yet"
        about={
          <>
            Requests for offers need a key.{" "}
            {channel.origins.length === 0 && "Add an origin below before you use a browser key."}
          </>
        }
        scopes="ads"
        caption="Keys of this channel"
        pages={({ trpc: api }) => api.listChannelKeys.infiniteQueryOptions({ id: channel.id }, pagesEvery(REFRESH_MS))}
        columns={COLUMNS}
        menu={(key) => !key.revoked_at && <KeyMenu channelId={channel.id} apiKey={key} />}
      />
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
  const revoke = useMutationOf("revokeChannelKey", { meta: { done: "Key revoked." } });
  const name = `the ${apiKey.kind} key …${apiKey.last_four}`;
  const consequence = (
    <>
      <LastUsed at={apiKey.last_used_at} list={trpc.listChannelKeys.pathKey()} /> Pages and servers that use it stop
      receiving offers immediately. This cannot be undone; create a replacement first.
    </>
  );
  const onConfirm = () => revoke.mutateAsync({ id: channelId, key_id: apiKey.id });
  return (
    <RowMenu
      name={`the key ending in ${apiKey.last_four}`}
      actions={[revokeAction({ noun: "key", name, consequence, onConfirm })]}
    />
  );
}
