/** Of a public port, per hour, used or not; a decimal string in the currency of the installation. Ours: the specification has none. */
export const EIP_PRICE = "0.005";
