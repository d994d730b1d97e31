import { queryOptions } from '@tanstack/react-query'
import type { Download } from '#contract/downloads.ts'
import { NEWS_CACHE_MS } from '#contract/limits.ts'
import { type ApiClient, read } from '#web/api/client.ts'

/** The download links, kept in local storage and good for 30 s (SPEC §4, §9). */
export const downloadsQuery = (api: ApiClient) =>
  queryOptions({
    queryKey: ['downloads'],
    staleTime: NEWS_CACHE_MS,
    queryFn: async (): Promise<Download[]> => (await read(api.getdownloadsall.$get())).data,
  })
