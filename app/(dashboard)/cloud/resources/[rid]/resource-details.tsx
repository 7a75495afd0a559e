import Link from "next/link";
import { Section } from "../../../../components/ui/card";
import { CodeBlock } from "../../../../components/ui/code-block";
import { CopyButton } from "../../../../components/ui/copy-button";
import { formatDateTime } from "../../../../format/dates";
import { formatCount } from "../../../../format/numbers";
import { useProjects } from "../../../account/api-keys/use-projects";
import { Fact, Facts } from "../../../components/facts";
import { ROW_LINK_STYLE } from "../../../components/row-link-style";
import { JsonBlock } from "../../components/json-block";
import type { Resource, ResourceWithDependents } from "../resource";
import { useServiceLabel } from "../use-services";
import { EditSpec } from "./edit-spec";

/** How the effect is reached, what is wanted and what was seen. */
export const ResourceDetails = ({ resource, canWrite }: { resource: ResourceWithDependents; canWrite: boolean }) => (
  <>
    {(resource.endpoints.length > 0 || resource.try_it.length > 0) && <Uses resource={resource} />}
    <div className="grid items-start gap-6 *:min-w-0 lg:grid-cols-2">
      <Section
        title="Spec"
        description="What is wanted, with defaults."
        actions={canWrite && canEdit(resource) && <EditSpec resource={resource} />}
      >
        <JsonBlock label="Spec" value={resource.spec} />
      </Section>
      <Section title="Observed" description={observedText(resource)}>
        {resource.observed !== null && <JsonBlock label="Observed" value={resource.observed} />}
      </Section>
    </div>
    {resource.dependents.length > 0 && <Dependents resource={resource} />}
    <Origin resource={resource} />
  </>
);

const Dependents = ({ resource: { dependents } }: { resource: ResourceWithDependents }) => {
  const labelOf = useServiceLabel();
  return (
    <Section title="Used by" description="Resources whose specs name this one.">
      <ul className="space-y-2">
        {dependents.map(({ rid, plane, service, name, param }) => (
          <li key={`${rid} ${param}`} className="flex flex-wrap items-center gap-2 text-sm">
            <Link href={`/cloud/resources/${rid}`} className={ROW_LINK_STYLE}>
              {name}
            </Link>
            <span className="text-muted-foreground">{labelOf({ plane, service })}</span>
            <span className="font-mono text-xs">{param}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
};

const canEdit = ({ state }: Resource): boolean => state !== "placeholder" && state !== "deleting";

const observedText = ({ observed_at }: Resource): string =>
  observed_at === null ? "It has not been observed yet." : `Unchanged since ${formatDateTime(observed_at)}.`;

const Uses = ({ resource: { endpoints, try_it } }: { resource: Resource }) => (
  <Section title="Use it" description="Addresses, and commands that show that it exists.">
    <div className="space-y-4">
      {endpoints.length > 0 && (
        <ul className="space-y-2">
          {endpoints.map(({ protocol, url }) => (
            <li key={url} className="flex flex-wrap items-center gap-2 text-sm">
              <span className="text-muted-foreground">{protocol}</span>
              <span className="min-w-0 break-all font-mono text-xs">{url}</span>
              <CopyButton text={url} />
            </li>
          ))}
        </ul>
      )}
      {try_it.map(({ title, command }) => (
        <CodeBlock key={command} label={title} code={command} />
      ))}
    </div>
  </Section>
);

function Origin({ resource }: { resource: Resource }) {
  const { nameOf } = useProjects();
  const labelOf = useServiceLabel();
  return (
    <Section title="Record">
      <Facts className="sm:grid-cols-3">
        <Fact name="Service">{labelOf(resource)}</Fact>
        <Fact name="Kind">{resource.kind}</Fact>
        <Fact name="Project">{nameOf(resource.project_id)}</Fact>
        <Fact name="Created">{timeText(resource.created_at)}</Fact>
        <Fact name="Updated">{timeText(resource.updated_at)}</Fact>
        <Fact name="Generation of the spec">{formatCount(resource.generation)}</Fact>
      </Facts>
    </Section>
  );
}

const timeText = (at: string | null): string => (at === null ? "–" : formatDateTime(at));
