"use client";

import { KeyRound } from "lucide-react";
import { useState } from "react";
import { formatRelativeTime } from "../../../format/dates";
import { Below, type Columns, PROJECT_COLUMN, RowButton } from "../../components/data-table";
import { ANY, choicesOf, chosenIn, type Filter, namesOf } from "../../components/filters";
import { type DialogState, NounList } from "../../components/noun-list";
import { pagesEvery } from "../../components/pages";
import { SecretDialog } from "../../components/secret-dialog";
import { useUrlParams } from "../../components/use-url-params";
import { type ApiKey, maskedKey, STATES } from "./api-key";
import { ApiKeyDetails } from "./api-key-details";
import { ApiKeyMenu } from "./api-key-menu";
import { CreateApiKeyDialog, type CreatedKey } from "./create-api-key-dialog";
import type { RotatedKey } from "./rotate-api-key";
import { StateBadge } from "./state-badge";
import { useProjects } from "./use-projects";

const REFRESH_MS = 30_000;
const SCOPES_SHOWN = 2;

const COLUMNS: Columns<ApiKey> = [
  { label: "Name", cell: (key) => <KeyName apiKey={key} /> },
  { label: "State", cell: (key) => <StateBadge apiKey={key} /> },
  PROJECT_COLUMN,
  { label: "Scopes", className: "min-w-36 text-muted-foreground text-xs", cell: ({ scopes }) => scopesSummary(scopes) },
  {
    label: "Last used",
    className: "whitespace-nowrap text-muted-foreground",
    cell: ({ last_used_at }) => (last_used_at ? formatRelativeTime(last_used_at) : "never"),
  },
];

export function ApiKeyList() {
  const [shown, setShown] = useState<CreatedKey | RotatedKey>();
  return (
    <>
      <NounList
        title="API keys"
        description="Platform keys for scripts and servers that manage resources. To request offers, use a channel's key."
        noun="key"
        icon={KeyRound}
        about="A platform key works in one mode, with the scopes that you choose."
        scopes="keys"
        caption="Platform keys"
        useFilters={useKeyFilters}
        pages={({ trpc, mode, filter, params }) =>
          trpc.listKeys.infiniteQueryOptions(
            { mode, project: filter("project"), state: chosenIn(params, "state", STATES) },
            pagesEvery(REFRESH_MS),
          )
        }
        columns={COLUMNS}
        menu={(key) => <ApiKeyMenu apiKey={key} onRotated={setShown} />}
        dialog={(state) => <NewKey {...state} onCreated={setShown} />}
      />
      <SecretDialog
        title="Your platform key"
        description="Keep it on your servers: it acts on your behalf within its scopes."
        secret={shown?.key}
        onDone={() => setShown(undefined)}
      />
    </>
  );
}

const useKeyFilters = (): Filter[] => [
  {
    name: "project",
    label: "Project",
    all: "All projects",
    choices: namesOf(useProjects().projects),
    others: ANY,
  },
  { name: "state", label: "State", all: "All states", choices: choicesOf(STATES) },
];

/** The dialog that creates a key, in the project that the list shows. */
function NewKey({ open, onOpenChange, onCreated }: DialogState & { onCreated: (created: CreatedKey) => void }) {
  const { params } = useUrlParams();
  const created = (key: CreatedKey) => {
    onOpenChange(false);
    onCreated(key);
  };
  return (
    <CreateApiKeyDialog
      open={open}
      onOpenChange={onOpenChange}
      projectId={params.get("project") ?? ""}
      onCreated={created}
    />
  );
}

/** Opens the details of a key. */
function KeyName({ apiKey }: { apiKey: ApiKey }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <RowButton onClick={() => setOpen(true)}>{apiKey.name}</RowButton>
      <Below className="whitespace-nowrap font-mono">{maskedKey(apiKey)}</Below>
      <ApiKeyDetails apiKey={open ? apiKey : undefined} onClose={() => setOpen(false)} />
    </>
  );
}

const scopesSummary = (scopes: readonly string[]): string =>
  scopes.length <= SCOPES_SHOWN + 1
    ? scopes.join(", ")
    : `${scopes.slice(0, SCOPES_SHOWN).join(", ")} and ${scopes.length - SCOPES_SHOWN} more`;
