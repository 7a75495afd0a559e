import { Dialog } from "../../../components/ui/dialog";
import { Link } from "../../../components/ui/link";
import { formatDateTime, formatRelativeTime } from "../../../format/dates";
import { useQueryOf } from "../../../trpc/use-operation";
import { FactLine, FactLines } from "../../components/facts";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useHasScope } from "../../components/shell/access";
import { actorName } from "../audit-log/audit-text";
import { type ApiKey, maskedKey } from "./api-key";
import { StateBadge } from "./state-badge";
import { useProjects } from "./use-projects";

interface ApiKeyDetailsProps {
  /** undefined keeps the dialog closed. */
  apiKey: ApiKey | undefined;
  onClose: () => void;
}

/** All details of a key except its secret. */
export const ApiKeyDetails = ({ apiKey, onClose }: ApiKeyDetailsProps) => (
  <Dialog open={apiKey !== undefined} onOpenChange={onClose} title={apiKey?.name ?? ""}>
    {apiKey && <Details apiKey={apiKey} />}
  </Dialog>
);

function Details({ apiKey }: { apiKey: ApiKey }) {
  const { nameOf } = useProjects();
  const canRead = useHasScope("audit:read");
  const { id, project_id, scopes, allowed_addresses, last_used_at } = apiKey;
  return (
    <>
      <FactLines>
        <FactLine name="Secret" isCode>
          {maskedKey(apiKey)}
        </FactLine>
        <FactLine name="ID" isCode>
          {id}
        </FactLine>
        <FactLine name="State">
          <StateBadge apiKey={apiKey} />
        </FactLine>
        <FactLine name="Project">{nameOf(project_id)}</FactLine>
        <FactLine name="Scopes">
          <Lines entries={scopes} />
        </FactLine>
        <FactLine name="Allowed addresses">
          {allowed_addresses.length > 0 ? <Lines entries={allowed_addresses} /> : "any address"}
        </FactLine>
        <FactLine name="Last used">{last_used_at ? <DateTime at={last_used_at} /> : "never"}</FactLine>
        <History apiKey={apiKey} />
      </FactLines>
      {canRead && (
        <p className="text-sm">
          <Link href={`/account/audit-log?target=${id}`} className={`${ROW_LINK_STYLE} underline`}>
            View in audit log
          </Link>
        </p>
      )}
    </>
  );
}

const History = ({ apiKey }: { apiKey: ApiKey }) => (
  <>
    <FactLine name="Created">
      <DateTime at={apiKey.created_at} />
      {useHasScope("audit:read") && <Creator id={apiKey.id} />}
    </FactLine>
    {apiKey.rotated_at && (
      <FactLine name="Rotated">
        <DateTime at={apiKey.rotated_at} />
        {isFuture(apiKey.previous_secret_until) && (
          <span className="block text-warning-foreground">
            The old secret works until {formatDateTime(apiKey.previous_secret_until ?? "")}.
          </span>
        )}
      </FactLine>
    )}
    {apiKey.expires_at && (
      <FactLine name={isFuture(apiKey.expires_at) ? "Expires" : "Expired"}>
        <DateTime at={apiKey.expires_at} />
      </FactLine>
    )}
    {apiKey.revoked_at && (
      <FactLine name="Revoked">
        <DateTime at={apiKey.revoked_at} />
      </FactLine>
    )}
  </>
);

const isFuture = (iso: string | null): boolean => iso !== null && new Date(iso) > new Date();

/** Who created the key, from the audit log; older keys have no entry. */
function Creator({ id }: { id: string }) {
  const found = useQueryOf("listAudit", { target_id: id, action: "api_key.created", limit: 1 });
  const [entry] = found.data?.data ?? [];
  return entry && <span className="block text-muted-foreground">by {actorName(entry.actor)}</span>;
}

const Lines = ({ entries }: { entries: readonly string[] }) => (
  <ul className="space-y-0.5 font-mono text-xs leading-5">
    {entries.map((entry) => (
      <li key={entry} className="break-all">
        {entry}
      </li>
    ))}
  </ul>
);

const DateTime = ({ at }: { at: string }) => (
  <>
    {formatDateTime(at)} <span className="text-muted-foreground">({formatRelativeTime(at)})</span>
  </>
);
