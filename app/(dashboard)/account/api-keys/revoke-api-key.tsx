"use client";

import { useMutation } from "@tanstack/react-query";
import { Button } from "../../../components/ui/button";
import { Confirm } from "../../../components/ui/confirm";
import { useTRPC } from "../../../trpc/client";
import { LastUsed } from "../../components/last-used";
import type { ApiKey } from "./api-key";

export function RevokeApiKey({ apiKey: { id, name, last_used_at } }: { apiKey: ApiKey }) {
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
      consequence={
        <>
          <LastUsed at={last_used_at} list={trpc.keys.list.pathKey()} /> Programs that use it stop working immediately.
          This cannot be undone; create a replacement first.
        </>
      }
      action="Revoke key"
      onConfirm={() => revoke.mutateAsync({ id })}
    />
  );
}
