import { KeyRound } from "lucide-react";
import type { ReactNode } from "react";
import { SelectField } from "../../../../components/form/fields";
import { QueryContent } from "../../../../components/query-content";
import { Alert } from "../../../../components/ui/alert";
import { EmptyState } from "../../../../components/ui/empty-state";
import { Skeleton } from "../../../../components/ui/skeleton";
import { formatDateTime } from "../../../../format/dates";
import type { Channel } from "./channel";
import { NewBrowserKey } from "./new-browser-key";
import { type Key, useActiveKeys } from "./use-active-keys";

interface WithBrowserKeyProps {
  channel: Channel;
  /** The id of the key to use; by default, and where it is no longer active, the newest one. */
  chosen: string | undefined;
  onChoose: (id: string) => void;
  children: (key: string) => ReactNode;
}

/** Content that needs one of the channel's browser keys: a choice where there are several, and the way to one where there is none. */
export function WithBrowserKey({ channel, chosen, onChoose, children }: WithBrowserKeyProps) {
  const query = useActiveKeys(channel.id);
  return (
    <QueryContent query={query} loading={<Skeleton className="h-36" />}>
      {(keys) => {
        const usable = keys.filter(hasText);
        const used = usable.find(({ id }) => id === chosen) ?? usable[0];
        if (!used) return <NoKey channelId={channel.id} hasOld={keys.some(({ kind }) => kind === "browser")} />;
        return (
          <>
            {channel.origins.length === 0 && <NoOrigin />}
            {usable.length > 1 && <KeyChoice keys={usable} value={used.id} onChoose={onChoose} />}
            {children(used.key)}
          </>
        );
      }}
    </QueryContent>
  );
}

type KeyWithText = Key & { key: string };
const hasText = (key: Key): key is KeyWithText => key.key !== null;

const NoKey = ({ channelId, hasOld }: { channelId: string; hasOld: boolean }) => (
  <EmptyState
    icon={KeyRound}
    title={hasOld ? "Create a new browser key for the snippet" : "Create a browser key first"}
    action={<NewBrowserKey channelId={channelId} />}
  >
    {hasOld
      ? "This channel's browser keys keep working, but svc did not store their text when they were created."
      : "The snippet contains it. It is safe in public pages: it works only on the channel's origins."}
  </EmptyState>
);

const NoOrigin = () => (
  <Alert tone="warn">
    The key works on no page yet, because the channel has no origin. Add the origin of your page under{" "}
    <a href="#settings" className="underline underline-offset-4">
      Settings
    </a>
    .
  </Alert>
);

interface KeyChoiceProps {
  keys: KeyWithText[];
  value: string;
  onChoose: (id: string) => void;
}

const KeyChoice = ({ keys, value, onChoose }: KeyChoiceProps) => (
  <SelectField
    name="key"
    label="Browser key"
    value={value}
    className="sm:max-w-sm"
    onChoose={onChoose}
    choices={keys.map(({ id, last_four, created_at }) => ({
      value: id,
      label: `svc_pub_…${last_four}, created ${formatDateTime(created_at)}`,
    }))}
  />
);
