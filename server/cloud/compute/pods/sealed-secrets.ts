import { seal, unseal } from "../../../kernel/secrets";

const contextOf = (runId: string): string => `pod run ${runId}`;

/** The values of secrets that a run received, encrypted. */
export const sealSecrets = (key: Buffer, runId: string, values: readonly string[]): string =>
  seal(key, JSON.stringify(values), contextOf(runId));

/** The values again. Throws if they cannot be decrypted: output must not be shown without them. */
export function unsealSecrets(key: Buffer, runId: string, sealed: string): string[] {
  const text = unseal(key, sealed, contextOf(runId));
  if (text === undefined) throw new Error(`The secrets of the run ${runId} were encrypted with another SVC_SECRET.`);
  return JSON.parse(text) as string[];
}
