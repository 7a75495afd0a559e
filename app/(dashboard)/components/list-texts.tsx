import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../components/ui/button";
import { EmptyState } from "../../components/ui/empty-state";
import { Link } from "../../components/ui/link";
import { useMode } from "./shell/mode";

/** What a list is of, for its texts. */
export interface ListTexts {
  /** One of them, such as "edge function". */
  noun: string;
  /** Default: the noun with an s. */
  plural?: string;
  icon: LucideIcon;
  /** What one is, for a list without any. */
  about: ReactNode;
  /** The page of the documentation about them. */
  docs?: string;
  /** Of a list without any; default: "No edge functions in test mode yet". */
  emptyTitle?: string;
}

export const pluralOf = ({ noun, plural = `${noun}s` }: Pick<ListTexts, "noun" | "plural">): string => plural;

/** Instead of a list without any. */
export function NoneYet({ icon, about, docs, emptyTitle, create, ...noun }: ListTexts & { create?: ReactNode }) {
  const { mode } = useMode();
  const plural = pluralOf(noun);
  return (
    <EmptyState icon={icon} title={emptyTitle ?? `No ${plural} in ${mode} mode yet`} action={create}>
      {about}
      {docs && (
        <>
          {" "}
          <Link href={docs} className="underline underline-offset-2">
            How {plural} work
          </Link>
        </>
      )}
    </EmptyState>
  );
}

/** Instead of a list of which the filters leave nothing. */
export function NoMatch({ icon, onClear, ...noun }: ListTexts & { onClear: () => void }) {
  const plural = pluralOf(noun);
  const clear = (
    <Button variant="outline" onClick={onClear}>
      Clear filters
    </Button>
  );
  return (
    <EmptyState icon={icon} title={`No matching ${plural}`} action={clear}>
      There are no {plural} with these filters.
    </EmptyState>
  );
}
