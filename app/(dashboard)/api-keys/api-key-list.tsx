"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { LoadedPages, nextCursorOf } from "../../components/loaded-pages";
import { PageHeader } from "../../components/page-header";
import { SecretDialog } from "../../components/secret-dialog";
import { NeedsScope, useMay } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";
import { Button } from "../../components/ui/button";
import { Empty } from "../../components/ui/empty";
import { useAddress } from "../../components/use-address";
import { useTRPC } from "../../trpc/client";
import { STATES } from "./api-key";
import { ApiKeyFilters } from "./api-key-filters";
import { ApiKeyTable } from "./api-key-table";
import { CreateApiKeyDialog, type CreatedKey } from "./create-api-key-dialog";
import type { RotatedKey } from "./rotate-api-key";

const REFRESH_MS = 30_000;

export const ApiKeyList = () => (
  <NeedsScope scope="keys:read" title="API keys" what="the API keys">
    <Keys />
  </NeedsScope>
);

function Keys() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const { params, change } = useAddress();
  const mayWrite = useMay("keys:write");
  const [creating, setCreating] = useState(false);
  const [shown, setShown] = useState<CreatedKey | RotatedKey>();
  const project = params.get("project") ?? "";
  const state = STATES.find((one) => one === params.get("state"));
  const query = useInfiniteQuery(
    trpc.keys.list.infiniteQueryOptions(
      { mode, ...(project && { project }), ...(state && { state }) },
      { getNextPageParam: nextCursorOf, refetchInterval: REFRESH_MS },
    ),
  );
  const create = mayWrite && (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        description="Platform keys for scripts and servers that manage things. To ask for offers, use a channel's key."
        actions={create}
      />
      <ApiKeyFilters />
      <LoadedPages
        query={query}
        empty={
          project || state ? (
            <Empty icon={KeyRound} title="No key matches" action={<ShowAll onClick={() => change(ALL)} />}>
              There are none in {mode} mode with this project and state.
            </Empty>
          ) : (
            <Empty icon={KeyRound} title={`No ${mode} keys yet`} action={create}>
              A platform key acts in one mode, with the scopes that you choose.
            </Empty>
          )
        }
      >
        {(keys) => <ApiKeyTable keys={keys} onRotated={setShown} />}
      </LoadedPages>
      <CreateApiKeyDialog
        open={creating}
        onOpenChange={setCreating}
        projectId={project}
        onCreated={(created) => {
          setCreating(false);
          setShown(created);
        }}
      />
      <SecretDialog
        title="Your platform key"
        description="Keep it on your servers: it acts in your name within its scopes."
        secret={shown?.key}
        onDone={() => setShown(undefined)}
      />
    </>
  );
}

const ALL = { project: "", state: "" };

const ShowAll = ({ onClick }: { onClick: () => void }) => (
  <Button variant="outline" onClick={onClick}>
    Show all keys
  </Button>
);
