"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, TriangleAlert } from "lucide-react";
import Link from "next/link";
import { useState } from "react";
import { Loaded } from "../../components/loaded";
import { useMode } from "../../components/shell/mode";
import { Button } from "../../components/ui/button";
import { Section } from "../../components/ui/card";
import { ROW_LINK } from "../../components/ui/row-link";
import { LoadingRows } from "../../components/ui/skeleton";
import { useTRPC } from "../../trpc/client";
import { attentionText, type Attention as Item } from "./attention-words";

const REFRESH_MS = 30_000;
const SHOWN = 6;

/** What keeps campaigns from serving and channels from earning, each with the way to mend it. */
export function Attention() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const query = useQuery(trpc.overview.attention.queryOptions({ mode }, { refetchInterval: REFRESH_MS }));
  return (
    <Section title="What needs attention">
      <Loaded query={query} loading={<LoadingRows rows={2} />}>
        {(items) =>
          items.length === 0 ? (
            <p className="flex items-center gap-2.5 text-sm">
              <CircleCheck aria-hidden className="size-4 shrink-0 text-success-foreground" />
              Nothing: no campaign and no channel waits for you.
            </p>
          ) : (
            <Items items={items} />
          )
        }
      </Loaded>
    </Section>
  );
}

function Items({ items }: { items: Item[] }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      <ul className="divide-y rounded-lg border">
        {(isWhole ? items : items.slice(0, SHOWN)).map(({ kind, noun, id, name, share }) => (
          <li key={`${kind} ${id}`} className="flex items-start gap-2.5 px-3 py-2.5 text-sm">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning-foreground" />
            <span className="min-w-0 break-words">
              <Link href={`/${noun}s/${id}`} className={ROW_LINK}>
                {name}
              </Link>
              <span className="block text-muted-foreground">{attentionText({ kind, share })}</span>
            </span>
          </li>
        ))}
      </ul>
      {items.length > SHOWN && (
        <Button variant="outline" size="sm" className="mt-3" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? `Show the first ${SHOWN}` : `Show all ${items.length}`}
        </Button>
      )}
    </>
  );
}
