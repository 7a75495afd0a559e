"use client";

import { useMutation } from "@tanstack/react-query";
import { Ban, RefreshCw } from "lucide-react";
import { type RowAction, RowMenu } from "../../../components/ui/row-menu";
import { useTRPC } from "../../../trpc/client";
import { LastUsed } from "../../components/last-used";
import { type ApiKey, stateOf } from "./api-key";

interface ApiKeyMenuProps {
  apiKey: ApiKey;
  onRotate: () => void;
}

/** Rotates an active key, and revokes one that was not revoked yet. */
export function ApiKeyMenu({ apiKey, onRotate }: ApiKeyMenuProps) {
  const { id, name, last_used_at, revoked_at } = apiKey;
  const trpc = useTRPC();
  const revoke = useMutation(trpc.revokeKey.mutationOptions({ meta: { done: "Key revoked." } }));
  const question = {
    title: `Revoke ${name}?`,
    consequence: (
      <>
        <LastUsed at={last_used_at} list={trpc.listKeys.pathKey()} /> Programs that use it stop working immediately.
        This cannot be undone; create a replacement first.
      </>
    ),
    action: "Revoke key",
  };
  const actions: RowAction[] = [];
  if (stateOf(apiKey) === "active") actions.push({ label: "Rotate", icon: RefreshCw, onSelect: onRotate });
  if (!revoked_at) actions.push({ label: "Revoke", icon: Ban, question, onConfirm: () => revoke.mutateAsync({ id }) });
  return <RowMenu name={name} actions={actions} />;
}
