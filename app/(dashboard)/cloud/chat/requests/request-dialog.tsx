import type { ReactNode } from "react";
import { QueryContent } from "../../../../components/query-content";
import { CodeBlock } from "../../../../components/ui/code-block";
import { Dialog } from "../../../../components/ui/dialog";
import { formatDateTimeSeconds } from "../../../../format/dates";
import { formatMoney } from "../../../../format/money";
import { formatCount } from "../../../../format/numbers";
import { useQueryOf } from "../../../../trpc/use-operation";
import { useProjects } from "../../../account/api-keys/use-projects";
import { FactLine, FactLines } from "../../../components/facts";
import { useCurrency } from "../../../offers/components/use-currency";
import type { ChatRequestWithBodies } from "../wire";

interface RequestDialogProps {
  /** Empty: closed. */
  requestId: string;
  onClose: () => void;
}

/** One request of the log, with what was said if the project stores that. */
export const RequestDialog = ({ requestId, onClose }: RequestDialogProps) => (
  <Dialog open={requestId !== ""} onOpenChange={onClose} title="Chat request" className="max-w-3xl">
    {requestId !== "" && <Loaded requestId={requestId} />}
  </Dialog>
);

function Loaded({ requestId }: { requestId: string }) {
  const query = useQueryOf("getChatRequest", { request: requestId });
  return <QueryContent query={query}>{(request) => <Details request={request} />}</QueryContent>;
}

function Details({ request }: { request: ChatRequestWithBodies }) {
  const { nameOf } = useProjects();
  const currency = useCurrency();
  return (
    <div className="space-y-4">
      <FactLines>
        {[...factsOf(request, nameOf), ["Cost", currency && costText(request, currency)] as const].map(
          ([name, value]) => (
            <FactLine key={name} name={name}>
              {value}
            </FactLine>
          ),
        )}
      </FactLines>
      {request.bodies ? (
        <>
          <CodeBlock label={bodyLabel("Request", request.bodies.request)} code={request.bodies.request.text} />
          <CodeBlock label={bodyLabel("Answer", request.bodies.response)} code={request.bodies.response.text} />
        </>
      ) : (
        <p className="text-muted-foreground text-sm">
          What was said is not stored. The settings can store it, encrypted, for later requests.
        </p>
      )}
    </div>
  );
}

const bodyLabel = (what: string, { is_cut }: { is_cut: boolean }): string =>
  is_cut ? `${what}, the first 65,536 characters` : what;

const msText = (ms: number | null): string => (ms === null ? "–" : `${formatCount(ms)} ms`);

const factsOf = (request: ChatRequestWithBodies, nameOf: (id: string) => string): [string, ReactNode][] => [
  ["ID", request.id],
  ["Request ID", request.request_id],
  ["Project", nameOf(request.project_id)],
  ["API key", request.key_id ?? "none (the playground)"],
  ["Model", request.model],
  ["Upstream", request.upstream ?? "none"],
  ["Status", statusText(request)],
  ["Tokens", tokensText(request)],
  ["First byte", msText(request.first_byte_ms)],
  ["Latency", msText(request.total_ms)],
  ["Tries", formatCount(request.tries)],
  ["Streamed", request.stream ? "yes" : "no"],
  ["Began", formatDateTimeSeconds(request.created_at)],
];

const statusText = ({ status, http_status, error_code }: ChatRequestWithBodies): string =>
  [status, http_status, error_code].filter((part) => part !== null).join(" · ");

const tokensText = ({ prompt_tokens, completion_tokens, estimated }: ChatRequestWithBodies): string =>
  `${formatCount(prompt_tokens)} of the prompt, ${formatCount(completion_tokens)} of the answer${estimated ? " (estimated)" : ""}`;

const costText = ({ cost_micros, simulated, cached }: ChatRequestWithBodies, currency: string): string =>
  `${formatMoney(cost_micros, currency)}${simulated ? " (simulated, not charged)" : ""}${cached ? " (from the cache)" : ""}`;
