"use client";

import { useMutation } from "@tanstack/react-query";
import { Button } from "../../../components/ui/button";
import { Confirm } from "../../../components/ui/confirm";
import { useTRPC } from "../../../trpc/client";
import { useMode } from "../../components/shell/mode";
import { SERVICES, type ServiceName } from "./service";

export function DeactivateButton({ name }: { name: ServiceName }) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const deactivate = useMutation(trpc.deactivateService.mutationOptions({ meta: { done: "Service deactivated." } }));
  const { label } = SERVICES[name];
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
      onConfirm={() => deactivate.mutateAsync({ service: name, mode })}
    />
  );
}
