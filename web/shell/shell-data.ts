import { useRouteLoaderData } from 'react-router'
import { getSiteBanners } from '#contract/banners.ts'
import { getSite } from '#contract/site.ts'
import type { SiteTheme, ThemeSlot } from '#contract/theme.ts'
import { callQuery } from '#web/api/queries.ts'

/** Operator's settings and the world's size; changes rarely. */
export const siteQuery = () => callQuery(getSite, {})

/** The rotator's slides, fresh for 30 minutes (BANNER-3). */
export const bannersQuery = () => callQuery(getSiteBanners, {})

/** The document's data for the shell of every page. */
export type ShellData = {
  appName: string
  publicUrl: string
  renderedAt: number
  /** Missing in the original look. */
  look?: SiteTheme
}

/** The shell's data, on every page and on the error page (where it may be missing). */
export function useShellData(): ShellData | undefined {
  return useRouteLoaderData<ShellData>('root')
}

/** The address of a picture of the operators' look; undefined where ours is shown. */
export const useThemePicture = (slot: ThemeSlot): string | undefined => useShellData()?.look?.pictures[slot]?.[0]
