import { readAudience, readBudget, readNaming } from "../read-campaign";

/** What a new campaign asks for, in this order; `read` throws a FieldError for an invalid field of its step. */
export const STEPS: readonly { title: string; read: (fields: FormData) => unknown }[] = [
  { title: "What is advertised", read: readNaming },
  { title: "Who sees it", read: readAudience },
  { title: "Budget and bid", read: readBudget },
];
