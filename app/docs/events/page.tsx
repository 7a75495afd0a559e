import type { Metadata } from "next";
import { surfaces } from "../../../server/surfaces";
import { Call } from "../call";
import { Code, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { KeyField } from "../key-field";
import { TextWithCode } from "../text-with-code";
import { KindDetails } from "./kind-details";
import { groupsOf, type ListedKind, sectionId } from "./kind-sections";
import { fieldsOf } from "./schema-fields";

export const metadata: Metadata = { title: "Events" };

export default function EventsPage() {
  const { eventKinds } = surfaces();
  return (
    <DocsPage title="Events" lead="What happens in a tenant, listed for 30 days and sent to webhooks.">
      <DocsSection id="list" title="List events">
        <p>
          A platform key with the scope <Code>webhooks:read</Code> reads the events of its mode: those of its project
          and those of the whole tenant, whose <Code>project_id</Code> is null. Changes of projects, members and limits
          concern both modes and are live events. <Code>type</Code> filters by a kind or a prefix. The dashboard has the
          same list under <DocsLink href="/cloud/events">Events</DocsLink>.
        </p>
        <KeyField kind="platform" />
        <Call title="List the newest events" call="GET /v1/events?limit=5" />
      </DocsSection>
      <DocsSection id="follow" title="Follow events">
        <p>
          Events are listed in the order in which their changes were committed. Call it with <Code>order=asc</Code> and{" "}
          <Code>after</Code>, the id of the last event that you have, and repeat: no event is skipped, however many
          changes run at once. To be called instead, create a <DocsLink href="/docs/webhooks">webhook</DocsLink>.
        </p>
        <Call title="List the oldest events first" call="GET /v1/events?order=asc&limit=5" />
      </DocsSection>
      <DocsSection id="kinds" title="Kinds of events">
        <p>
          There are {eventKinds.length} kinds, named after what changed and what happened to it. A webhook subscribes to
          a kind, or to all kinds of a noun by a prefix such as <Code>campaign.*</Code>.
        </p>
        <Call title="List the kinds" call="GET /v1/events/kinds" />
      </DocsSection>
      {groupsOf(eventKinds).map(({ noun, kinds }) => (
        <DocsSection key={noun} id={sectionId(noun)} title={noun}>
          {kinds.map((kind) => (
            <Kind key={kind.type} kind={kind} />
          ))}
        </DocsSection>
      ))}
    </DocsPage>
  );
}

const Kind = ({ kind: { type, description, data_schema, example_event } }: { kind: ListedKind }) => (
  <div className="space-y-3 pb-3">
    <h3 id={type} className="scroll-mt-20 break-all font-medium font-mono text-sm">
      {type}
    </h3>
    <p>
      <TextWithCode text={description} />
    </p>
    <KindDetails type={type} fields={fieldsOf(data_schema)} example={JSON.stringify(example_event, null, 2)} />
  </div>
);
