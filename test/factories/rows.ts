import { rowOf, type Row as SdkRow } from "../../server/build/sdk/row";
import { offersRoutes, orderRoutes, platformRoutes } from "../../server/surfaces/http/routes";

/** A route together with its operation, as the table-driven tests use them. */
export type Row = SdkRow;

export const platformRows: readonly Row[] = platformRoutes.map(rowOf);
export const offersRows: readonly Row[] = offersRoutes.map(rowOf);
export const orderRows: readonly Row[] = orderRoutes.map(rowOf);
export const adsRows: readonly Row[] = platformRows.filter(({ product }) => product === "ads");
export const identityRows: readonly Row[] = platformRows.filter(({ product }) => product === "identity");
