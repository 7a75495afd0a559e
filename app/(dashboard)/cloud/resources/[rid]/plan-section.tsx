import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { useTRPCClient } from "../../../../trpc/client";
import type { Resource } from "../resource";
import { isSame } from "../service";
import { useServices } from "../use-services";

interface PlanSectionProps {
  resource: Resource;
  plan: NonNullable<Resource["plan"]>;
  canWrite: boolean;
}

/** What svc would do for a placeholder, and a button that lets it try. */
export const PlanSection = ({ resource, plan, canWrite }: PlanSectionProps) => (
  <Section
    title="Plan"
    description="What svc does when it is provisioned, and how you can see that it was done."
    actions={canWrite && <ProvisionButton resource={resource} />}
  >
    <ol className="space-y-3">
      {plan.map(({ step, what, proof }, at) => (
        <li key={step} className="flex gap-3 text-sm">
          <span
            aria-hidden
            className="grid size-6 shrink-0 place-items-center rounded-full bg-accent font-medium text-accent-foreground text-xs"
          >
            {at + 1}
          </span>
          <div className="min-w-0 space-y-0.5">
            <p className="break-words font-medium">{what}</p>
            <p className="break-words text-muted-foreground">{proof}</p>
          </div>
        </li>
      ))}
    </ol>
  </Section>
);

/** Creates the same resource again, after its service was activated if that is what is missing. */
function ProvisionButton({ resource }: { resource: Resource }) {
  const client = useTRPCClient();
  const router = useRouter();
  const queries = useQueryClient();
  const { rid, plane, service, kind, mode, name, spec } = resource;
  const services = useServices().data?.data ?? [];
  const needsActivation = resource.reason?.code === "not_activated";
  const provision = useMutation({
    // The placeholder is replaced by the resource, which has another page.
    meta: { leaves: true },
    mutationFn: async () => {
      const gate = services.find((one) => isSame(one, resource))?.activation ?? { plane, service };
      if (needsActivation) await client.activateService.mutate({ ...gate, mode });
      return client.createResource.mutate({
        plane,
        service,
        kind,
        mode,
        name,
        spec,
        project: resource.project_id,
      });
    },
    onSuccess: (made) => {
      if (made.rid === rid) void queries.refetchQueries({ type: "active" });
      else router.push(`/cloud/resources/${made.rid}`);
    },
  });
  return (
    <Button pending={provision.isPending} onClick={() => provision.mutate()}>
      {needsActivation ? "Activate and provision" : "Try again"}
    </Button>
  );
}
