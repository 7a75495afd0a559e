import { accountNavigation } from "./account/navigation";
import { cloudNavigation } from "./cloud/navigation";
import type { NavigationSection } from "./components/shell/navigation-section";
import { offersNavigation } from "./offers/navigation";

/** The sidebar: one section for each product, then the account. */
export const SECTIONS: readonly NavigationSection[] = [offersNavigation, cloudNavigation, accountNavigation];
