import { RefreshCw } from "lucide-react";
import { useState } from "react";
import { type RowAction, RowMenu } from "../../../components/ui/row-menu";
import { useTRPC } from "../../../trpc/client";
import { useMutationOf } from "../../../trpc/use-operation";
import { LastUsed } from "../../components/last-used";
import { revokeAction } from "../../components/row-actions";
import { type ApiKey, stateOf } from "./api-key";
import { RotateApiKey, type RotatedKey } from "./rotate-api-key";

interface ApiKeyMenuProps {
  apiKey: ApiKey;
  onRotated: (rotated: RotatedKey) => void;
}

/** Rotates an active key, and revokes one that was not revoked yet. */
export function ApiKeyMenu({ apiKey, onRotated }: ApiKeyMenuProps) {
  const { id, name, last_used_at, revoked_at } = apiKey;
  const trpc = useTRPC();
  const [isRotating, setRotating] = useState(false);
  const revoke = useMutationOf("revokeKey", { meta: { done: "Key revoked." } });
  const consequence = (
    <>
      <LastUsed at={last_used_at} list={trpc.listKeys.pathKey()} /> Programs that use it stop working immediately. This
      cannot be undone; create a replacement first.
    </>
  );
  const actions: RowAction[] = [];
  if (stateOf(apiKey) === "active")
    actions.push({ label: "Rotate", icon: RefreshCw, onSelect: () => setRotating(true) });
  if (!revoked_at)
    actions.push(revokeAction({ noun: "key", name, consequence, onConfirm: () => revoke.mutateAsync({ id }) }));
  return (
    <>
      <RowMenu name={name} actions={actions} />
      <RotateApiKey apiKey={isRotating ? apiKey : undefined} onClose={() => setRotating(false)} onRotated={onRotated} />
    </>
  );
}
