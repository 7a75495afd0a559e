"use client";

import { useQuery } from "@tanstack/react-query";
import { MoneyField, SelectField, TextField } from "../../../../components/form/fields";
import { choiceIn, microsOrNullIn, numberOrNullIn, textIn } from "../../../../components/form/read-fields";
import { amountOf } from "../../../../format/money";
import { useTRPC } from "../../../../trpc/client";
import { ProjectField } from "../../../components/project-field";
import { useMode } from "../../../components/shell/mode";
import { useCurrency } from "../../../offers/components/use-currency";
import type { ChatBudget } from "../wire";

export const WINDOWS = ["day", "month"] as const;
const ACTIONS = ["block", "notify"] as const;
const KEYS_MAX = 200;

/** The settings that can be changed later; read them with `budgetIn`. */
export function BudgetFields({ budget }: { budget?: ChatBudget }) {
  const currency = useCurrency();
  const { amount_micros = null, tokens = null } = budget ?? {};
  return (
    <>
      <TextField name="name" label="Name" maxLength={80} autoComplete="off" defaultValue={budget?.name} />
      <MoneyField
        name="amount_micros"
        label="Limit in money"
        optional
        currency={currency}
        defaultValue={amount_micros === null ? "" : amountOf(amount_micros)}
        hint="A budget needs a limit in money, in tokens or in both."
      />
      <TextField
        name="tokens"
        label="Limit in tokens"
        optional
        type="number"
        min={0}
        step={1}
        defaultValue={tokens ?? ""}
        hint="Tokens of prompts and answers together."
      />
      <SelectField name="action" label="When it is spent" defaultValue={budget?.action ?? "block"}>
        <option value="block">Refuse requests</option>
        <option value="notify">Send events, refuse nothing</option>
      </SelectField>
    </>
  );
}

export const budgetIn = (fields: FormData) => ({
  name: textIn(fields, "name"),
  amount_micros: microsOrNullIn(fields, "amount_micros"),
  tokens: numberOrNullIn(fields, "tokens"),
  action: choiceIn(fields, "action", ACTIONS),
});

/** What a new budget limits. */
export function BudgetScopeFields() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const keys = useQuery(trpc.listKeys.queryOptions({ mode, limit: KEYS_MAX })).data?.data ?? [];
  return (
    <>
      <ProjectField />
      <SelectField name="key_id" label="Requests">
        <option value="">All of the project</option>
        {keys.map(({ id, name }) => (
          <option key={id} value={id}>
            Only of the key {name}
          </option>
        ))}
      </SelectField>
    </>
  );
}
