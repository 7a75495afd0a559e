"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { KeyRound, Plus } from "lucide-react";
import { useState } from "react";
import { Button } from "../../../components/ui/button";
import { EmptyState } from "../../../components/ui/empty-state";
import { useTRPC } from "../../../trpc/client";
import { PageHeader } from "../../components/page-header";
import { nextCursor, PagedContent } from "../../components/paged-content";
import { SecretDialog } from "../../components/secret-dialog";
import { RequireScope, useHasScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";
import { useUrlParams } from "../../components/use-url-params";
import { STATES } from "./api-key";
import { ApiKeyFilters } from "./api-key-filters";
import { ApiKeyTable } from "./api-key-table";
import { CreateApiKeyDialog, type CreatedKey } from "./create-api-key-dialog";
import type { RotatedKey } from "./rotate-api-key";

const REFRESH_MS = 30_000;

export const ApiKeyList = () => (
  <RequireScope scope="keys:read" title="API keys" what="the API keys">
    <Keys />
  </RequireScope>
);

function Keys() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const { params, change } = useUrlParams();
  const canWrite = useHasScope("keys:write");
  const [creating, setCreating] = useState(false);
  const [shown, setShown] = useState<CreatedKey | RotatedKey>();
  const project = params.get("project") ?? "";
  const state = STATES.find((one) => one === params.get("state"));
  const query = useInfiniteQuery(
    trpc.listKeys.infiniteQueryOptions(
      { mode, ...(project && { project }), ...(state && { state }) },
      { getNextPageParam: nextCursor, refetchInterval: REFRESH_MS },
    ),
  );
  const create = canWrite && (
    <Button onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create key
    </Button>
  );
  return (
    <>
      <PageHeader
        title="API keys"
        description="Platform keys for scripts and servers that manage resources. To request offers, use a channel's key."
        actions={create}
      />
      <ApiKeyFilters />
      <PagedContent
        query={query}
        empty={
          project || state ? (
            <EmptyState icon={KeyRound} title="No matching keys" action={<ShowAll onClick={() => change(ALL)} />}>
              There are none in {mode} mode with this project and state.
            </EmptyState>
          ) : (
            <EmptyState icon={KeyRound} title={`No ${mode} keys yet`} action={create}>
              A platform key works in one mode, with the scopes that you choose.
            </EmptyState>
          )
        }
      >
        {(keys) => <ApiKeyTable keys={keys} onRotated={setShown} />}
      </PagedContent>
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
        description="Keep it on your servers: it acts on your behalf within its scopes."
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
