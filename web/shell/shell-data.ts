import { useRouteLoaderData } from 'react-router'
import { getSiteBanners } from '#contract/banners.ts'
import { getSite } from '#contract/site.ts'
import type { SiteTheme, ThemeSlot } from '#contract/theme.ts'
import { toCallQuery } from '#web/api/queries.ts'

/** Returns the query for the operators' settings and the schools' numbers of characters, which rarely change. */
export const getSiteQuery = () => toCallQuery(getSite, {})

/** Returns the query for the rotator's slides, fresh for 30 minutes (BANNER-3). */
export const getBannersQuery = () => toCallQuery(getSiteBanners, {})

/** The data for the shell of every page. */
export type ShellData = {
  appName: string
  publicUrl: string
  renderedAt: number
  /** Undefined for the default theme. */
  theme?: SiteTheme
}

/** Returns the shell's data on any page; undefined on an error page that has none. */
export function useShellData(): ShellData | undefined {
  return useRouteLoaderData<ShellData>('root')
}

/** Returns the address of a theme's picture for a slot; undefined if the default is used. */
export const useThemePicture = (slot: ThemeSlot): string | undefined => useShellData()?.theme?.pictures[slot]?.[0]
