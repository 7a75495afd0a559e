import { FieldError } from "../../../../trpc/failure";
import type { ChatUpstream } from "../wire";

type Model = ChatUpstream["models"][number];

/** One line for each model: its name, then the prices per million tokens of prompt and answer, if it has any. */
export const modelLines = (models: readonly Model[]): string =>
  models.map(({ name, input_price, output_price }) => `${name} ${input_price} ${output_price}`).join("\n");

/**
 * The models of the lines. What a line leaves out keeps the value of the model of that name. Throws a FieldError for
 * a line that has more or less than a name or a name and two prices.
 */
export function modelsIn(text: string, before: readonly Model[]) {
  const lines = text.split("\n").map((line) => line.trim().split(/\s+/));
  return lines
    .filter(([name]) => name)
    .map(([name = "", input, output, ...rest]) => {
      if (rest.length > 0 || (input !== undefined && output === undefined)) {
        throw new FieldError("models", `Write ${name} alone or with two prices, such as “${name} 0.15 0.60”.`);
      }
      return {
        ...before.find((model) => model.name === name),
        name,
        ...(input !== undefined && output !== undefined && { input_price: input, output_price: output }),
      };
    });
}
