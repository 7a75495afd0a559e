import { useFieldFailure } from "../../../components/form/form";

/** A failure that belongs to a group of fields rather than to one. */
export function GroupError({ name }: { name: string }) {
  const failure = useFieldFailure(name);
  return (
    failure && (
      <p role="alert" data-invalid tabIndex={-1} className="mb-3 text-destructive text-sm">
        {failure}
      </p>
    )
  );
}
