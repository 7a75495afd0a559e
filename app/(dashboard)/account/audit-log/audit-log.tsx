"use client";

import { useInfiniteQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { Form } from "../../../components/form/form";
import { useTRPC } from "../../../trpc/client";
import { failureOf } from "../../../trpc/failure";
import { NoMatch, NoneYet } from "../../components/list-texts";
import { PageHeader } from "../../components/page-header";
import { PagedContent } from "../../components/paged-content";
import { pagesEvery } from "../../components/pages";
import { RequireScope } from "../../components/shell/access";
import { useUrlParams } from "../../components/use-url-params";
import { isFiltered, parseFilter, toListInput } from "./audit-filter";
import { AuditFilters } from "./audit-filters";
import { EntryList } from "./entry-list";
import { VerifyLog } from "./verify-log";

const REFRESH_MS = 15_000;
const PAGE_ROWS = 50;
const ALL = { action: "", actor: "", target: "", from: "", to: "" };

const TEXTS = {
  noun: "entry",
  plural: "entries",
  icon: ScrollText,
  emptyTitle: "No changes yet",
  about: "Logins, keys, channels, campaigns and members: every change appears here immediately.",
};

export const AuditLog = () => (
  <RequireScope scope="audit:read" title="Audit log" what="who changed what, and when">
    <Log />
  </RequireScope>
);

/** Every change, newest first; the filters are in the URL. */
function Log() {
  const trpc = useTRPC();
  const { params, change } = useUrlParams();
  const choice = parseFilter(params);
  const query = useInfiniteQuery(
    // A rejected request is not sent again: it would be rejected again, and would move the focus each time.
    trpc.listAudit.infiniteQueryOptions({ ...toListInput(choice), limit: PAGE_ROWS }, pagesEvery(REFRESH_MS)),
  );
  const newest = query.data?.pages[0]?.data[0]?.sequence;
  return (
    <>
      <PageHeader
        title="Audit log"
        description="Who changed what in this tenant, when and from where. Entries cannot be changed or removed."
      />
      <div className="space-y-5">
        <VerifyLog entries={isFiltered(choice) ? undefined : newest} />
        <Form error={fieldErrorOnly(query.error)} onSubmit={() => undefined}>
          <AuditFilters choice={choice} onChange={change} />
        </Form>
        <PagedContent
          query={query}
          empty={isFiltered(choice) ? <NoMatch {...TEXTS} onClear={() => change(ALL)} /> : <NoneYet {...TEXTS} />}
        >
          {(entries) => <EntryList entries={entries} onChoose={change} />}
        </PagedContent>
      </div>
    </>
  );
}

/** An error that a filter field can show; any other error replaces the list. */
const fieldErrorOnly = (error: unknown): unknown => (error && failureOf(error).fields.length > 0 ? error : null);
