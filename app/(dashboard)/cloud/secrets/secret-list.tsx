"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { LockKeyhole } from "lucide-react";
import { formatDateTime } from "../../../format/dates";
import { useTRPC } from "../../../trpc/client";
import { NounList } from "../../components/noun-list";
import { type NounColumn, NounTable } from "../../components/noun-table";
import { nextCursor } from "../../components/paged-content";
import { useMode } from "../../components/shell/mode";
import { CreateSecretDialog } from "./create-secret-dialog";
import { type ListedSecret, placeText } from "./secret";

const COLUMNS: NounColumn<ListedSecret>[] = [
  {
    label: "Project",
    className: "text-muted-foreground",
    cell: ({ project_id }, projectOf) => placeText(project_id, projectOf),
  },
  { label: "Version", numeric: true, cell: ({ version }) => version },
  {
    label: "Updated",
    className: "whitespace-nowrap text-muted-foreground",
    cell: ({ updated_at }) => formatDateTime(updated_at),
  },
];

export const SecretList = () => (
  <NounList
    title="Secrets"
    description="Passwords, tokens and keys of your programs, encrypted, with versions."
    noun="secret"
    icon={LockKeyhole}
    about="Store a value once and refer to it by its name. Lists never show values; who reads one is recorded in the audit log."
    docs="/docs/secrets"
    scopes="secrets"
    usePages={useSecrets}
    dialog={(state) => <CreateSecretDialog {...state} />}
  >
    {(secrets) => (
      <NounTable caption="Secrets" rows={secrets} href={({ id }) => `/cloud/secrets/${id}`} columns={COLUMNS} />
    )}
  </NounList>
);

function useSecrets() {
  const trpc = useTRPC();
  const { mode } = useMode();
  return useInfiniteQuery(trpc.listSecrets.infiniteQueryOptions({ mode }, { getNextPageParam: nextCursor }));
}
