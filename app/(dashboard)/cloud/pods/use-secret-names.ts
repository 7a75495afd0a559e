import { useQueryOf } from "../../../trpc/use-operation";
import { useHasScope } from "../../components/shell/access";
import { useMode } from "../../components/shell/mode";

const SECRETS_MAX = 1000;

/** The secrets that a person may give to a pod: one who may not reveal them may not do that either. */
export function useSecretNames(project: string | undefined): string[] {
  const { mode } = useMode();
  const [canRead, canReveal] = [useHasScope("secrets:read"), useHasScope("secrets:reveal")];
  const list = useQueryOf(
    "listSecrets",
    { mode, limit: SECRETS_MAX, ...(project && { project }) },
    { enabled: canRead && canReveal },
  );
  return [...new Set((list.data?.data ?? []).map(({ name }) => name))].sort((a, b) => a.localeCompare(b, "en"));
}
