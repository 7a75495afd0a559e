import { Button } from "../../../components/ui/button";
import { Confirm } from "../../../components/ui/confirm";
import { useMutationOf } from "../../../trpc/use-operation";
import { useMode } from "../../components/shell/mode";
import type { Service } from "./service";

export function DeactivateButton({ service: { plane, service, label } }: { service: Service }) {
  const { mode } = useMode();
  const deactivate = useMutationOf("deactivateService", { meta: { done: "Service deactivated." } });
  return (
    <Confirm
      trigger={
        <Button size="sm" variant="outline">
          Deactivate<span className="sr-only"> {label}</span>
        </Button>
      }
      title={`Deactivate ${label}?`}
      consequence={`Its resources in ${mode} mode are suspended: what they run ends, and their records and data stay. They are provisioned again when you activate the service. New ones are only planned.`}
      action="Deactivate service"
      onConfirm={() => deactivate.mutateAsync({ plane, service, mode })}
    />
  );
}
