import { Send } from "lucide-react";
import { SelectField } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { textIn } from "../../../../components/form/read-fields";
import { QuerySection } from "../../../../components/query-content";
import { Alert } from "../../../../components/ui/alert";
import { Button } from "../../../../components/ui/button";
import { useMutationOf } from "../../../../trpc/use-operation";
import { useUrlParams } from "../../../components/use-url-params";
import { ResponseText } from "../../components/response-text";
import { includes, type Kind } from "../kind-groups";
import { useKinds } from "../use-kinds";
import type { Webhook } from "../webhook";
import { type DeliveryDetails, latencyText } from "./delivery";

/** Sends the example of a kind to the webhook, and shows the result at once. */
export function SendTest({ webhook }: { webhook: Webhook }) {
  const kinds = useKinds();
  return (
    <QuerySection
      title="Send a test event"
      description="The example of a kind, with a new event id, is sent to this webhook only. A failure is not retried."
      query={kinds}
    >
      {({ data }) => <TestForm webhook={webhook} kinds={data} />}
    </QuerySection>
  );
}

function TestForm({ webhook, kinds }: { webhook: Webhook; kinds: readonly Kind[] }) {
  const test = useMutationOf("testWebhook", { meta: { inline: true } });
  const isChosen = ({ type }: Kind) => webhook.events.some((pattern) => includes(pattern, type));
  const groups: [string, Kind[]][] = [
    ["Subscribed", kinds.filter(isChosen)],
    ["Other kinds", kinds.filter((kind) => !isChosen(kind))],
  ];
  const isDisabled = webhook.status === "disabled";
  return (
    <Form error={test.error} onSubmit={(fields) => test.mutate({ id: webhook.id, type: textIn(fields, "type") })}>
      <div className="flex flex-wrap items-start gap-3">
        <SelectField name="type" label="Kind of event" className="min-w-0 flex-1 basis-56">
          {groups.map(
            ([label, members]) =>
              members.length > 0 && (
                <optgroup key={label} label={label}>
                  {members.map(({ type }) => (
                    <option key={type} value={type}>
                      {type}
                    </option>
                  ))}
                </optgroup>
              ),
          )}
        </SelectField>
        <Button type="submit" className="sm:mt-6.5" disabled={isDisabled} pending={test.isPending}>
          {!test.isPending && <Send aria-hidden />}
          Send test event
        </Button>
      </div>
      {isDisabled && <p className="text-muted-foreground text-sm">Enable the webhook to send a test event.</p>}
      {test.data && !test.isPending && <TestResult delivery={test.data} />}
    </Form>
  );
}

function TestResult({ delivery }: { delivery: DeliveryDetails }) {
  const { change } = useUrlParams();
  const attempt = delivery.attempts.at(-1);
  const isGood = delivery.status === "succeeded";
  return (
    <section aria-label="Result of the test" className="space-y-2">
      <Alert tone={isGood ? "good" : "bad"}>
        {isGood ? "Delivered" : "Failed"}
        {attempt?.status_code != null && `: status ${attempt.status_code}`}
        {attempt && ` after ${latencyText(attempt.latency_ms)}`}.{attempt?.error && ` ${attempt.error}`}
      </Alert>
      {attempt && <ResponseText text={attempt.response_body} label="Response to the test event" />}
      <Button variant="link" size="sm" onClick={() => change({ delivery: delivery.id }, "push")}>
        Show the delivery
      </Button>
    </section>
  );
}
