import { useState } from "react";
import { Form } from "../../../components/form/form";
import { RadioField } from "../../../components/form/radio-field";
import { choiceIn } from "../../../components/form/read-fields";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { useMutationOf } from "../../../trpc/use-operation";
import { useMode } from "../../components/shell/mode";
import { type Activation, type Service, tierChoices } from "./service";

interface TierButtonProps {
  service: Service;
  /** Absent: the service is not activated. */
  activation: Activation | undefined;
}

/** Activates a service, or changes its tier. */
export function TierButton({ service, activation }: TierButtonProps) {
  const { mode } = useMode();
  const [open, setOpen] = useState(false);
  const { label } = service;
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
        <TierForm service={service} activation={activation} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  );
}

function TierForm({ service: of, activation, onDone }: TierButtonProps & { onDone: () => void }) {
  const { mode } = useMode();
  const activate = useMutationOf("activateService", {
    meta: { inline: true, done: activation ? "Tier changed." : "Service activated." },
    onSuccess: onDone,
  });
  const choices = tierChoices(of);
  const { plane, service } = of;
  const submit = (fields: FormData) => {
    const tiers = choices.map(({ value }) => value);
    activate.mutate({ plane, service, mode, plan_tier: choiceIn(fields, "plan_tier", tiers) });
  };
  return (
    <Form sends={activate} onSubmit={submit} label={activation ? "Change tier" : "Activate service"} onCancel={onDone}>
      <RadioField
        name="plan_tier"
        label="Tier"
        choices={choices}
        defaultValue={activation?.plan_tier ?? choices[0]?.value ?? ""}
      />
    </Form>
  );
}
