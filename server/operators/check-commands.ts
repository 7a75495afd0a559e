import { z } from "zod";
import { checkKernelLimits, type KernelLimit, readKernelState } from "../engines/runtime/namespaces/kernel-limits";
import type { Command } from "./command";
import type { CommandResult } from "./operator-ctx";
import { table } from "./table";

const Nothing = z.tuple([], "expected no arguments");
const COLUMNS = ["LIMIT", "FOUND", "EXPECTED", "STATE", "FIX"];

/** Commands about the machine on which they run; they open nothing. */
export const CHECK_COMMANDS: readonly Command[] = [
  {
    name: "check",
    usage: "",
    about:
      "lists the limits of this machine's kernel that separate pods of different tenants; exit status 1 if a required one is missing",
    flags: [],
    texts: [],
    bind: ({ operands }) => {
      Nothing.parse(operands);
      return async () => checked(checkKernelLimits(await readKernelState()));
    },
  },
];

/** The table of limits, and whether all required ones are met. */
export function checked(limits: readonly KernelLimit[]): CommandResult {
  const rows = limits.map((one) => [one.limit, one.found, one.expected, stateOf(one), one.fix]);
  const json = limits.map(({ isRequired, isMet, ...limit }) => ({ ...limit, required: isRequired, met: isMet }));
  return { text: table(COLUMNS, rows), json, status: limits.every((one) => one.isMet || !one.isRequired) ? 0 : 1 };
}

const stateOf = ({ isMet, isRequired }: KernelLimit): string => (isMet ? "ok" : isRequired ? "MISSING" : "low");
