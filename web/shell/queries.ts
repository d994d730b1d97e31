import { queryOptions } from '@tanstack/react-query'
import { BANNER_CACHE_MS } from '#contract/limits.ts'
import { type ApiClient, read } from '#web/api/client.ts'

/** Operator's settings and the world's size; changes rarely. */
export const siteQuery = (api: ApiClient) =>
  queryOptions({ queryKey: ['site'], queryFn: () => read(api.site.$get()), staleTime: Number.POSITIVE_INFINITY })

/** The rotator's slides, kept 30 minutes (SPEC §4). */
export const bannersQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['banners'],
    queryFn: async () => (await read(api.getSiteBanners.$get())).data,
    staleTime: BANNER_CACHE_MS,
  })
