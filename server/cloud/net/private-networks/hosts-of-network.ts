import type { NetworkOfNode } from "./networks.sql";

/** Of one network: the file has to be read by each program that looks up a name. */
const NAMES_MAX = 4000;
const NAME_LENGTH_MAX = 63;

/** Lines for `/etc/hosts`: each pod by its name, with and without `.internal`, and by its host name. */
export const hostsOfNetwork = ({ pods }: Pick<NetworkOfNode, "pods">): string =>
  pods
    .slice(0, NAMES_MAX)
    .map(({ id, name, address }) => {
      const host = hostNameOf(name);
      const names = host === "" || host === "localhost" ? [] : [host, `${host}.internal`];
      return `${[address, ...names, id.replace("_", "-")].join(" ")}\n`;
    })
    .join("");

/** The name of a pod as programs can look it up; empty if nothing of it can be part of a host name. */
const hostNameOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, NAME_LENGTH_MAX)
    .replace(/^-+|-+$/g, "");
