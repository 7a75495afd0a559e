"use client";

import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Form } from "../../../components/form/form";
import { FormButtons } from "../../../components/form/form-buttons";
import { RadioField } from "../../../components/form/radio-field";
import { choiceIn } from "../../../components/form/read-fields";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { useTRPC } from "../../../trpc/client";
import { useMode } from "../../components/shell/mode";
import { type Activation, SERVICES, type ServiceName, TIER_CHOICES, TIERS } from "./service";

interface TierButtonProps {
  name: ServiceName;
  /** Absent: the service is not activated. */
  activation: Activation | undefined;
}

/** Activates a service, or changes its tier. */
export function TierButton({ name, activation }: TierButtonProps) {
  const { mode } = useMode();
  const [open, setOpen] = useState(false);
  const { label } = SERVICES[name];
  return (
    <>
      <Button size="sm" variant={activation ? "outline" : "primary"} onClick={() => setOpen(true)}>
        {activation ? "Change tier" : "Activate"}
        <span className="sr-only"> of {label}</span>
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title={activation ? `Change the tier of ${label}` : `Activate ${label} in ${mode} mode`}
        description="For all projects. An activation costs nothing; resources cost what they use. Suspended resources are provisioned again."
      >
        <TierForm name={name} activation={activation} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

const TIER_NAMES = TIERS.map(({ value }) => value);

function TierForm({ name, activation, onDone }: TierButtonProps & { onDone: () => void }) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const activate = useMutation(
    trpc.activateService.mutationOptions({
      meta: { inline: true, done: activation ? "Tier changed." : "Service activated." },
      onSuccess: onDone,
    }),
  );
  const submit = (fields: FormData) =>
    activate.mutate({ service: name, mode, plan_tier: choiceIn(fields, "plan_tier", TIER_NAMES) });
  return (
    <Form error={activate.error} onSubmit={submit}>
      <RadioField
        name="plan_tier"
        label="Tier"
        choices={TIER_CHOICES}
        defaultValue={activation?.plan_tier ?? "starter"}
      />
      <FormButtons
        label={activation ? "Change tier" : "Activate service"}
        pending={activate.isPending}
        onCancel={onDone}
      />
    </Form>
  );
}
