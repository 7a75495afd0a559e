import { Section } from "../../../../components/ui/card";
import { Link } from "../../../../components/ui/link";
import { formatAge } from "../../../../format/durations";
import { formatCount } from "../../../../format/numbers";
import { Fact, Facts } from "../../../components/facts";
import { ROW_LINK_STYLE } from "../../../components/row-link-style";
import { observedInstance, priceText } from "../instance";
import type { Resource } from "../resource";

/** The pod behind an instance, and what was metered. */
export function InstanceSection({ resource }: { resource: Resource }) {
  const seen = observedInstance(resource);
  if (!seen) return null;
  return (
    <Section title="Instance" description={seen.waits_for ? `It waits: ${seen.waits_for}` : undefined}>
      <Facts className="sm:grid-cols-3">
        <Fact name="Status">{seen.status}</Fact>
        <Fact name="GPUs">{seen.simulated_gpus ? "simulated" : resource.service === "cpu" ? "none" : "real"}</Fact>
        <Fact name="Pod">
          <Link
            href={`/cloud/pods/${seen.pod_id}`}
            className={`${ROW_LINK_STYLE} break-all font-mono text-xs underline`}
          >
            {seen.pod_id}
          </Link>
        </Fact>
        <Fact name="Starts">{formatCount(seen.starts)}</Fact>
        <Fact name={seen.status === "running" ? "Metered before this run" : "Metered"}>
          {formatAge(seen.metered_seconds)}
        </Fact>
        <Fact name="Price while it runs">{priceText(seen)}</Fact>
      </Facts>
    </Section>
  );
}
