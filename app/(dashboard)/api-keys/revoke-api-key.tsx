"use client";

import { useMutation } from "@tanstack/react-query";
import { Button } from "../../components/ui/button";
import { Confirm } from "../../components/ui/confirm";
import { lastUseText } from "../../format/dates";
import { useTRPC } from "../../trpc/client";
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
      consequence={`${lastUseText(last_used_at)} Whatever uses it is refused at once. This cannot be undone; create the replacement first.`}
      action="Revoke key"
      onConfirm={() => revoke.mutateAsync({ id })}
    />
  );
}
