import { Section } from "../../../components/ui/card";
import { CodeBlock } from "../../../components/ui/code-block";
import { formatCount } from "../../../format/numbers";
import { useQueryOf } from "../../../trpc/use-operation";
import { isCounted, type Quota, quotaName } from "./quota";

/** A ready-made request to the operator for a higher limit. */
export function RequestHigherLimit({ quotas }: { quotas: Quota[] }) {
  const account = useQueryOf("getAccount").data;
  const liftable = quotas.filter(isCounted).filter((quota) => quota.liftable);
  const [fullest] = liftable.toSorted((a, b) => b.used / b.limit - a.used / a.limit);
  return (
    <Section
      title="When a limit is too low"
      description="The operator of this installation can change a limit for your tenant; it applies within seconds. Send them this request:"
    >
      {account && fullest && (
        <CodeBlock
          label="Ready to send"
          code={[
            `Please raise a limit for the tenant ${account.tenant.name} (${account.tenant.id}):`,
            `${quotaName(fullest)} (${fullest.resource}), from ${formatCount(fullest.limit)} to …`,
          ].join("\n")}
        />
      )}
    </Section>
  );
}
