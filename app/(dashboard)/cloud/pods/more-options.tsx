import type { ChangeEvent } from "react";
import { SelectField, TextAreaField, TextField } from "../../../components/form/fields";
import { hasGpus, type Shape } from "./shape";
import { useSecretNames } from "./use-secret-names";

const GANG_PODS_MAX = 64;

interface MoreOptionsProps {
  shape: Shape;
  onShape: (shape: Shape) => void;
  project: string | undefined;
}

/** Fields that few pods need; the form opens it for an invalid one. */
export const MoreOptions = ({ shape, onShape, project }: MoreOptionsProps) => (
  <details className="rounded-lg border">
    <summary className="cursor-pointer px-4 py-3 font-medium text-sm">
      More options <span className="font-normal text-muted-foreground">ports, private registry, gang, labels</span>
    </summary>
    <div className="space-y-5 px-4 pt-1 pb-4">
      <TextField
        name="ports"
        label="Ports"
        optional
        placeholder="8080"
        inputMode="numeric"
        hint="Of HTTP servers in the pod, with commas between them. The page of the pod links to them."
      />
      <RegistryFields key={project} project={project} />
      <GangFields shape={shape} onShape={onShape} />
      <TextAreaField
        name="labels"
        label="Labels"
        optional
        rows={2}
        spellCheck={false}
        autoCapitalize="none"
        placeholder="job=training"
        hint="name=value, one per line. With job=training the end of a run is also an event of a training run."
      />
    </div>
  </details>
);

function RegistryFields({ project }: Pick<MoreOptionsProps, "project">) {
  const secrets = useSecretNames(project);
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-medium text-sm">Private registry</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          name="registry_username"
          label="Username"
          optional
          maxLength={255}
          autoCapitalize="none"
          spellCheck={false}
          hint="For an image that its registry shows to some only."
        />
        <SelectField
          name="registry_password"
          label="Password or token"
          optional
          defaultValue=""
          hint="A secret, read at each start and sent only to the registry."
          choices={secrets}
        >
          <option value="">{secrets.length === 0 ? "No secrets" : "Choose a secret"}</option>
        </SelectField>
      </div>
    </fieldset>
  );
}

function GangFields({ shape, onShape }: Omit<MoreOptionsProps, "project">) {
  const change =
    (part: "gangName" | "gangSize") =>
    ({ target: { value } }: ChangeEvent<HTMLInputElement>) =>
      onShape({ ...shape, [part]: value });
  if (!hasGpus(shape)) {
    return (
      <p className="text-muted-foreground text-xs leading-5">
        Pods with GPUs can be placed as a gang: together, or not at all.
      </p>
    );
  }
  return (
    <fieldset className="min-w-0">
      <legend className="mb-2 font-medium text-sm">Gang</legend>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          name="gang_name"
          label="Gang name"
          optional
          maxLength={200}
          value={shape.gangName}
          onChange={change("gangName")}
          hint="Pods with the same gang are placed together, or not at all."
        />
        <TextField
          name="gang_size"
          label="Pods of the gang"
          optional
          type="number"
          min={2}
          max={GANG_PODS_MAX}
          value={shape.gangSize}
          onChange={change("gangSize")}
          hint="They wait until so many exist. This form creates one of them."
        />
      </div>
    </fieldset>
  );
}
