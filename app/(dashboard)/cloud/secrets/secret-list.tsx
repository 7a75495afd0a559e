"use client";

import { LockKeyhole } from "lucide-react";
import { type Columns, nameColumn, PROJECT_COLUMN, timeColumn } from "../../components/data-table";
import { NounList } from "../../components/noun-list";
import { PAGES } from "../../components/pages";
import { CreateSecretDialog } from "./create-secret-dialog";
import type { ListedSecret } from "./secret";

const COLUMNS: Columns<ListedSecret> = [
  nameColumn("/cloud/secrets"),
  PROJECT_COLUMN,
  { label: "Version", numeric: true, cell: ({ version }) => version },
  timeColumn("Updated", ({ updated_at }) => updated_at),
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
    pages={({ trpc, mode }) => trpc.listSecrets.infiniteQueryOptions({ mode }, PAGES)}
    columns={COLUMNS}
    dialog={(state) => <CreateSecretDialog {...state} />}
  />
);
