import { CircleCheck, TriangleAlert } from "lucide-react";
import { useState } from "react";
import { QueryContent } from "../../../components/query-content";
import { Button } from "../../../components/ui/button";
import { Section } from "../../../components/ui/card";
import { Link } from "../../../components/ui/link";
import { LoadingRows } from "../../../components/ui/skeleton";
import { useQueryOf } from "../../../trpc/use-operation";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useMode } from "../../components/shell/mode";
import { attentionText, type Attention as Item } from "./attention-text";

const REFRESH_MS = 30_000;
const SHOWN = 6;

/** Problems that stop campaigns from serving or channels from earning, each with its fix. */
export function Attention() {
  const { mode } = useMode();
  const query = useQueryOf("listAttention", { mode }, { refetchInterval: REFRESH_MS });
  return (
    <QueryContent query={query} loading={<LoadingRows rows={1} />}>
      {(items) =>
        items.length === 0 ? (
          <section aria-label="Needs attention">
            <p className="flex items-center gap-2.5 text-sm">
              <CircleCheck aria-hidden className="size-4 shrink-0 text-success-foreground" />
              All clear: no campaign or channel needs your attention.
            </p>
          </section>
        ) : (
          <Section title="Needs attention">
            <Items items={items} />
          </Section>
        )
      }
    </QueryContent>
  );
}

function Items({ items }: { items: Item[] }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      <ul className="-my-2.5 divide-y">
        {(isWhole ? items : items.slice(0, SHOWN)).map(({ kind, noun, id, name, share }) => (
          <li key={`${kind} ${id}`} className="flex items-start gap-2.5 py-2.5 text-sm">
            <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warning-foreground" />
            <span className="min-w-0 break-words">
              <Link href={`/offers/${noun}s/${id}`} className={ROW_LINK_STYLE}>
                {name}
              </Link>
              <span className="block text-muted-foreground">{attentionText({ kind, share })}</span>
            </span>
          </li>
        ))}
      </ul>
      {items.length > SHOWN && (
        <Button variant="outline" size="sm" className="mt-5" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {isWhole ? `Show the first ${SHOWN}` : `Show all ${items.length}`}
        </Button>
      )}
    </>
  );
}
